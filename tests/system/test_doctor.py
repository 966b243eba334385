"""``dispenser doctor``: every finding, and that it never moves anything."""

from __future__ import annotations

import json
import os
import pwd
import sqlite3
import sys
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from dispenser.cli import app
from dispenser.client import LauncherClient, UnreachableError
from dispenser.drivers.base import PinsUnavailableError
from dispenser.drivers.gpio import boot_config
from dispenser.i18n import Text
from dispenser.journal import Journal
from dispenser.simulator import SimulatorFactory
from dispenser.simulator.pins import SimulatorPin
from dispenser.system import doctor as host
from dispenser.system.doctor import Finding, Status, check_launcher, check_unit
from tests.system.programs import Programs

PI = "Raspberry Pi 4 Model B Rev 1.4"
LID, BUTTON, EXIT = 27, 17, 22
ACTIVE = {"LoadState": "loaded", "ActiveState": "active", "SubState": "running", "UnitFileState": "enabled"}


class WatchedPin(SimulatorPin):
    """Notes what it is made to do."""

    done: list[tuple[str, str, object]]

    def _set_function(self, value: str) -> None:
        self.done.append((self.info.name, "function", value))
        super()._set_function(value)

    def _set_state(self, value: float) -> None:
        self.done.append((self.info.name, "state", value))
        super()._set_state(value)


@pytest.fixture
def factory(monkeypatch: pytest.MonkeyPatch) -> SimulatorFactory:
    monkeypatch.setattr(WatchedPin, "done", [], raising=False)
    factory = SimulatorFactory()
    factory.pin_class = WatchedPin
    factory.pin(LID).drive(False)  # shut
    WatchedPin.done.clear()
    return factory


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "dispenser.toml"
    path.write_text(f'[journal]\npath = "{tmp_path / "journal.sqlite3"}"\n')
    return path


def answering(**changes: Any) -> dict[str, Any]:
    return {"seq": 1, "state": "ready", "detail": "", "simulated": False} | changes


NOBODY = UnreachableError(Text("nothing answers at {url} ({why})").filled(url="http://127.0.0.1:8112", why="refused"))


def look(config: Path | None, factory: SimulatorFactory | None = None, **changes: Any) -> dict[str, Finding]:
    """What the doctor finds on a Pi that is not this machine.

    :param answer: what the page answers.
    :param unit: what systemd knows of our unit.
    """

    def no_pins() -> Any:
        raise PinsUnavailableError(Text("no GPIO here")) from ImportError("No module named 'lgpio'")

    pins: dict[str, Any] = {
        "pi_model": lambda: PI,
        "outputs_persist": lambda: False,
        "open_pin_factory": no_pins if factory is None else lambda: factory,
    }
    pins |= {name: changes.pop(name) for name in pins if name in changes}
    answer = changes.pop("answer", NOBODY)
    unit = changes.pop("unit", ACTIVE | {"ActiveState": "inactive", "SubState": "dead"})
    assert not changes
    with pytest.MonkeyPatch.context() as patch:
        for name, made_up in pins.items():
            module = "factory" if name == "open_pin_factory" else "kind"
            patch.setattr(f"dispenser.drivers.gpio.{module}.{name}", made_up)
        patch.setattr(host, "unit_properties", lambda: unit)
        patch.setattr(LauncherClient, "snapshot", lambda _: _answered(answer))
        return {finding.check: finding for finding in (*check_launcher(config), *check_unit(unit))}


def _answered(answer: dict[str, Any] | Exception) -> dict[str, Any]:
    if isinstance(answer, Exception):
        raise answer
    return answer


# --- a healthy Pi ---


def test_a_healthy_launcher_that_is_not_running(config: Path, factory: SimulatorFactory) -> None:
    found = look(config, factory)
    assert list(found) == [
        "settings",
        "packages",
        "pins",
        "crash",
        "lid",
        "button",
        "exit",
        "disk",
        "journal",
        "page",
        "systemd",
    ]
    assert {check for check, finding in found.items() if finding.status is not Status.GOOD} == {
        "journal",  # none yet
        "page",  # nobody runs
        "systemd",  # not started
    }
    assert not any(finding.status is Status.WRONG for finding in found.values())


