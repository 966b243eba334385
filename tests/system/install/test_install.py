"""A whole installation, on a machine in a folder."""

from __future__ import annotations

import io
import itertools
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from dispenser.service.settings import load
from dispenser.system.install.__main__ import parser
from dispenser.system.install.dialogue import INTERRUPTED, words_of
from dispenser.system.install.place import WIFI_AWAKE, WIFI_AWAKE_TEXT
from dispenser.system.install.starting import NotRunningError, Start
from dispenser.system.install.steps import APT_RETRY_S, Step
from dispenser.system.install.wishes import Wishes
from tests.system.install.machine import SWITCHED_ON, WISHES, Machine


def install(machine: Machine, content: str = "1.0", wishes: Wishes = WISHES) -> int:
    return machine.dialogue().install(replace(wishes, wheel=machine.wheel(content)))


def update(machine: Machine, content: str) -> int:
    return machine.dialogue().update(Wishes(), machine.wheel(content))


class Interruption:
    """Ctrl-C before the step of that number, counted from 0."""

    def __init__(self, number: int) -> None:
        self._left = number

    def __call__(self, _step: Step) -> None:
        if self._left == 0:
            raise KeyboardInterrupt
        self._left -= 1


def test_after_it_the_launcher_runs(machine: Machine) -> None:
    assert install(machine) == 0
    place = machine.place
    assert machine.runs() == "1.0"
    assert place.command.resolve() == place.versions.resolve() / place.current.readlink().name / "bin/dispenser"
    assert place.manual.readlink() == place.current / "share/man/man1/dispenser.1"
    settings = load(place.settings)
    assert settings.pins.motor_enable is None
    assert settings.web.lan
    assert place.settings.stat().st_mode & 0o777 == 0o640
    assert settings.web.token
    assert place.language.read_text() == "[Service]\nEnvironment=LANG=C.UTF-8 LANGUAGE=fr\n"
    assert machine.boot.read_text().startswith(f"{SWITCHED_ON}\n[all]\n# Card launcher")
    assert any(call.startswith("systemctl enable --quiet dispenser") for call in machine.calls())
    assert "usermod -a -G dispenser ada" in machine.calls()
    for file in ("systemd/system/dispenser.service", "sysusers.d/dispenser.conf", "tmpfiles.d/dispenser.conf"):
        assert (place.root / "etc" / file).is_file()
    assert [rule.name for rule in (place.root / "etc/udev/rules.d").iterdir()] == ["60-dispenser-gpio.rules"]
    assert machine.calls()[-3:] == ["dispenser doctor", "dispenser address", "dispenser owner --wait 60"]
    assert not place.cache.exists()
    assert not place.unfinished.exists()


@pytest.mark.parametrize(
    "wishes", [replace(WISHES, phones=False), replace(WISHES, later=True)], ids=["no phones", "nobody there"]
)
def test_the_owners_phone_is_for_a_house_that_lets_phones_in_and_for_who_sits_there(
    machine: Machine, wishes: Wishes
) -> None:
    assert install(machine, wishes=wishes) == 0
    assert machine.calls()[-1] == "dispenser address"


def test_an_update_shows_no_code(machine: Machine) -> None:
    install(machine)
    assert update(machine, "1.1") == 0
    assert machine.calls().count("dispenser owner --wait 60") == 1


