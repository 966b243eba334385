"""The launcher's own Wi-Fi: what NetworkManager is told, and what becomes of the network that was there before."""

from __future__ import annotations

import configparser
import fcntl
import grp
import os
import stat
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dispenser.cli import app
from dispenser.system import hotspot
from dispenser.system.hotspot import PROFILE
from dispenser.system.programs import ask
from dispenser.web.captive_portal import HOSTS
from tests.system.programs import Programs

AT_HOME = "wifi:wlan0:connected:house\nwifi-p2p:p2p-dev-wlan0:disconnected:\nethernet:eth0:unavailable:\n"
OURS = f"wifi:wlan0:connected:{PROFILE}\n"
ALONE = "wifi:wlan0:disconnected:\n"
TIMER_OFF = "systemctl disable --now dispenser-hotspot.timer"
CLOSING = [TIMER_OFF, f"nmcli connection down id {PROFILE}", "nmcli connection reload"]


class Computer(Programs):
    """Its network, as nmcli 1.42 and iw 5.19 tell it; the files that the hotspot writes; what was asked for."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(folder, monkeypatch)
        self._known = 0
        self.up_fails = "case $* in --wait*) echo 'Error: Connection activation failed' >&2; exit 4 ;; esac"
        for name in ("systemctl", "dnsmasq", "iw"):
            self.put(name)
        self.is_in(AT_HOME)

    def is_in(self, devices: str, *, then: str = "") -> None:
        in_english = '[ "$LC_ALL" = C.UTF-8 ] || exit 1'  # else it translates its words even for programs
        self.put("nmcli", devices, then=f"{in_english}\n{then}")
        self._known = len(self.calls)

    @property
    def told(self) -> list[str]:
        """What was changed since, not what was only asked."""
        asked = ("nmcli --terse", "iw ", "systemctl is-active")
        return [line for line in self.calls[self._known :] if not line.startswith(asked)]


@pytest.fixture
def computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Computer:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(hotspot, "GROUP", grp.getgrgid(os.getgid()).gr_name)
    for name in ("SETTINGS", "KEYFILE", "NAMES", "LAST_GUEST", "LOCK"):
        monkeypatch.setattr(hotspot, name, tmp_path / getattr(hotspot, name).relative_to("/"))
    return Computer(tmp_path, monkeypatch)


def say(*words: str) -> Result:
    return CliRunner().invoke(app, ["hotspot", *words])


def test_it_is_switched_on_and_phones_are_told_how_to_join(computer: Computer) -> None:
    done = say("on")
    assert done.exit_code == 0, done.output
    network = hotspot.known()
    assert network is not None
    assert f"1. Join the Wi-Fi Card launcher, password {network.password}" in done.stdout
    assert "2. Open http://10.42.0.1/" in done.stdout, "the page's socket is there, so nobody types a port"
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (hotspot.SETTINGS, hotspot.KEYFILE)}
    assert modes == {hotspot.SETTINGS: 0o640, hotspot.KEYFILE: 0o600}
    profile = configparser.ConfigParser(interpolation=None)
    profile.read(hotspot.KEYFILE)
    assert profile["connection"]["autoconnect"] == "false", "a power cut gives the old network back"
    assert profile["wifi"]["mode"] == "ap"
    assert (profile["ipv4"]["method"], profile["ipv4"]["address1"]) == ("shared", "10.42.0.1/24")
    assert computer.told == [
        f"nmcli connection load {hotspot.KEYFILE}",
        "systemctl enable --now dispenser-hotspot.timer",
        f"nmcli --wait 45 connection up id {PROFILE}",
    ], "and no password: everybody may see the command lines of others"
    assert say("on", "--name", "Table; 7").exit_code == 0
    assert hotspot.known() == hotspot.Network("Table; 7", network.password), "phones remember it"
    assert "\nssid=Table\\\\;\\s7\n" in hotspot.KEYFILE.read_text(), "as nmcli 1.42 --offline writes it"


def test_phones_that_ask_for_the_internet_are_led_to_the_launcher(computer: Computer) -> None:
    say("on")
    names = hotspot.NAMES.read_text().splitlines()
    assert [f"address=/{host}/10.42.0.1" for host in HOSTS if f"address=/{host}/10.42.0.1" not in names] == []
    assert "local=/captive.apple.com/" in names, "without it, questions for an IPv6 address are refused"
    assert not any("/#/" in line for line in names), "with a cable to the house, all else leads there"


@pytest.mark.parametrize(("failed", "exit_code"), [(0, 0), (1, 69)])
def test_off_takes_all_of_it_away_though_a_step_fails(computer: Computer, failed: int, exit_code: int) -> None:
    say("on")
    computer.is_in(OURS)
    computer.put("systemctl", code=failed)
    assert say("off").exit_code == exit_code
    assert computer.told == CLOSING
    assert not hotspot.KEYFILE.exists()
    assert not hotspot.NAMES.exists()
    assert hotspot.known(), "the password is the same the next time: phones remember it"


def test_without_guests_for_half_an_hour_the_old_network_comes_back(
    computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now_s)
    say("on")
    computer.is_in(OURS)
    for minutes, stations, told in [
        (0, "", []),
        (29, "", []),
        (31, "Station a4:c3:f0:11:22:33 (on wlan0)\n\tinactive time:\t8 ms\n", []),
        (60, "", []),
        (62, "", [f"nmcli connection down id {PROFILE}"]),
    ]:
        monkeypatch.setattr(time, "monotonic", lambda minutes=minutes: now_s + 60 * minutes)
        computer.put("iw", stations)
        assert say("tend").exit_code == 0
        assert computer.told == told, minutes
    computer.is_in(AT_HOME)
    say("tend")
    assert TIMER_OFF in computer.told


def test_after_a_power_cut_far_from_home_it_comes_up_again(computer: Computer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    say("on")
    computer.is_in(ALONE)
    say("tend")
    assert computer.told == [f"nmcli --wait 45 connection up id {PROFILE}"]
    computer.is_in("wifi:wlan0:connecting (getting IP configuration):house\n")
    say("tend")
    computer.is_in(OURS)
    say("tend")
    assert computer.told == []


def test_one_that_does_not_come_up_is_taken_away_again(computer: Computer) -> None:
    computer.is_in(AT_HOME, then=computer.up_fails)
    done = say("on")
    assert (done.exit_code, computer.told[-3:]) == (69, CLOSING)
    assert "Error: Connection activation failed" in done.stderr
    assert not hotspot.KEYFILE.exists()


def test_ctrl_c_gives_the_old_network_back_and_until_then_the_timer_waits(
    computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(program: str, *words: str, timeout_s: float) -> str:
        if "up" in words:
            with hotspot.LOCK.open() as lock, pytest.raises(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            raise KeyboardInterrupt
        return ask(program, *words, timeout_s=timeout_s)

    monkeypatch.setattr(hotspot, "ask", interrupted)
    assert say("on").exit_code == 130
    assert not hotspot.KEYFILE.exists()
    assert not hotspot.NAMES.exists()
    assert TIMER_OFF in computer.told


MISSING = [
    ("nmcli", "nmcli is missing, which belongs to network-manager"),
    ("dnsmasq", "'sudo apt install dnsmasq-base'"),
]


@pytest.mark.parametrize(("program", "words"), MISSING)
def test_without_what_it_needs_nothing_is_changed(
    computer: Computer, monkeypatch: pytest.MonkeyPatch, program: str, words: str
) -> None:
    monkeypatch.setenv("PATH", str(computer.folder))
    (computer.folder / program).unlink()
    done = say("on")
    assert (done.exit_code, computer.told) == (69, [])
    assert words in done.stderr


@pytest.mark.parametrize(
    ("devices", "remedy"),
    [("ethernet:eth0:connected:wired\n", "there is no Wi-Fi"), ("wifi:wlan0:unavailable:\n", "do_wifi_country")],
)
def test_without_a_wifi_it_says_what_to_do_and_changes_nothing(computer: Computer, devices: str, remedy: str) -> None:
    computer.is_in(devices)
    done = say("on")
    assert (done.exit_code, computer.told) == (69, [])
    assert remedy in done.stderr
