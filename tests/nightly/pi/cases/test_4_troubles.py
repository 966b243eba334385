"""What goes wrong around it: it says what, the motor is off, and it goes on when that is mended."""

from __future__ import annotations

from tests.nightly.pi.pi import DISPENSER, JOURNAL, SERVICE, SETTINGS, Pi

ROOM_BYTES = 48 << 10
"""What is left free on the full disk: a burst or two more."""


def test_a_second_service_is_told_that_one_drives_the_pins(pi: Pi) -> None:
    words = (
        "systemd-run",
        "--wait",
        "--pipe",
        "--quiet",
        "--uid=dispenser",
        "--setenv=RUNTIME_DIRECTORY=/run/dispenser",
    )
    second = pi.run(*words, DISPENSER, "run", "--no-web", check=False, timeout_s=60)
    assert second.code == 69, f"{second}"
    assert "drives pins already" in second.err + second.out
    assert pi.state() == "active", "the first one goes on"


def test_wrong_settings_end_it_at_once_and_name_the_key(pi: Pi) -> None:
    pi.run("systemctl", "stop", SERVICE)
    pi.run("cp", "-p", SETTINGS, "/var/tmp/right.toml")
    try:
        pi.sh(f"sed -i 's/motor_enable = 25/motor_enable = 99/' {SETTINGS}")
        assert pi.run("systemctl", "start", SERVICE, check=False).code != 0
        pi.pass_time(5)
        assert pi.facts("NRestarts", "ActiveState", "ExecMainStatus") == {
            "NRestarts": "0", "ActiveState": "failed", "ExecMainStatus": "78",
        }, "a restart mends no settings"  # fmt: skip
        assert "motor_enable = 99" in pi.said()
    finally:
        pi.run("mv", "/var/tmp/right.toml", SETTINGS)
    start_again(pi)


def start_again(pi: Pi) -> None:
    """What was wrong is mended."""
    pi.run("systemctl", "reset-failed", SERVICE)
    pi.run("systemctl", "start", SERVICE)
    pi.wait_active()


def test_a_taken_port_is_named_and_no_loop_of_starts(pi: Pi) -> None:
    pi.run("systemctl", "stop", SERVICE)
    script = "import socket, time; s = socket.create_server(('127.0.0.1', 8112)); time.sleep(600)"
    other = pi.start("/usr/bin/python3", "-c", script)
    try:
        pi.wait(lambda: "0100007F:1FB0 00000000:0000 0A" in pi.read("/proc/net/tcp"), "the other program has the port")
        pi.run("systemctl", "start", SERVICE)  # ready for presses of the button; the page comes after that
        pi.wait(lambda: pi.state() == "failed", "it ends")
        pi.pass_time(5)
        assert pi.facts("NRestarts", "ActiveState", "ExecMainStatus") == {
            "NRestarts": "0", "ActiveState": "failed", "ExecMainStatus": "69",
        }, "a restart frees no port"  # fmt: skip
        assert "port 8112" in pi.said()
    finally:
        pi.sh(f"kill -9 {other}")
    start_again(pi)


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