def test_no_output_is_ever_driven_and_every_pin_is_let_go(config: Path, factory: SimulatorFactory) -> None:
    look(config, factory)
    done = WatchedPin.done
    assert {pin for pin, what, _ in done if what == "function"} == {"GPIO17", "GPIO27", "GPIO22"}
    assert {value for _, what, value in done if what == "function"} == {"input"}
    assert not [each for each in done if each[1] == "state"]
    assert not any(factory._reservations.values())


@pytest.mark.parametrize(
    ("persist", "words"),
    [(True, "keeps its level when its program dies"), (None, "keeps its level when its program dies, for all we know")],
)
def test_a_kernel_that_keeps_outputs_after_a_crash(
    config: Path, factory: SimulatorFactory, persist: bool | None, words: str
) -> None:
    found = look(config, factory, outputs_persist=lambda: persist)["crash"]
    assert found.status is Status.NOTE
    assert found.text == f"an output {words}"
    assert "dtparam=strict_gpiod" in found.remedy


@pytest.mark.parametrize(
    ("gpio", "high", "check", "words"),
    [
        (LID, False, "lid", "shut (GPIO27)"),
        (LID, True, "lid", "open: nothing can move (GPIO27)"),
        (BUTTON, True, "button", "up (GPIO17)"),
        (BUTTON, False, "button", "down (GPIO17)"),
        (EXIT, False, "exit", "clear (GPIO22)"),
        (EXIT, True, "exit", "something blocks the exit sensor (GPIO22)"),
    ],
)
def test_levels_are_told_as_the_driver_sees_them(
    config: Path, factory: SimulatorFactory, gpio: int, high: bool, check: str, words: str
) -> None:
    factory.pin(gpio).drive(high)
    found = look(config, factory)[check]
    assert found.text == words
    assert (found.status is Status.GOOD) == (found.remedy == "")


def test_levels_follow_the_settings(config: Path, factory: SimulatorFactory) -> None:
    config.write_text(
        config.read_text()
        + '[pins]\nexit = "none"\nlid = 5\nlid_active_high = true\nbutton = 6\nbutton_active_high = true\n'
    )
    factory.pin(5).drive(True)
    factory.pin(6).drive(True)
    found = look(config, factory)
    assert found["lid"].text == "shut (GPIO5)"
    assert found["button"].text == "down (GPIO6)"
    assert found["exit"].text == "no exit sensor: cards are not counted"


# --- pins that cannot be had ---


def test_a_laptop_is_told_of_the_demo_and_nothing_is_wrong(config: Path) -> None:
    found = look(config, pi_model=lambda: None, unit=None)
    assert (found["pins"].status, found["pins"].text, found["pins"].remedy) == (
        Status.NOTE,
        "no pins here: this is no Raspberry Pi",
        "'dispenser demo' gives a simulated launcher",
    )
    assert not any(finding.status is Status.WRONG for finding in found.values())


def test_a_pi_without_the_module(config: Path) -> None:
    found = look(config)
    assert found["packages"].status is Status.WRONG
    assert found["packages"].text == f"{PI}: no GPIO here"
    assert "pins" not in found


