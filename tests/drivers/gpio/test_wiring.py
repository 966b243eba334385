"""Pin maps: no two devices on one pin, no pin that cannot do its work, and messages that say what to change."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dispenser.config import SettingError
from dispenser.drivers.gpio import boot_config
from dispenser.drivers.gpio.wiring import HEADER_GPIOS, GpioTiming, GpioWiring

NEEDED = ("button", "lid", "motor_forward")
OPTIONAL = ("exit", "motor_backward", "motor_enable", "buzzer", "light")
MOTOR = ("motor_forward", "motor_backward", "motor_enable")
GPIOS = st.integers(-3, 60)
PIN_MAPS = st.fixed_dictionaries(
    dict.fromkeys(NEEDED, GPIOS),
    optional={name: st.none() | GPIOS for name in OPTIONAL}
    | {"button_active_high": st.booleans(), "lid_active_high": st.booleans(), "motor_pwm_hz": st.integers(-5, 20_000)},
)


def wrong_with(pins: dict[str, Any]) -> set[str]:
    """The keys that any reading of the rules must object to."""
    whole = {field.name: field.default for field in fields(GpioWiring)} | pins
    used = {name: whole[name] for name in NEEDED + OPTIONAL if whole[name] is not None}
    wrong = {name for name, gpio in used.items() if not 2 <= gpio <= 27}
    wrong |= {name for name, gpio in used.items() if list(used.values()).count(gpio) > 1}
    wrong |= {name for name in MOTOR if used.get(name, 20) <= 8}
    wrong |= {name for name in ("button", "lid") if whole[f"{name}_active_high"] and used[name] in {2, 3}}
    if not 50 <= whole["motor_pwm_hz"] <= 10_000:
        wrong.add("motor_pwm_hz")
    return wrong


@given(PIN_MAPS)
def test_a_pin_map_is_taken_exactly_when_it_can_work(pins: dict[str, Any]) -> None:
    wrong = wrong_with(pins)
    if not wrong:
        lines = GpioWiring(**pins).lines()
        assert len(set(lines.values())) == len(lines)
        assert set(lines.values()) <= set(HEADER_GPIOS)
        assert set(lines) <= set(NEEDED + OPTIONAL)
        return
    with pytest.raises(SettingError) as caught:
        GpioWiring(**pins)
    named = str(caught.value).split(" ")[0]
    assert named in wrong, "the message begins with a key that is wrong"
    assert "use" in str(caught.value) or "give" in str(caught.value), "and says what to do"


def test_two_devices_on_one_pin_are_both_named() -> None:
    with pytest.raises(SettingError, match=r"light = 17: already used by button, whose default it is; use another pin"):
        GpioWiring(light=17)
    with pytest.raises(SettingError, match=r"light = 5: already used by button; give each device a pin of its own"):
        GpioWiring(light=5, button=5)


@pytest.mark.parametrize(
    ("name", "highest"), [("button_settle_s", 0.5), ("lid_settle_s", 1.0), ("exit_settle_s", 0.005), ("coast_s", 2.0)]
)
@pytest.mark.parametrize("value", [-0.001, float("nan"), float("inf")])
def test_filter_times_that_make_no_sense_are_refused(name: str, highest: float, value: float) -> None:
    for wrong in (value, highest + 0.001):
        with pytest.raises(ValueError, match=f"{name} = "):
            GpioTiming(**{name: wrong})
    assert getattr(GpioTiming(**{name: highest}), name) == highest


# --- config.txt ---


@pytest.mark.parametrize(
    ("text", "gpios"),
    [
        ("dtoverlay=w1-gpio", {4}),
        ("dtoverlay=w1-gpio,gpiopin=17\ndtoverlay=w1-gpio,gpiopin=27,pullup=1", {17, 27}),
        ("dtparam=spi=on", set(range(7, 12))),
        ("dtparam=audio=on,spi", set(range(7, 12))),
        ("dtparam=spi=on\ndtparam=spi=off", set()),
        ("[none]\ndtparam=spi=on\n[pi4]\ndtparam=i2c_arm=on", {2, 3}),
        ("#dtparam=spi=on\n  # dtoverlay=w1-gpio\ndtparam=audio=on", set()),
        ("dtoverlay=audremap", {12, 13}),
        ("dtoverlay=hifiberry-dacplus,24db_digital_gain", {18, 19, 20, 21}),
        ("dtparam=i2s=on", {18, 19, 20, 21}),
        ("enable_uart=1", {14, 15}),
        ("enable_uart=1\nenable_uart=0", set()),
        ("dtoverlay=pwm,pin=12,func=4", {12}),
        ("dtoverlay=gpio-shutdown,gpio_pin=22,debounce=5", {22}),
        ("dtoverlay=vc4-kms-v3d\ngpu_mem=16", set()),
    ],
)
def test_pins_that_lines_take(text: str, gpios: set[int]) -> None:
    assert {gpio for taker in boot_config.takers(text) for gpio in taker.gpios} == gpios


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("", False),
        ("dtparam=strict_gpiod\n", True),
        ("dtparam=audio=on,strict_gpiod\n", True),
        ("dtparam=strict_gpiod=on\n", True),
        ("dtparam=strict_gpiod=off\n", False),
        ("#dtparam=strict_gpiod\n", False),
        ("[pi4]\ndtparam=strict_gpiod\n", False),
        ("[pi4]\narm_boost=1\n[all]\n  dtparam=strict_gpiod\n", True),
    ],
)
def test_the_line_counts_where_it_counts_on_every_pi(text: str, counts: bool) -> None:
    assert boot_config.has_line(text) is counts
    assert boot_config.has_line(boot_config.with_line(text))
