"""What the doctor finds of the computer: by files of the kernel, and by programs as they answer on a Pi."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dispenser.drivers.findings import Finding, Status
from dispenser.drivers.gpio import factory
from dispenser.service.settings import WebSettings
from dispenser.system import doctor
from dispenser.system.backup import note_backup_time
from dispenser.system.computer import check_card, check_clock, check_supply, check_wifi
from tests.system.programs import Programs

FIRMWARE = "sys/devices/platform/soc@107c000000/soc@107c000000:firmware/get_throttled"


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    (tmp_path / "programs").mkdir()
    return Programs(tmp_path / "programs", monkeypatch)


def put(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def only(findings: Iterable[Finding]) -> tuple[Status, str]:
    (finding,) = findings
    return finding.status, finding.text


@pytest.mark.parametrize(
    ("flags", "status", "words"),
    [
        ("0", Status.GOOD, "has held"),
        ("50005", Status.WRONG, "too low, now"),
        ("50000", Status.NOTE, "was too low since"),
        ("80008", Status.NOTE, "so hot"),
    ],
)
def test_the_supply(tmp_path: Path, flags: str, status: Status, words: str) -> None:
    assert not list(check_supply(tmp_path)), "nobody measures it"
    found = only(check_supply(put(tmp_path, {FIRMWARE: f"{flags}\n"})))
    assert found[0] is status
    assert words in found[1]


@pytest.mark.parametrize(
    ("answer", "status", "command"),
    [
        ("NTP=yes\nNTPSynchronized=yes\n", Status.GOOD, ()),
        ("NTP=yes\nNTPSynchronized=no\n", Status.NOTE, ()),
        ("NTP=no\nNTPSynchronized=no\n", Status.NOTE, ("timedatectl", "set-ntp", "true")),
    ],
)
def test_the_clock(system: Programs, answer: str, status: Status, command: tuple[str, ...]) -> None:
    system.put("timedatectl", answer)
    (found,) = check_clock()
    assert (found.status, found.command) == (status, command)


@pytest.mark.parametrize(("errors", "status", "words"), [(0, Status.GOOD, "no error"), (2, Status.WRONG, "2 errors")])
def test_errors_of_the_cards_file_system(tmp_path: Path, errors: int, status: Status, words: str) -> None:
    number = tmp_path.stat().st_dev
    part = f"sys/dev/block/{os.major(number)}:{os.minor(number)}"
    put(tmp_path, {"devices/mmcblk0p2/partition": "2", "sys/fs/ext4/mmcblk0p2/errors_count": f"{errors}\n"})
    (tmp_path / part).parent.mkdir(parents=True)
    (tmp_path / part).symlink_to(tmp_path / "devices/mmcblk0p2")
    found = only(check_card(tmp_path / "none" / "yet", tmp_path))
    assert found == (status, f"mmcblk0p2: the file system has met {words}")


def test_what_the_local_name_needs_is_named_where_phones_may_come_in(
    system: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(system.folder))
    (found,) = doctor.check_name(WebSettings(lan=True))
    assert (found.check, found.status, found.command[-1]) == ("name", Status.NOTE, "avahi-daemon")
    assert not list(doctor.check_name(WebSettings()))
    system.put("avahi-daemon")
    assert not list(doctor.check_name(WebSettings(lan=True)))


def test_wifi_that_sleeps_is_kept_awake_by_a_command(tmp_path: Path, system: Programs) -> None:
    put(tmp_path, {"sys/class/net/wlan0/wireless/x": "", "sys/class/net/eth0/x": ""})
    system.put("iw", "Power save: on\n")
    (found,) = check_wifi(tmp_path)
    assert found.status is Status.NOTE
    assert found.command[2].endswith("iw dev wlan0 set power_save off")
    system.put("iw", "Power save: off\n")
    assert only(check_wifi(tmp_path)) == (Status.GOOD, "wlan0: stays awake")
    system.put("nmcli")
    (lacking, _) = check_wifi(tmp_path)
    assert (lacking.check, lacking.status, lacking.command[-1]) == ("hotspot", Status.NOTE, "dnsmasq-base")


# --- port ---

NGINX = 'LISTEN 0 511 0.0.0.0:8112 0.0.0.0:* users:(("nginx",pid=71,fd=6),("nginx",pid=70,fd=6))\n'


@pytest.mark.parametrize(
    ("answer", "own", "words"),
    [
        (NGINX, None, "nginx (process 71) has port 8112, which the page should have"),
        (NGINX, "71", ""),
        ("", None, ""),
    ],
)
def test_who_has_the_port(system: Programs, answer: str, own: str | None, words: str) -> None:
    system.put("ss", answer)
    found = [(each.status, each.text) for each in doctor.check_port(8112, own)]
    assert found == ([(Status.WRONG, words)] if words else [])
    assert system.calls == ["ss -Hltnp sport = :8112"]


def test_the_age_of_the_last_backup(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite3"
    assert not list(doctor.check_backup(journal))
    journal.touch()
    (none,) = doctor.check_backup(journal)
    assert none.status is Status.NOTE
    assert none.command[:2] == ("dispenser", "backup")
    note_backup_time(journal)
    assert only(doctor.check_backup(journal)) == (Status.GOOD, "the last one is 0 days old")
    old = (datetime.now(UTC) - timedelta(days=40, hours=1)).timestamp()
    os.utime(tmp_path / "journal.sqlite3-backup", (old, old))
    assert only(doctor.check_backup(journal)) == (Status.NOTE, "the last one is 40 days old")


@pytest.mark.parametrize(
    ("shown", "status"),
    [
        ("LoadState=loaded ActiveState=active UnitFileState=enabled", Status.GOOD),
        ("LoadState=loaded ActiveState=failed UnitFileState=enabled", Status.NOTE),
    ],
)
def test_whether_anybody_hears_that_the_computer_be_switched_off(system: Programs, shown: str, status: Status) -> None:
    system.put("systemctl", shown.replace(" ", "\n"))
    (found,) = doctor.check_switching_off({"LoadState": "loaded"})
    command = () if status is Status.GOOD else ("systemctl", "enable", "--now", "dispenser-power.path")
    assert (found.check, found.status, found.command) == ("switch-off", status, command)


# --- chips ---


def test_why_a_chip_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factory, "DEVICES", tmp_path)
    assert "PrivateDevices=yes" in str(factory.access_advice()[0])
    (tmp_path / "gpiochip0").touch()
    assert "DeviceAllow=char-gpiochip rw" in str(factory.access_advice()[0]), "by its rights it could be opened"
    monkeypatch.setattr("os.access", lambda *_: False)  # root may open all of them, so it is only said
    monkeypatch.setattr(factory, "GROUP", "root")
    assert "User root is not in the group gpio" in str(factory.access_advice()[0])
    assert factory.access_advice()[1] == ("adduser", "root", "root")