def test_a_pin_that_another_program_holds(
    config: Path, factory: SimulatorFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    class error(Exception):  # noqa: N801, N818 - as bare as lgpio's own
        pass

    def busy(name: object) -> Any:
        raise error("GPIO busy")

    monkeypatch.setitem(sys.modules, "lgpio", SimpleNamespace(error=error))
    monkeypatch.setattr(factory, "pin", busy)
    found = look(config, factory)["levels"]
    assert found.status is Status.WRONG
    assert "error: GPIO busy" in found.text
    assert "end the other program" in found.remedy
    boot = config.parent / "config.txt"
    boot.write_text("dtoverlay=gpio-ir,gpio_pin=27\n")
    monkeypatch.setattr(boot_config, "FILES", (boot,))
    both = look(config, factory)
    assert f"GPIO27 (lid) is taken by gpio-ir, line 1 of {boot}" in both["levels"].remedy
    assert (both["pins"].status, both["pins"].text) == (Status.NOTE, both["levels"].remedy)


@pytest.mark.parametrize("sign", ["unit", "page", "journal"])
def test_pins_of_a_running_launcher_are_left_alone(config: Path, factory: SimulatorFactory, sign: str) -> None:
    changes: dict[str, Any] = {}
    journal = None
    if sign == "unit":
        changes["unit"] = ACTIVE
    elif sign == "page":
        changes["answer"] = answering()
    else:
        journal = Journal.open(config.parent / "journal.sqlite3")
    found = look(config, factory, **changes)
    if journal is not None:
        journal.close()
    assert found["levels"].status is Status.NOTE
    assert "a launcher runs on these pins" in found["levels"].text
    assert {pin for pin, _, _ in WatchedPin.done} <= {"GPIO27"}, "which this test has made and the factory let go"


def test_a_launcher_that_is_a_phone_is_no_fault_until_one_is_it(config: Path) -> None:
    config.write_text(f'{config.read_text()}[driver]\nkind = "phone"\n')
    detail = "There is no launcher here. At the table, a phone can be it: menu, 'This phone is the launcher'."
    page = look(config, answer=answering(state="fault", detail=detail))["page"]
    assert (page.status, page.remedy) == (Status.NOTE, detail)
    assert page.text.endswith(": it answers, and no phone is the launcher yet")
    page = look(config, answer=answering(state="fault", detail="the motor's pin is gone"))["page"]
    assert page.status is Status.WRONG, "another launcher runs there, and that one is broken"


# --- settings, Python ---


def test_wrong_settings_are_told_and_the_rest_waits(config: Path, factory: SimulatorFactory) -> None:
    config.write_text("[pins]\nlid = 17\n")
    found = look(config, factory)
    assert list(found) == ["settings", "systemd"]
    assert found["settings"].status is Status.WRONG
    assert "lid = 17: already used by button" in found["settings"].text
    assert WatchedPin.done == []


# --- disk and journal ---


@pytest.mark.parametrize(
    ("free", "status", "words"),
    [
        (1 << 19, Status.WRONG, "the disk is full"),
        (50 << 20, Status.NOTE, "only 50 MB free"),
        (2 << 30, Status.GOOD, "2,048 MB free"),
    ],
)
def test_room_on_the_disk(config: Path, monkeypatch: pytest.MonkeyPatch, free: int, status: Status, words: str) -> None:
    import shutil

    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    found = look(config)["disk"]
    assert found.status is status
    assert words in found.text


def test_a_folder_that_may_not_be_written(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)  # root may write anywhere, so it is only said
    found = look(config)["disk"]
    assert found.status is Status.WRONG
    assert "may not write" in found.text
    assert "'sudo dispenser doctor'" in found.remedy


def test_a_journal_that_may_be_read_and_not_written(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.sqlite3"
    with Journal.open(path) as journal:
        journal.append("test", [("test.record", {})])
    access = os.access  # root may write anywhere
    monkeypatch.setattr("os.access", lambda file, how: access(file, how) and (file != path or how != os.W_OK))
    found = look(config)["journal"]
    assert found.status is Status.WRONG
    assert f"{path}: the journal cannot be written" in found.text


def test_a_journal_that_was_altered(config: Path, tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    journal = Journal.open(path)
    journal.append("test", [("test.record", {"cards": number}) for number in range(5)])
    journal.close()
    with sqlite3.connect(path) as db:
        db.execute("UPDATE records SET data = '{\"cards\":9}' WHERE seq = 3")
    db.close()
    found = look(config)["journal"]
    assert found.status is Status.WRONG
    assert "record 3 is missing or was altered" in found.text


# --- the service ---


@pytest.mark.parametrize(
    ("state", "said", "detail", "status"),
    [
        ("ready", "ready", "", Status.GOOD),
        ("jammed", "jam", "Take the card out.", Status.NOTE),
        ("fault", "broken", "The pins do not answer.", Status.WRONG),
    ],
)
def test_what_the_running_launcher_says(config: Path, state: str, said: str, detail: str, status: Status) -> None:
    found = look(config, answer=answering(state=state, detail=detail))["page"]
    assert (found.status, found.remedy) == (status, detail)
    assert found.text == f"http://127.0.0.1:8112: the launcher answers: {said}"


def test_a_launcher_runs_but_its_page_is_silent(config: Path, tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "journal.sqlite3")
    found = look(config)["page"]
    journal.close()
    assert found.status is Status.WRONG
    assert "a launcher runs, but no page answers" in found.text
    assert look(config)["page"].status is Status.NOTE, "the journal was closed, so nobody runs"


@pytest.mark.parametrize(
    ("unit", "status", "words"),
    [
        (None, Status.NOTE, "does not run here"),
        ({"LoadState": "not-found", "ActiveState": "inactive"}, Status.NOTE, "is not installed"),
        ({"LoadState": "bad-setting", "ActiveState": "inactive"}, Status.WRONG, "bad-setting"),
        (ACTIVE, Status.GOOD, "dispenser.service is active (running), enabled"),
        (ACTIVE | {"ActiveState": "inactive", "SubState": "dead"}, Status.NOTE, "inactive (dead)"),
        (
            ACTIVE | {"ActiveState": "failed", "SubState": "failed", "Result": "exit-code", "ExecMainStatus": "78"},
            Status.WRONG,
            "because of exit-code (exit code 78)",
        ),
        (
            ACTIVE | {"ActiveState": "activating", "SubState": "auto-restart", "Result": "watchdog"},
            Status.WRONG,
            "because of watchdog",
        ),
    ],
)
def test_what_systemd_says(config: Path, unit: Mapping[str, str] | None, status: Status, words: str) -> None:
    found = look(config, unit=unit)["systemd"]
    assert found.status is status
    assert words in found.text


# --- this machine, and the command ---


@pytest.fixture
def command(config: Path) -> list[str]:
    config.write_text(f"{config.read_text()}[web]\nenabled = false\n")
    return ["--config", str(config)]


def test_the_command_prints_a_line_for_each_finding(command: list[str]) -> None:
    done = CliRunner().invoke(app, ["doctor", *command], env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0].split()[:2] == ["✓", "settings"]
    assert lines[-1] == "No errors; look at the lines with –."
    assert all(line[0] in "✓– " for line in lines[:-1])


def test_the_command_as_json(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite3").write_bytes(b"my diary" * 200)
    done = CliRunner().invoke(app, ["doctor", *command, "--json"])
    answer = json.loads(done.stdout)
    assert (done.exit_code, answer["wrong"]) == (1, 1)
    assert {key for finding in answer["findings"] for key in finding} == {
        *("check", "status", "text", "remedy", "command")
    }
    assert [finding["check"] for finding in answer["findings"] if finding["status"] == "wrong"] == ["journal"]


# --- as the service's user, and mending ---


@pytest.mark.parametrize("root", [True, False])
def test_root_looks_with_the_rights_of_the_services_user(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: bool
) -> None:
    system = Programs(tmp_path, monkeypatch)
    system.put("systemctl", "LoadState=loaded\nUser=nobody\n")
    nobody = pwd.getpwnam("nobody")
    changes: list[object] = []
    monkeypatch.setattr("os.geteuid", lambda: 0 if root else 1000)
    monkeypatch.setattr("os.getgroups", lambda: [0, 4])
    for name in ("setgroups", "setresgid", "setresuid"):
        monkeypatch.setattr(f"os.{name}", lambda *given: changes.append(given))
    monkeypatch.setattr(host, "writer_of", lambda _: changes.append("checks"))
    monkeypatch.setenv("DISPENSER_CONFIG", command[1])
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    first = json.loads(CliRunner().invoke(app, ["doctor", "--json"]).stdout)["findings"][0]
    uid, gid = nobody.pw_uid, nobody.pw_gid
    rights = [([gid],), (gid, gid, 0), (uid, uid, 0), "checks", (0, 0, 0), (0, 0, 0), ([0, 4],)]
    assert changes == (rights if root else ["checks"])
    assert first["text"].startswith("as user nobody, as the service does" if root else "as user ")
    assert ("'sudo dispenser doctor'" in first["remedy"]) is not root


@pytest.fixture
def clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    """A clock that nothing sets until the doctor's command has been run."""
    system = Programs(tmp_path, monkeypatch)
    system.put("timedatectl", then=f'[ "$1" = set-ntp ] && touch {tmp_path}/set && exit', answer="NTP=no\n")
    return system


@pytest.mark.parametrize(
    ("options", "typed", "runs"),
    [([], "y\n", 0), (["--fix"], "y\n" * 9, 1), (["--fix"], "n\n" * 9, 0), (["--fix", "--yes"], "", 1)],
)
def test_a_command_that_mends_is_run_after_a_yes_only(
    command: list[str], clock: Programs, tmp_path: Path, options: list[str], typed: str, runs: int
) -> None:
    done = CliRunner().invoke(app, ["doctor", *command, *options], input=typed, env={"COLUMNS": "200"})
    assert "$ timedatectl set-ntp true" in done.stdout
    assert clock.calls.count("timedatectl set-ntp true") == runs
    assert done.stdout.count("✓ settings") == 1 + runs, "after mending it looks again"
