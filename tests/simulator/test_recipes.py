"""What beginners' books for gpiozero make (button, LED, motor, buzzer), only the pin numbers changed, on the simulator.

Each script runs by itself with ``GPIOZERO_PIN_FACTORY=launcher``, in its main thread, in real time. It is judged by
what the launcher did, never by how long that took.
"""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

import dispenser.simulator
from tests.simulator.scripts import REACTION_S, running

CARD_S = 0.057


@pytest.mark.long
@pytest.mark.parametrize(
    ("body", "happening", "values"),
    [
        ("PWMLED(16).pulse(fade_in_time=0.1, fade_out_time=0.1, n=2, background=False)", "light", [True, False] * 2),
        ("motor = Motor(23, 24, enable=25)\nmotor.forward(0.5)\nsleep(0.2)", "motor", [0.5, 0.0]),
        ("Buzzer(18).beep(on_time=0.05, off_time=0.05, n=3, background=False)", "tone", [2300.0, None] * 3),
        ("buzzer = TonalBuzzer(18)\nfor note in ('A4', 'B4'):\n    buzzer.play(note)", "tone", [440.0, 494.0, None]),
    ],
    ids=["a light fades", "half speed, and off at the end", "beeps", "a tune"],
)
def test_a_script_drives_a_part_and_leaves_it_off(
    tmp_path: Path, body: str, happening: str, values: list[object]
) -> None:
    source = f"from time import sleep\nfrom gpiozero import PWMLED, Buzzer, Motor, TonalBuzzer\n\n{body}\n"
    with running(source, tmp_path) as script:
        script.finish()
        heard = script.values(happening)
        assert [round(value) if happening == "tone" and value else value for value in heard] == values
        assert script.process.returncode == 0


@pytest.mark.long
def test_a_push_says_hello_once_when_bounces_are_left_out(tmp_path: Path) -> None:
    source = """
from signal import pause
from gpiozero import Button

def say_hello():
    print("hello")

button = Button(17, bounce_time=0.05)
button.when_pressed = say_hello
button.when_released = lambda: print("bye")
pause()
"""
    with running(source, tmp_path) as script:
        script.persuade(("push_button",), lambda: script.line(REACTION_S) == "hello")
        assert script.line() == "bye"
        for _ in range(3):
            script.do("hold_button")
            assert script.line() == "hello"
            script.do("release_button")
            assert script.line() == "bye"
        assert script.interrupt() == ""


def test_a_motor_stops_when_the_sensor_has_seen_three_cards(tmp_path: Path) -> None:
    """Not 18. The motor is off when the script says so, whichever thread it says it on."""
    source = """
from threading import Event
from gpiozero import DigitalInputDevice, Motor

motor = Motor(23, 24, enable=25)
light_again = DigitalInputDevice(22, pull_up=True)
cards = 0
done = Event()

def one_more():
    global cards
    cards += 1
    if cards == 3:
        motor.stop()
        done.set()

light_again.when_activated = one_more
motor.forward()
done.wait()
print(cards)
"""
    with running(source, tmp_path) as script:
        assert script.finish() == "3\n"
        left = [time_s for name, _, time_s in script.happened if name == "card_left"]
        off_s = next(time_s for name, value, time_s in script.happened if name == "motor" and value == 0.0)
        late_s = off_s - left[2]
        assert len(left) <= 3 + math.ceil(late_s / CARD_S), (left, off_s)
        assert script.end is not None
        assert script.end[0] == 0.0


def test_the_hands_of_the_readme(tmp_path: Path) -> None:
    readme = Path(dispenser.simulator.__file__).with_name("README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)
    with running(example, tmp_path) as script:
        assert script.line() == "0"
        script.finish()
        assert script.process.returncode == 0
        assert script.values("lid") == [True]
