"""An update that does not run goes back to the version before; a removal leaves settings and journal."""

from __future__ import annotations

from tests.nightly.pi.pi import DISPENSER, JOURNAL, SETTINGS, Pi

PROGRAM = "/usr/lib/card-dispenser"
"""Where our Debian package has put the program."""
NEWER = "/root/newer"


def test_an_update_that_does_not_start_goes_back_to_the_version_before(pi: Pi) -> None:
    pi.run("cp", "-a", PROGRAM, NEWER)
    pi.sh(f"sed -i 's|^ExecStart=.*|ExecStart=/bin/false|' {NEWER}/systemd/dispenser.service")
    update = pi.run(DISPENSER, "update", NEWER, check=False, timeout_s=600)
    assert update.code == 1, update
    assert "runs again, as before" in f"{update}"
    pi.wait_active()
    before = pi.seq()
    pi.simulator("push_button")
    pi.wait_for("launcher.press.accepted", after=before, source="button")


def test_a_removal_leaves_settings_and_journal(pi: Pi) -> None:
    pi.run("dpkg", "--remove", "card-dispenser", timeout_s=300)
    assert pi.state() != "active"
    assert not pi.has("/opt/dispenser")
    assert not pi.has("/etc/systemd/system/dispenser.service")
    assert pi.has(SETTINGS)
    assert pi.has(JOURNAL)
