"""Decides what is to be done to install the launcher, or to bring it up to date."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dispenser.drivers.gpio import boot_config
from dispenser.i18n import Text
from dispenser.system.install.found import COMPLETE, Found, is_open, is_serial
from dispenser.system.install.place import SERVICE, USER, Place
from dispenser.system.install.source import Source
from dispenser.system.install.starting import SETTLE_S, Start
from dispenser.system.install.steps import (
    Apt,
    Copy,
    Folder,
    InstallError,
    Link,
    Remove,
    Run,
    Show,
    Stage,
    Step,
    Write,
)
from dispenser.system.install.wishes import Wishes, language_text, settings_text
from dispenser.system.programs import AVAHI
from dispenser.system.shipped import LOCK, shipped

PYTHON = (3, 11)
LGPIO_WHEELS = ({"aarch64", "x86_64"}, (3, 12))
"""For which processors, and up to which Python, the package index has lgpio 0.2.2 ready to run."""
SMALL = {"armv6l": "msgspec, MarkupSafe, pydantic-core", "armv7l": "msgspec, lgpio"}
"""What the package index has not ready to run for the processors of 32 bits."""
PAGE_S = "60"
"""So long the page may take after the service is ready, seconds: a small Pi needs some to load it."""
_OF_A_VENV = ("bin", "include", "lib", "lib64", "share", "pyvenv.cfg")


def takes_lgpio_from_apt(found: Found, packages: Path | None) -> bool:
    """Whether no wheel of lgpio fits this machine."""
    if packages is not None:
        return not any(packages.glob("lgpio-*.whl"))
    machines, newest = LGPIO_WHEELS
    return found.machine not in machines or (found.python or PYTHON) > newest


def check(found: Found, source: Source) -> None:
    """Whether it can work at all.

    :raises InstallError: it cannot; the text says what this machine needs.
    """
    if found.python is not None and found.python < PYTHON:
        old = Text("Python {wanted} or later is needed, and this is {found}: Raspberry Pi OS Bookworm or later has it")
        raise InstallError(old.filled(wanted=_dotted(PYTHON), found=_dotted(found.python)))
    lacking = SMALL.get(found.machine, "")
    if lacking and source.packages is None and not found.has_piwheels:
        small = Text(
            "this board ({machine}) needs packages that only {index} has ready to run for it ({packages}). Raspberry "
            "Pi OS looks there by itself; here, write into /etc/pip.conf:\n[global]\n"
            "extra-index-url=https://www.piwheels.org/simple"
        )
        raise InstallError(small.filled(machine=found.machine, index="piwheels.org", packages=lacking))


def plan(
    place: Place, found: Found, wishes: Wishes, source: Source, *, token: str = "", settle_s: float = SETTLE_S
) -> list[Stage]:
    """All there is to do, in order; each stage can be done again.

    :param token: for the page, if new settings let phones in.
    """
    check(found, source)
    name = source.name(_dotted(found.python or PYTHON))
    has_settings = found.settings is not None or wishes.board is not None
    phones = _lets_phones_in(found, wishes)
    units = starts_with_the_pi(phones=phones)
    changes = [
        *_settings(place, found, wishes, token),
        *_boot(found, wishes),
        *_system(place, found, wishes),
        *_switch(place, found, name),
    ]
    stages = [*_stays(place, found, wishes), *_apt(found, source, phones=phones), *_program(place, found, source, name)]
    if changes or found.unfinished or (has_settings and not (found.runs and found.enabled >= units)):
        before = found.ran_before or found.current
        before = before if before != name and before in found.versions else ""
        stages += [_begin(place, found, before), *changes]
        if has_settings:
            stages += _start(place, units, before, settle_s)
        stages.append(_end(place, found, name, before))
    return [*stages, *look_over(place, found, wishes)] if has_settings else stages


def starts_with_the_pi(*, phones: bool | None) -> set[str]:
    """Our units that are enabled: those with something to install, but the page's port for phones only if they may come
    in. A timer is switched on by the command that it is for."""
    units = {unit for unit in shipped("systemd").glob("*.*") if unit.is_file() and unit.suffix != ".timer"}
    wanted = {unit.name for unit in units if "\n[Install]\n" in unit.read_text(encoding="utf-8")}
    return wanted if phones else {unit for unit in wanted if not unit.endswith(".socket")}


def _apt(found: Found, source: Source, *, phones: bool | None) -> list[Stage]:
    missing = [] if found.has_ensurepip else ["python3-venv"]
    if takes_lgpio_from_apt(found, source.packages) and not found.has_lgpio:
        missing.append("python3-lgpio")
    stages = []
    if missing:
        about = Text("Debian's {packages}").filled(packages=", ".join(missing))
        stages.append(Stage(about, _from_apt(missing, may_fail=False)))
    optional = [*found.lacking_for_hotspot, *([AVAHI] if phones and not found.has_avahi else [])]
    if optional and source.packages is None:
        about = Text(
            "Debian's {packages}, for a Wi-Fi of the launcher's own or its .local name; without a network, it goes on "
            "without"
        )
        stages.append(Stage(about.filled(packages=", ".join(optional)), _from_apt(optional, may_fail=True)))
    return stages


def _from_apt(packages: Sequence[str], *, may_fail: bool) -> list[Step]:
    env = {"DEBIAN_FRONTEND": "noninteractive"}
    install = ("apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages)
    return [Apt(("apt-get", "update", "-qq"), env, may_fail=may_fail), Apt(install, env, may_fail=may_fail)]


def _program(place: Place, found: Found, source: Source, name: str) -> list[Stage]:
    if name in found.versions:
        return []
    from_apt = takes_lgpio_from_apt(found, source.packages)
    tools, version = place.cache / "tools", place.versions / name
    env = {
        "PIP_CACHE_DIR": str(place.cache / "pip"),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_INPUT": "1",
        "PIP_ROOT_USER_ACTION": "ignore",
        "TMPDIR": str(place.cache / "tmp"),
    }
    pip = (tools / "bin/python", "-m", "pip")
    what = f"{source.wheel(place)}{'' if from_apt else '[pi]'}"
    where = ("--no-index", "--find-links", source.packages) if source.packages else ()
    slow = Text("Without a network, or on a small Pi for the first time, it takes patience: run it again, it goes on.")
    steps: list[Step] = [
        Remove(version),
        Folder(place.cache / "tmp"),
        Run((place.python, "-m", "venv", "--clear", tools), env),
        *(Run(each.words, env, remedy=slow) if isinstance(each, Run) else each for each in source.steps(place, pip)),
        Run(
            (place.python, "-m", "venv", "--without-pip", *(["--system-site-packages"] if from_apt else []), version),
            env,
        ),
        Run(
            (*pip, "--python", version / "bin/python", "install", "-q", *where, "-c", shipped(LOCK), what),
            env,
            remedy=slow,
        ),
        Run(("sync", "-f", version)),  # or a power cut would leave the mark and not what it stands for
        Write(version / COMPLETE, ""),
    ]
    return [
        Stage(Text("The program, in {folder}: this takes minutes, many on a small Pi").filled(folder=version), steps)
    ]


def _settings(place: Place, found: Found, wishes: Wishes, token: str) -> list[Stage]:
    stages = []
    if found.settings is None and wishes.board is not None:
        board = shipped(f"hardware/boards/{wishes.board}.toml").read_text(encoding="utf-8")
        text = settings_text(board, token if wishes.phones else "")
        stages.append(
            Stage(Text("The settings, {file}").filled(file=place.settings), [Write(place.settings, text, 0o640)])
        )
    if wishes.language and wishes.language != found.language:
        about = Text("The service's language, {file}").filled(file=place.language)
        stages.append(Stage(about, [Write(place.language, language_text(wishes.language))]))
    return stages


def _stays(place: Place, found: Found, wishes: Wishes) -> list[Stage]:
    if found.settings is None or (wishes.board is None and wishes.phones is None):
        return []
    about = Text("The settings, {file}, are there and stay: what was said of board and phones is for new ones")
    return [Stage(about.filled(file=place.settings))]


def _boot(found: Found, wishes: Wishes) -> list[Stage]:
    if found.boot_config is None or not wishes.config_txt or boot_config.has_line(found.boot_text):
        return []
    about = Text("'{line}' in {file}; it counts from the next start of the Pi on")
    change = Write(found.boot_config, boot_config.with_line(found.boot_text))
    return [Stage(about.filled(line=boot_config.LINE, file=found.boot_config), [change])]


def _system(place: Place, found: Found, wishes: Wishes) -> list[Stage]:
    files = place.system_files(shipped("systemd"), serial=is_serial(found.settings or _board_text(wishes)))
    copies: list[Step] = [Copy(source, path) for source, path in files.items() if not _same(source, path)]
    return [Stage(Text("Its user, its right to the pins, its service"), copies)] if copies else []


def _board_text(wishes: Wishes) -> str:
    return shipped(f"hardware/boards/{wishes.board}.toml").read_text(encoding="utf-8") if wishes.board else ""


def _same(source: Path, path: Path) -> bool:
    return path.is_file() and path.read_bytes() == source.read_bytes()


def _switch(place: Place, found: Found, name: str) -> list[Stage]:
    about = Text("From now on, {version}").filled(version=name)
    program = place.home / "bin"
    links = {
        place.current: place.versions / name,
        program: place.current / "bin",
        place.command: program / "dispenser",
        place.manual: place.current / "share/man/man1/dispenser.1",
    }
    steps: list[Step] = [Remove(place.home / part) for part in _OF_A_VENV] if found.from_guide else []
    wrong = [Link(path, to) for path, to in links.items() if not (path.is_symlink() and path.readlink() == to)]
    return [Stage(about, [*steps, *wrong])] if wrong else []


def _begin(place: Place, found: Found, before: str) -> Stage:
    """Remembers what ran before, so that whoever goes on after an interruption can still go back."""
    about = Text("From here on, an interrupted installation can be finished")
    if found.unfinished:
        about = Text("An earlier installation was interrupted: it goes on")
    return Stage(about, [] if found.ran_before else [Write(place.unfinished, f"{before}\n")])


def _start(place: Place, units: set[str], before: str, settle_s: float) -> list[Stage]:
    rights = [
        Run(("systemd-sysusers", place.root / "etc/sysusers.d/dispenser.conf")),
        Run(("systemd-tmpfiles", "--create", place.root / "etc/tmpfiles.d/dispenser.conf")),
        Run(("udevadm", "control", "--reload"), may_fail=True),
        Run(("udevadm", "trigger", "--subsystem-match=gpio"), may_fail=True),
    ]
    service: list[Step] = [
        Run(("systemctl", "daemon-reload")),
        Run(("systemctl", "enable", "--quiet", *sorted(units))),
        Start(place, before, settle_s),
        *(Run(("systemctl", "start", unit), may_fail=True) for unit in sorted(units - {SERVICE})),
    ]
    return [Stage(Text("Its user and its folders"), rights), Stage(Text("The service, now and at each start"), service)]


def _end(place: Place, found: Found, name: str, before: str) -> Stage:
    """The version that runs and the one before stay; of others, and of what an interruption has left, nothing."""
    old = found.partial - {name}
    if before:
        old |= found.versions - {name, before}
    person = [Run(("usermod", "-a", "-G", USER, found.person), may_fail=True)] if found.person else []
    tidy: list[Step] = [Remove(place.versions / each) for each in sorted(old)]
    return Stage(Text("Tidying up"), [*person, *tidy, Remove(place.cache), Remove(place.unfinished)])


def _lets_phones_in(found: Found, wishes: Wishes) -> bool | None:
    return wishes.phones if found.settings is None else is_open(found.settings)


def look_over(place: Place, found: Found, wishes: Wishes) -> list[Stage]:
    """What there is to see at the end; the owner's phone is for somebody who sits there."""
    program = place.home / "bin/dispenser"
    env = {"LANG": "C.UTF-8", "LANGUAGE": language} if (language := wishes.language or found.language) else {}
    doctor = Show((program, "doctor"), env)
    stages = [Stage(Text("The doctor"), [doctor]), Stage(Text("Where the page is"), [Show((program, "address"), env)])]
    if _lets_phones_in(found, wishes) and not wishes.later:
        later = Text("Later, this shows the code for the owner's phone: sudo dispenser owner")
        stages.append(Stage(Text("The owner's phone"), [Show((program, "owner", "--wait", PAGE_S), env, failed=later)]))
    return stages


def _dotted(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))
