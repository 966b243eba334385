"""What is decided, without a machine."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from dispenser.cli import app
from dispenser.drivers.gpio import boot_config
from dispenser.system.install.__main__ import COMMANDS, parser
from dispenser.system.install.found import Found, is_open, is_serial, machine_of
from dispenser.system.install.plan import check, starts_with_the_pi, takes_lgpio_from_apt
from dispenser.system.install.source import Same
from dispenser.system.install.steps import InstallError
from dispenser.system.install.wishes import BOARDS
from dispenser.system.shipped import shipped


@pytest.mark.parametrize(
    ("machine", "python", "from_apt"),
    [
        ("aarch64", (3, 11), False),
        ("aarch64", (3, 13), True),
        ("armv7l", (3, 11), True),
        ("armv6l", (3, 11), True),
        ("x86_64", (3, 12), False),
    ],
)
def test_lgpio_is_debians_where_no_wheel_fits(machine: str, python: tuple[int, int], from_apt: bool) -> None:
    assert takes_lgpio_from_apt(Found(python=python, machine=machine), None) is from_apt


def test_lgpio_of_a_folder_of_wheels_is_taken(tmp_path: Path) -> None:
    found = Found(python=(3, 13), machine="aarch64")
    assert takes_lgpio_from_apt(found, tmp_path)
    (tmp_path / "lgpio-0.2.2.0-cp313-cp313-linux_aarch64.whl").touch()
    assert not takes_lgpio_from_apt(found, tmp_path)


@pytest.mark.parametrize(
    ("kernel", "wide", "machine"),
    [
        ("aarch64", True, "aarch64"),
        ("aarch64", False, "armv7l"),
        ("armv6l", False, "armv6l"),
        ("x86_64", True, "x86_64"),
    ],
)
def test_a_kernel_may_be_wider_than_its_programs(kernel: str, wide: bool, machine: str) -> None:
    assert machine_of(kernel, wide=wide) == machine


@pytest.mark.parametrize("machine", ["armv6l", "armv7l"])
def test_a_small_board_is_told_what_it_needs(machine: str) -> None:
    with pytest.raises(InstallError, match=r"extra-index-url=https://www\.piwheels\.org/simple"):
        check(Found(python=(3, 11), machine=machine), Same("1.0"))
    check(Found(python=(3, 11), machine=machine, has_piwheels=True), Same("1.0"))


def test_an_old_python_is_told_what_it_needs() -> None:
    with pytest.raises(InstallError, match=r"Python 3\.11 or later is needed, and this is 3\.9"):
        check(Found(python=(3, 9)), Same("1.0"))


def test_what_starts_with_the_pi_says_so_itself() -> None:
    units = starts_with_the_pi(phones=True)
    assert "dispenser.service" in units
    assert not [unit for unit in units if unit.endswith(".timer")]
    assert units - starts_with_the_pi(phones=False) == {unit for unit in units if unit.endswith(".socket")}


@pytest.mark.parametrize(
    ("settings", "serial", "phones"),
    [
        ("", False, False),
        ('[driver]\nkind = "serial"\n', True, False),
        ("[web]\nlan = true\n", False, True),
        ('[web]\ntoken = "f00dfacecafe1234"\n', False, True),
        ("[web\n", False, False),
        ("web = 1\n", False, False),
    ],
)
def test_settings_say_what_is_installed_for_them(settings: str, serial: bool, phones: bool) -> None:
    assert (is_serial(settings), is_open(settings)) == (serial, phones)


def test_each_board_can_be_chosen() -> None:
    assert {board.stem for board in shipped("hardware/boards").glob("*.toml")} == set(BOARDS)


# --- the two command lines ---


@pytest.mark.parametrize("command", COMMANDS)
def test_before_there_is_anything_but_python_the_same_options_are_understood(command: str) -> None:
    whole = {word for param in commands()[command].params for word in (*param.opts, *param.secondary_opts)}
    first = {word for action in parser(command)._actions for word in action.option_strings}  # noqa: SLF001
    assert {word for word in whole if word.startswith("--")} == first - {"-h", "--help"}


def test_the_guide_names_options_that_are_there() -> None:
    guide = (Path(__file__).parents[3] / "hardware" / "README.md").read_text(encoding="utf-8")
    typed = re.findall(r"`sudo \./systemd/install( [^`]+)`", guide)
    assert len(typed) == 2
    for line in typed:
        parser("install").parse_args(line.split())
    for command in re.findall(r"`(?:sudo )?dispenser (\w+)", guide.partition("## Install")[2].partition("\n## ")[0]):
        assert command in commands()


def commands() -> dict[str, Any]:
    group = get_command(app)
    assert isinstance(group, TyperGroup)
    return dict(group.commands)


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
        ("dtoverlay=audremap,pins_18_19", {18, 19}),
        ("dtoverlay=hifiberry-dacplus,24db_digital_gain", {18, 19, 20, 21}),
        ("dtparam=i2s=on", {18, 19, 20, 21}),
        ("enable_uart=1", {14, 15}),
        ("enable_uart=1\nenable_uart=0", set()),
        ("dtoverlay=pwm,pin=12,func=4", {12}),
        ("dtoverlay=gpio-shutdown,gpio_pin=22,debounce=5", {22}),
        ("dtoverlay=something-new,gpio=5,speed=9", {5}),
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


@pytest.mark.parametrize("text", ["arm_boost=1\n", "[pi4]\narm_boost=1\n"])
def test_the_line_comes_and_goes(text: str) -> None:
    assert boot_config.without_line(boot_config.with_line(text)) == text
    assert boot_config.with_line(boot_config.with_line(text)) == boot_config.with_line(text)
