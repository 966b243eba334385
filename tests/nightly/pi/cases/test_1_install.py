"""From a Pi that knows no launcher to one that answers a press."""

from __future__ import annotations

from tests.nightly.pi.machine import Done
from tests.nightly.pi.pi import SETTINGS, Pi


def test_one_command_makes_a_launcher_of_a_pi(installation: Done, installed_pi: Pi) -> None:
    pi = installed_pi
    assert "lgpio opens the pins of this Raspberry Pi 4" in installation.out, f"the doctor saw it:\n{installation}"
    assert pi.state() == "active"
    assert pi.facts("NRestarts")["NRestarts"] == "0"
    assert pi.run("systemctl", "is-enabled", "dispenser.service").out.strip() == "enabled"
    assert "motor_enable = 25" in pi.read(SETTINGS)
    assert not pi.has("/var/cache/dispenser-install"), "nothing is left lying about"
    assert not pi.has("/opt/dispenser/unfinished")


def test_a_push_of_the_button_is_answered(pi: Pi) -> None:
    before = pi.seq()
    pi.simulator("push_button")
    accepted = pi.wait_for("launcher.press.accepted", after=before, source="button")
    pi.wait_for("launcher.burst.ended", after=before, press=accepted["data"]["press"])
