"""From nothing to a launcher that answers a press."""

from __future__ import annotations

from tests.pi.installed import Installed
from tests.pi.pi import SETTINGS, Pi


def test_one_command_has_installed_it(installation: Installed, installed_pi: Pi) -> None:
    pi = installed_pi
    assert "lgpio opens the pins of this Raspberry Pi 4" in installation.log, "the doctor sees what the service sees"
    assert pi.state() == "active", "it starts with the Pi"
    assert pi.facts("NRestarts")["NRestarts"] == "0"
    assert "motor_enable = 25" in pi.read(SETTINGS)
    assert not pi.has("/var/cache/dispenser-install"), "nothing is left lying about"
    touched = "find /brought/project -newer /etc/dispenser/dispenser.toml"
    assert pi.sh(touched).split() == [], "nothing in the folder that it was installed from"


def test_a_push_of_the_button_is_answered(pi: Pi) -> None:
    before = pi.seq()
    pi.toy("push_button")
    accepted = pi.wait_for("launcher.press.accepted", after=before, source="button")
    pi.wait_for("launcher.burst.ended", after=before, press=accepted["data"]["press"])
