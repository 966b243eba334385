"""A whole installation, on a machine in a folder."""

from __future__ import annotations

import io
import itertools
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from dispenser.service.settings import load
from dispenser.system.install import actions
from dispenser.system.install.actions import NotRunningError, StartService
from dispenser.system.install.installer import INTERRUPTED
from dispenser.system.install.options import Options
from tests.system.install.machine import OPTIONS, SWITCHED_ON, Machine

LATER = Options(later=True)
"""As ``dispenser update`` has the new version install itself."""


def install(machine: Machine, version: str = "1.0", options: Options = OPTIONS) -> int:
    return machine.installer(version).install(options)


def remove(machine: Machine, *, purge: bool = False, yes: bool = True) -> int:
    return machine.installer().remove(purge=purge, yes=yes)


@pytest.fixture
def interrupt(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Ctrl-C in place of the action with that number, counted from 0."""

    def interrupted_at(number: int) -> None:
        left = itertools.count(number, -1)

        def interrupted(do: Callable[[object], None]) -> Callable[[object], None]:
            def action(self: object) -> None:
                if next(left) == 0:
                    raise KeyboardInterrupt
                do(self)

            return action

        for kind, do in originals.items():
            monkeypatch.setattr(kind, "do", interrupted(do))

    kinds = (actions.Run, actions.Write, actions.StartService)
    originals: dict[type, Callable[[object], None]] = {kind: kind.do for kind in kinds}
    return interrupted_at


def test_after_it_the_launcher_runs(machine: Machine) -> None:
    assert install(machine) == 0
    paths = machine.paths
    assert machine.runs() == "1.0"
    assert paths.command.resolve() == paths.versions.resolve() / "1.0-0/bin/dispenser"
    assert paths.manual.readlink() == paths.current / "share/man/man1/dispenser.1"
    settings = load(paths.settings)
    assert settings.pins.motor_enable is None
    assert settings.web.lan
    assert settings.web.token
    assert paths.settings.stat().st_mode & 0o777 == 0o640
    assert paths.language.read_text() == "[Service]\nEnvironment=LANG=C.UTF-8 LANGUAGE=fr\n"
    assert machine.boot.read_text().startswith(f"{SWITCHED_ON}\n[all]\n# Card launcher")
    assert any(call.startswith("systemctl enable --quiet dispenser") for call in machine.calls())
    assert "usermod -a -G dispenser ada" in machine.calls()
    for file in ("systemd/system/dispenser.service", "sysusers.d/dispenser.conf", "tmpfiles.d/dispenser.conf"):
        assert (paths.root / "etc" / file).is_file()
    assert [rule.name for rule in (paths.root / "etc/udev/rules.d").iterdir()] == ["60-dispenser-gpio.rules"]
    assert machine.calls()[-3:] == ["dispenser doctor", "dispenser address", "dispenser owner --wait 60"]
    assert not paths.cache.exists()
    assert not paths.unfinished.exists()
    (pip,) = [call for call in machine.calls() if call.startswith("python -m pip install")]
    assert f"-c {Path(__file__).parents[3] / 'requirements.lock'}" in pip
    assert pip.endswith(f" {paths.cache}/source[pi]")


def test_the_debian_package_brings_all_packages_and_needs_no_network(machine: Machine, tmp_path: Path) -> None:
    (machine.programs / "dnsmasq").unlink()
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    (wheels / "lgpio-0.2.2.0-cp311-cp311-linux_aarch64.whl").touch()
    assert machine.installer(wheels=wheels).install(OPTIONS) == 0
    assert not [call for call in machine.calls() if call.startswith("apt-get")]
    (pip,) = [call for call in machine.calls() if call.startswith("python -m pip install")]
    assert pip.endswith(f"--no-index --find-links {wheels} card-dispenser[pi]")


def test_a_package_asks_nothing_and_starts_nothing_without_settings(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert install(machine, options=LATER) == 0
    assert machine.runs() == ""
    assert machine.paths.command.exists()
    assert "sudo dispenser install" in capsys.readouterr().out
    assert install(machine) == 0
    assert machine.runs() == "1.0"


def test_without_a_wheel_of_lgpio_it_is_debians(machine: Machine) -> None:
    machine.python('[[3, 13], "aarch64-linux-gnu", false, false]')
    assert install(machine) == 0
    assert any(call.endswith("--no-install-recommends python3-venv python3-lgpio") for call in machine.calls())
    assert any("--system-site-packages" in call for call in machine.calls())
    assert not any("[pi]" in call for call in machine.calls())


def test_what_a_wifi_of_its_own_and_its_name_need_comes_with_it_and_holds_nothing_up(machine: Machine) -> None:
    for name in ("dnsmasq", "avahi-daemon"):
        (machine.programs / name).unlink()
    machine.kills("apt-get")  # no network
    assert install(machine) == 0
    assert any(call.endswith("--no-install-recommends dnsmasq-base avahi-daemon") for call in machine.calls())
    assert machine.runs() == "1.0"


def test_once_more_changes_nothing_and_disturbs_nobody(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    install(machine)
    before, calls = machine.state(), len(machine.calls())
    assert install(machine, options=replace(OPTIONS, board="arduino-uno")) == 0
    assert machine.state() == before
    assert "exist and stay" in capsys.readouterr().out
    assert not [call for call in machine.calls()[calls:] if "restart" in call or "pip " in call or "apt-get" in call]


def test_a_dry_run_shows_each_step_and_does_none(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    before = machine.state()
    assert machine.installer(dry_run=True).install(OPTIONS) == 0
    assert machine.state() == before
    shown = capsys.readouterr().out
    for line in ("== The settings", "systemctl enable --quiet dispenser", "dtparam=strict_gpiod", "token = "):
        assert line in shown


def test_interrupted_before_an_action_and_run_again_it_ends_the_same(
    machine: Machine, interrupt: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before every fifth of them."""
    install(machine)
    whole = machine.state()
    for number in itertools.count(0, 5):
        remove(machine, purge=True)
        interrupt(number)
        if install(machine) != INTERRUPTED:
            break
        interrupt(-1)
        assert install(machine) == 0
        assert machine.state() == whole, f"interrupted before action {number}"
        assert machine.runs() == "1.0"
    assert number > 20


def test_a_program_that_fails_is_told(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    machine.kills("systemd-tmpfiles")
    assert install(machine) == 1
    error = capsys.readouterr().err
    assert "'systemd-tmpfiles --create " in error
    assert "failed:\nkilled\nFix that, and run the same command again" in error


def test_a_launcher_that_does_not_start_is_told_and_looked_over(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.broken("1.0")
    assert install(machine) == 1
    assert "does not start" in capsys.readouterr().err
    assert "dispenser doctor" in machine.calls()[-3:]
    machine.broken()
    assert install(machine) == 0
    assert machine.runs() == "1.0"
    assert not machine.paths.unfinished.exists()


def test_a_launcher_that_is_never_ready_keeps_nobody_waiting_for_ever_and_says_why(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actions, "START_TIMEOUT_S", "0.2")
    script = "#!/bin/sh\n[ $1 != restart ] || exec sleep 600\necho The disk is full.\n"
    (machine.programs / "systemctl").write_text(script)
    with pytest.raises(NotRunningError, match="The disk is full"):
        StartService().do()


def test_an_update_stands_beside_the_old_version_and_two_stay(machine: Machine) -> None:
    install(machine)
    for version, kept in (("2.0", ["1.0", "2.0"]), ("3.0", ["2.0", "3.0"])):
        assert install(machine, version, LATER) == 0
        assert machine.runs() == version
        assert machine.versions() == kept
    assert machine.calls().count("dispenser owner --wait 60") == 1


def test_an_update_that_does_not_come_up_goes_back(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    install(machine)
    machine.broken("2.0")
    assert install(machine, "2.0", LATER) == 1
    assert "1.0-0 runs again, as before" in capsys.readouterr().err
    assert machine.runs() == "1.0"
    unit = machine.paths.root / "etc/systemd/system/dispenser.service"
    assert unit.read_text().endswith("# of 1.0-0\n")
    assert not machine.paths.unfinished.exists()
    assert install(machine, "3.0", LATER) == 0
    assert machine.runs() == "3.0"


def test_an_interrupted_update_still_knows_the_way_back(machine: Machine, interrupt: Callable[[int], None]) -> None:
    install(machine)
    machine.broken("2.0")
    for number in itertools.count():
        interrupt(number)
        interrupted = install(machine, "2.0", LATER)
        interrupt(-1)
        if interrupted == INTERRUPTED:
            assert install(machine, "2.0", LATER) == 1, number
        assert machine.runs() == "1.0", f"interrupted before action {number}"
        assert machine.paths.current.readlink().name == "1.0-0"
        if interrupted != INTERRUPTED:
            break
    assert number > 5


def test_another_version_installs_itself(machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda _program, words: started.append(words))
    script = tmp_path / "new/systemd/install"
    script.parent.mkdir(parents=True)
    script.touch()
    install(machine)
    machine.installer(dry_run=True).update(tmp_path / "new")
    assert started == [["sh", str(script), "--later", "--dry-run"]]


def test_removed_it_leaves_settings_and_journal(machine: Machine) -> None:
    before = machine.files()
    install(machine)
    machine.paths.state.mkdir(parents=True)
    (machine.paths.state / "dispenser.sqlite3").write_text("evenings")
    assert remove(machine) == 0
    left = set(machine.files()) - set(before)
    assert left == {"etc/dispenser/dispenser.toml", "var/lib/dispenser/dispenser.sqlite3"}
    assert machine.boot.read_text() == SWITCHED_ON
    assert not machine.runs()
    calls = machine.calls()
    after = calls[calls.index("dispenser hotspot off") + 1]
    assert after.startswith("systemctl disable --now --quiet dispenser-hotspot.")


def test_purged_it_leaves_nothing(machine: Machine) -> None:
    before = machine.files()
    install(machine)
    machine.paths.state.mkdir(parents=True)
    assert remove(machine, purge=True, yes=False) == 2, "nobody was asked"
    assert remove(machine, purge=True) == 0
    assert machine.files() == before
    assert "userdel dispenser" in machine.calls()


def test_what_dpkg_has_brought_it_takes_away(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (machine.paths.root / "usr/lib/card-dispenser").mkdir(parents=True)
    assert remove(machine) == 1
    assert "sudo apt remove card-dispenser" in capsys.readouterr().err
    monkeypatch.setenv("DPKG_MAINTSCRIPT_NAME", "prerm")
    assert remove(machine) == 0


class Typed(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_at_a_terminal_it_asks(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", Typed("2\n9\n2\nn\no\n"))
    assert install(machine, options=Options()) == 0
    said = capsys.readouterr().out
    assert "2  français" in said
    settings = load(machine.paths.settings)
    assert settings.pins.motor_enable is None
    assert not settings.web.is_open
    assert "LANGUAGE=fr" in machine.paths.language.read_text()
    assert "strict_gpiod" in machine.boot.read_text()


def test_without_a_terminal_it_names_the_options(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    assert install(machine, options=Options()) == 2
    error = capsys.readouterr().err
    for option in ("--language en|fr", "--board raspberry-pi-h-bridge|", "--[no-]phones", "--[no-]config-txt"):
        assert option in error
