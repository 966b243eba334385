"""From nothing to a launcher that answers a press."""

from __future__ import annotations

from tests.pi.pi import BOARD, DISPENSER, SETTINGS, Pi


def test_one_command_installs_it_on_a_bare_pi(bare_pi: Pi) -> None:
    """First of all cases: nothing of ours is there."""
    assert not bare_pi.has("/opt/dispenser")
    done = bare_pi.install()
    assert "lgpio opens the pins of this Raspberry Pi 4" in done.out, f"the doctor sees what the service sees:\n{done}"
    assert bare_pi.state() == "active"
    assert bare_pi.facts("NRestarts", "StatusText")["NRestarts"] == "0"
    assert bare_pi.run("systemctl", "is-enabled", "dispenser.service").out.strip() == "enabled"
    assert "motor_enable = 25" in bare_pi.read(SETTINGS), BOARD
    assert not bare_pi.has("/var/cache/dispenser-install"), "nothing is left lying about"
    assert bare_pi.sh("find /brought/project -newer /opt/dispenser/current | wc -l").strip() == "0", (
        "nothing in its folder"
    )


def test_it_starts_with_the_pi_and_a_press_is_answered(installed_pi: Pi) -> None:
    pi = installed_pi
    pi.refill()
    before = pi.seq()
    pi.toy("push_button")
    pi.wait_for("launcher.press.accepted", after=before, source="button")
    assert pi.run(DISPENSER, "--version").out
