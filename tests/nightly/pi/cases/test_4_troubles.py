"""What goes wrong around it: it says what, the motor is off, and it goes on when that is mended."""

from __future__ import annotations

from tests.nightly.pi.pi import JOURNAL, SERVICE, Pi

ROOM_BYTES = 48 << 10
"""What is left free on the full disk: a burst or two more."""


def test_a_full_disk_stops_the_motor_and_is_told_until_there_is_room(pi: Pi) -> None:
    pi.run("systemctl", "restart", SERVICE)  # SQLite's log begins anew, and must grow
    pi.wait_active()
    pi.tidy()
    pi.sh(
        "fallocate -l $(df --output=avail -B1 / | tail -1) /var/tmp/full || true; cat /dev/zero >/var/tmp/rest || true;"
        f"truncate -s -{ROOM_BYTES} /var/tmp/rest"
    )
    try:
        eject = {"http": "POST", "path": "/api/v1/eject", "body": {"cards": 12}}
        pi.wait(lambda: pi.ask(**eject)["status"] == 503, "what cannot be written down does not happen", within_s=60)
        assert pi.snapshot()["state"] == "fault"
        assert "the disk is full" in pi.snapshot()["detail"]
        pi.wait(lambda: not pi.runs(), "the motor stops", within_s=1)
        pi.pass_time(2)
        assert not any(pi.levels().values())
    finally:
        pi.sh("rm -f /var/tmp/full /var/tmp/rest")
    pi.wait(lambda: pi.snapshot()["state"] == "ready", "it goes on by itself", within_s=10)
    pi.check_journal()


def test_a_journal_that_cannot_be_opened_is_told_in_the_status(pi: Pi) -> None:
    pi.run("systemctl", "stop", SERVICE)
    pi.sh(f"chown root:root {JOURNAL}; chmod 600 {JOURNAL}")
    pi.run("systemctl", "start", "--no-block", SERVICE)
    pi.wait(lambda: JOURNAL in pi.facts("StatusText")["StatusText"], "the status names the file")
    assert pi.state() == "activating", "it is not ready, and does not end either"
    pi.run("systemctl", "stop", SERVICE)
    pi.sh(f"chown dispenser:dispenser {JOURNAL}")
    pi.run("systemctl", "start", SERVICE)
    pi.check_journal()