def test_without_a_code_it_says_how_to_have_one_later(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    machine.kills("dispenser owner --wait 60")
    assert install(machine) == 0
    assert "Later, this shows the code for the owner's phone: sudo dispenser owner\n" in capsys.readouterr().out


def test_packages_are_those_of_the_lock_file(machine: Machine) -> None:
    install(machine)
    (pip,) = [call for call in machine.calls() if " install " in call and call.startswith("python -m pip")]
    assert "-c " in pip
    assert "requirements.lock" in pip
    assert pip.endswith("1.0-py3-none-any.whl[pi]")


def test_a_version_counts_as_whole_when_it_is_on_the_disk(machine: Machine) -> None:
    machine.kills("sync -f")
    assert install(machine) == 1
    assert not list(machine.place.versions.glob("*/complete"))


def test_what_an_earlier_guide_has_put_there_makes_room(machine: Machine) -> None:
    home = machine.place.home
    (home / "bin").mkdir(parents=True)
    (home / "bin/dispenser").touch()
    (home / "pyvenv.cfg").touch()
    assert install(machine) == 0
    assert sorted(path.name for path in home.iterdir()) == ["bin", "current", "versions"]
    assert machine.runs() == "1.0"


@pytest.mark.parametrize(
    "name", ["foo.whl", "card_dispenser.whl", "card_dispenser-1.0.whl", "foo-1.0-py3-none-any.whl"]
)
def test_a_wheel_that_was_given_another_name_is_refused_before_anything_is_done(
    machine: Machine, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    wheel = machine.wheel("1.0")
    assert machine.dialogue().install(replace(WISHES, wheel=wheel.rename(wheel.with_name(name)))) == 1
    assert f"{name}: give the wheel the name that it was built with" in capsys.readouterr().err
    assert not machine.runs()
    assert not machine.place.settings.exists()


def test_without_a_wheel_of_lgpio_it_is_debians(machine: Machine) -> None:
    machine.python("[[3, 13], true, false, false]")
    assert install(machine) == 0
    assert "apt-get install -y -qq --no-install-recommends python3-venv python3-lgpio" in machine.calls()
    assert any("--system-site-packages" in call for call in machine.calls())
    assert not any("[pi]" in call for call in machine.calls())


def test_a_microcontroller_has_a_rule_of_its_own(machine: Machine) -> None:
    install(machine, wishes=replace(WISHES, board="arduino-uno"))
    assert (machine.place.root / "etc/udev/rules.d/61-dispenser-serial.rules").is_file()


def test_once_more_changes_nothing_and_disturbs_nobody(machine: Machine) -> None:
    install(machine)
    before, calls = machine.state(), len(machine.calls())
    assert install(machine) == 0
    assert machine.state() == before
    assert not [call for call in machine.calls()[calls:] if "restart" in call or "pip " in call or "apt-get" in call]


def test_a_rehearsal_shows_each_step_and_does_none(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    before = machine.state()
    assert install(machine, wishes=replace(WISHES, dry_run=True)) == 0
    assert machine.state() == before
    shown = capsys.readouterr().out
    for line in (
        "systemctl enable --quiet dispenser",
        "dtparam=strict_gpiod",
        'token = "…"',
        "bin/dispenser owner --wait 60\n",
    ):
        assert line in shown


def test_interrupted_before_a_step_and_run_again_it_ends_the_same(machine: Machine, tmp_path: Path) -> None:
    """Before every fourth of them."""
    install(machine)
    whole = machine.state()
    for number in itertools.count(0, 4):
        machine.dialogue().remove(purge=True, yes=True, dry_run=False, by_package=False)
        wishes = replace(WISHES, wheel=machine.wheel("1.0"))
        if machine.dialogue(Interruption(number)).install(wishes) != INTERRUPTED:
            break
        assert install(machine) == 0
        assert machine.state() == whole, f"interrupted before step {number}"
        assert machine.runs() == "1.0"
    assert number > 25


def test_a_program_that_is_killed_and_run_again_ends_the_same(machine: Machine) -> None:
    install(machine)
    whole = machine.state()
    machine.dialogue().remove(purge=True, yes=True, dry_run=False, by_package=False)
    for words in ("-m venv --clear", "--without-pip", "pip --python", "tmpfiles", "daemon-reload", "systemctl restart"):
        machine.kills(words)
        assert install(machine) == 1, words
    machine.kills("")
    assert install(machine) == 0
    assert machine.state() == whole


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
    assert not machine.place.unfinished.exists()


def test_what_a_wifi_of_its_own_and_its_name_need_comes_with_it_and_holds_nothing_up(machine: Machine) -> None:
    for name in ("dnsmasq", "avahi-daemon"):
        (machine.programs / name).unlink()
    machine.kills("apt-get")  # no network
    assert install(machine) == 0
    assert "apt-get install -y -qq --no-install-recommends dnsmasq-base avahi-daemon" in machine.calls()
    assert machine.runs() == "1.0"


def test_it_waits_for_whoever_has_apt_and_says_who(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    machine.python("[[3, 11], true, false, false]")  # no ensurepip
    machine.lock_apt(3)
    assert install(machine) == 0
    assert waits[:3] == [APT_RETRY_S] * 3
    out = capsys.readouterr().out
    assert out.count("held by process 812 (unattended-upgr)") == 1
    assert machine.runs() == "1.0"


def test_without_a_network_nothing_is_asked_of_apt(machine: Machine) -> None:
    (machine.programs / "dnsmasq").unlink()
    wheels = machine.wheel("1.0").parent
    (wheels / "lgpio-0.2.2.0-cp311-cp311-linux_aarch64.whl").touch()
    machine.dialogue().install(replace(WISHES, wheels=wheels))
    assert not [call for call in machine.calls() if call.startswith("apt-get")]


def test_where_networkmanager_is_not_it_is_not_brought(machine: Machine) -> None:
    for name in ("nmcli", "iw", "dnsmasq", "avahi-daemon"):
        (machine.programs / name).unlink()
    assert install(machine, wishes=replace(WISHES, phones=False)) == 0
    assert not [call for call in machine.calls() if call.startswith("apt-get")]


# --- update ---


def test_an_update_stands_beside_the_old_version_and_two_stay(machine: Machine) -> None:
    install(machine)
    for content, kept in (("2.0", ["1.0", "2.0"]), ("3.0", ["2.0", "3.0"])):
        assert update(machine, content) == 0
        assert machine.runs() == content
        assert machine.versions() == kept


def test_an_update_that_does_not_come_up_goes_back(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    install(machine)
    machine.broken("2.0")
    assert update(machine, "2.0") == 1
    assert "runs again, as before" in capsys.readouterr().err
    assert machine.runs() == "1.0"
    assert machine.place.current.readlink().name.startswith("1.0-")
    unit = machine.place.root / "etc/systemd/system/dispenser.service"
    assert unit.read_text() == "# the unit of 1.0\n"
    assert not machine.place.unfinished.exists()
    assert not machine.place.cache.exists()
    assert update(machine, "3.0") == 0
    assert machine.runs() == "3.0"


def test_a_launcher_that_is_never_ready_keeps_nobody_waiting_for_ever_and_says_why(machine: Machine) -> None:
    (machine.programs / "systemctl").write_text(
        "#!/bin/sh\n[ $1 != restart ] || exec sleep 600\necho StatusText=The disk is full.\n"
    )
    with pytest.raises(NotRunningError, match="The disk is full"):
        Start(machine.place, settle_s=0, patience_s=0.2).do()


def test_an_interrupted_update_still_knows_the_way_back(machine: Machine) -> None:
    install(machine)
    machine.broken("2.0")
    for number in itertools.count():
        interrupted = machine.dialogue(Interruption(number)).update(Wishes(), machine.wheel("2.0"))
        if interrupted == INTERRUPTED:
            assert update(machine, "2.0") == 1, number
        assert machine.runs() == "1.0", f"interrupted before step {number}"
        assert machine.place.current.readlink().name.startswith("1.0-")
        if interrupted != INTERRUPTED:
            break
    assert number > 5


def test_the_way_back_is_known_after_the_same_version_was_interrupted(machine: Machine) -> None:
    install(machine)
    (machine.log / "runs").unlink()
    machine.kills("systemctl restart")
    assert install(machine) == 1
    machine.kills("")
    machine.broken("2.0")
    assert update(machine, "2.0") == 1
    assert machine.runs() == "1.0"


def test_another_version_installs_itself_with_its_own_units(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    install(machine)
    wheel = machine.wheel("2.0")
    with zipfile.ZipFile(wheel, "a") as packed:
        packed.writestr("card_dispenser-2.0.data/data/share/card-dispenser/systemd/dispenser.service", "[Unit]\n")
    capsys.readouterr()
    assert machine.dialogue().update(Wishes(dry_run=True), wheel) == 0
    its_own = machine.place.cache / "unpacked/systemd/install"
    assert capsys.readouterr().out == f"== sh {its_own} install --dry-run --later --wheel {wheel}\n"


def test_an_update_from_nowhere_is_told(machine: Machine, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(machine)
    assert machine.dialogue().update(Wishes(), tmp_path / "nowhere") == 2
    assert "neither the project's folder nor a wheel of it" in capsys.readouterr().err


@pytest.mark.parametrize(
    "wishes",
    [
        WISHES,
        Wishes(),
        replace(WISHES, phones=False, config_txt=False, dry_run=True),
        Wishes(later=True, wheel=Path("/a")),
    ],
)
def test_wishes_can_be_handed_on(wishes: Wishes) -> None:
    assert Wishes(**vars(parser("install").parse_args(words_of(wishes)))) == wishes


def test_there_is_nothing_to_update_before_the_first_time(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    assert update(machine, "1.0") == 1
    assert "sudo dispenser install" in capsys.readouterr().err


# --- remove ---


def test_removed_it_leaves_settings_and_journal(machine: Machine) -> None:
    before = machine.state()
    install(machine)
    machine.place.state.mkdir(parents=True)
    (machine.place.state / "dispenser.sqlite3").write_text("evenings")
    assert machine.dialogue().remove(purge=False, yes=False, dry_run=False, by_package=False) == 0
    files = {path: what for path, what in machine.state().items() if what != "folder"}
    left = set(files) - set(before)
    assert left == {"etc/dispenser/dispenser.toml", "var/lib/dispenser/dispenser.sqlite3"}
    assert machine.boot.read_text() == SWITCHED_ON
    assert not machine.runs()


def test_purged_it_leaves_nothing(machine: Machine) -> None:
    before = machine.state()
    install(machine)
    machine.place.state.mkdir(parents=True)
    assert machine.dialogue().remove(purge=True, yes=False, dry_run=False, by_package=False) == 2, "nobody was asked"
    assert machine.dialogue().remove(purge=True, yes=True, dry_run=False, by_package=False) == 0
    assert {path for path, what in machine.state().items() if what != "folder"} == {
        path for path, what in before.items() if what != "folder"
    }
    assert "userdel dispenser" in machine.calls()


def test_purged_it_leaves_nothing_of_a_journal_elsewhere_and_nobody_elses_files(machine: Machine) -> None:
    install(machine)
    settings = machine.place.settings
    settings.write_text(settings.read_text().replace("/var/lib/dispenser/", "/home/ada/"))
    home = machine.place.root / "home/ada"
    (home / "crashes").mkdir(parents=True)
    stamp = "before-20261123T181500Z"
    ours = ["dispenser.sqlite3", "dispenser.sqlite3-wal", "dispenser.sqlite3-backup", "dispenser.sqlite3-restore"]
    ours += [f"dispenser.sqlite3.{stamp}", f"dispenser.sqlite3.{stamp}-state", "dispenser.sqlite3.damaged-20261123"]
    ours += [
        "owners.json",
        "calibrated.toml",
        "calibration.json",
        f"calibration.json.{stamp}",
        "crashes/crash-20261123-181500.txt",
    ]
    theirs = ["letter.txt", "dispenser.sqlite3.zip", "old-dispenser.sqlite3"]
    for name in (*ours, *theirs):
        (home / name).write_text("")
    assert machine.dialogue().remove(purge=False, yes=False, dry_run=False, by_package=False) == 0
    assert all((home / name).exists() for name in ours), "without --purge the journal stays"
    assert install(machine) == 0
    assert machine.dialogue().remove(purge=True, yes=True, dry_run=False, by_package=False) == 0
    assert sorted(path.name for path in home.iterdir()) == sorted(theirs)


def test_what_kept_the_wifi_awake_goes_with_it_unless_somebody_has_changed_it(machine: Machine) -> None:
    wifi = machine.place.root / WIFI_AWAKE
    wifi.parent.mkdir(parents=True)
    for text, stays in ((WIFI_AWAKE_TEXT, False), ("[connection]\nwifi.powersave = 3\n", True)):
        install(machine)
        wifi.write_text(text)
        assert machine.dialogue().remove(purge=False, yes=False, dry_run=False, by_package=False) == 0
        assert wifi.exists() == stays
    assert machine.calls().count("nmcli general reload conf") == 1


def test_a_dry_run_sets_one_stage_apart_from_the_next(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    install(machine, wishes=replace(WISHES, dry_run=True))
    text = capsys.readouterr().out
    stages = text.split("\n\n")
    assert len(stages) > 5
    assert [stage.count("== ") for stage in stages] == [1] * len(stages), "an empty line before each, and nowhere else"
    assert all(stage.startswith("== ") for stage in stages)
    assert not [line for line in text.splitlines() if line != line.rstrip()]


def test_what_dpkg_has_brought_it_takes_away(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    install(machine)
    (machine.place.root / "usr/lib/card-dispenser").mkdir(parents=True)
    assert machine.dialogue().remove(purge=False, yes=False, dry_run=False, by_package=False) == 1
    assert "sudo apt remove card-dispenser" in capsys.readouterr().err
    assert machine.runs() == "1.0"
    assert machine.dialogue().remove(purge=False, yes=False, dry_run=False, by_package=True) == 0


def test_its_own_network_goes_with_it(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    install(machine)
    (machine.place.root / "etc/systemd/system/dispenser-hotspot.timer").touch()
    machine.dialogue().remove(purge=False, yes=False, dry_run=True, by_package=False)
    off, stop, *_more = [line for line in capsys.readouterr().out.splitlines() if "hotspot" in line]
    assert off == f"{machine.place.home}/bin/dispenser hotspot off"
    assert stop.startswith("systemctl disable --now --quiet dispenser-hotspot.")


# --- questions ---


def test_without_a_terminal_it_names_the_options(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    assert install(machine, wishes=Wishes()) == 2
    error = capsys.readouterr().err
    for option in ("--language en|fr", "--board raspberry-pi-h-bridge|", "--phones|--no-phones", "--config-txt|"):
        assert option in error


def test_settings_that_are_there_stay_and_this_is_said(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    install(machine)
    before = machine.place.settings.read_text()
    assert install(machine, wishes=replace(WISHES, board="arduino-uno")) == 0
    assert machine.place.settings.read_text() == before
    assert "are there and stay" in capsys.readouterr().out


def test_a_board_that_is_none_is_told(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    assert install(machine, wishes=replace(WISHES, board="raspberry")) == 2
    assert "raspberry-pi-mosfet" in capsys.readouterr().err


class Typed(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_at_a_terminal_it_asks(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", Typed("2\n9\n2\nn\no\n"))
    assert install(machine, wishes=Wishes()) == 0
    said = capsys.readouterr().out
    assert "2  français" in said
    settings = load(machine.place.settings)
    assert settings.pins.motor_enable is None
    assert not settings.web.is_open
    assert "LANGUAGE=fr" in machine.place.language.read_text()
    assert "strict_gpiod" in machine.boot.read_text()


def test_a_package_asks_nothing_and_starts_nothing_without_settings(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert install(machine, wishes=Wishes(later=True)) == 0
    assert machine.runs() == ""
    assert machine.place.command.exists()
    assert "sudo dispenser install" in capsys.readouterr().out
    assert install(machine) == 0
    assert machine.runs() == "1.0"
