"""The steps of the installation; undone in reverse order, they remove it.

An update is the same list for another version. If that does not start, ``changes`` of the list for the version before
restores it, also after an interruption.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from filecmp import cmp
from pathlib import Path

from dispenser.drivers.gpio import boot_config
from dispenser.i18n import Text
from dispenser.system.install.actions import Action, Run, StartService, Write
from dispenser.system.install.detect import COMPLETE, Detected, setting
from dispenser.system.install.options import Options, settings_text
from dispenser.system.install.paths import FOLDERS, USER, WIFI_AWAKE, WIFI_AWAKE_TEXT, Paths
from dispenser.system.install.source import Source
from dispenser.system.programs import AVAHI
from dispenser.system.shipped import LOCK
from dispenser.system.unit import UNIT

LGPIO_WHEELS = ({"aarch64", "x86_64"}, (3, 12))
"""Architectures, and newest Python version, for which the package index has wheels of lgpio 0.2.2."""
SHOW_OWNER = "owner --wait 60"
"""Waits up to 60 s for the page, which a small Pi loads some time after the service is ready."""
APT_INSTALL = ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-qq", "-oDPkg::Lock::Timeout=600")
"""At first boot Debian updates itself for minutes and holds apt's lock; ten minutes of waiting suffice (assumed)."""


@dataclass(frozen=True, slots=True)
class Step:
    """Actions with one description, and the actions that undo them."""

    about: Text
    do: Sequence[Action] = ()
    undo: Sequence[Action] = ()
    is_done: bool = False


@dataclass(frozen=True, slots=True)
class Installation:
    """One version on one machine; ``purge``: undoing it also removes settings and journal."""

    paths: Paths
    found: Detected
    options: Options
    source: Source
    purge: bool = False

    @property
    def before(self) -> str:
        name = self.found.ran_before or self.found.current
        return name if name in self.found.versions - {self.source.name} else ""

    @property
    def has_settings(self) -> bool:
        """Return whether settings exist or will be written; without them nothing is started."""
        return self.found.settings is not None or self.options.board is not None

    @property
    def settings(self) -> str:
        phones = bool(self.options.phones)
        return self.found.settings or (settings_text(self.options.board, phones=phones) if self.options.board else "")

    @property
    def language(self) -> str:
        return self.options.language or self.found.language

    @property
    def allows_phones(self) -> bool:
        return bool(setting(self.settings, "web", "lan") or setting(self.settings, "web", "token"))

    @property
    def adds_boot_line(self) -> bool:
        """Return whether to change the Pi's ``config.txt``, which takes effect at the next boot."""
        file, text = self.found.boot_config, self.found.boot_text
        return file is not None and bool(self.options.config_txt) and not boot_config.has_line(text)

    def steps(self) -> list[Step]:
        program = self._program()
        note = Step(Text("Installing the program takes minutes, many on a small Pi"), is_done=program.is_done)
        return [*self._packages(), note, program, *self.changes()]

    def changes(self) -> list[Step]:
        """Return the steps that change what runs; ``Paths.unfinished`` names the version before until they are done."""
        found = self.found
        files = [self._settings(), self._boot_line(), self._system_files(), self._links()]
        units = units_to_enable(self.source.share, phones=self.allows_phones)
        runs = not self.has_settings or (found.is_running and found.enabled >= units)
        is_done = runs and not found.unfinished and all(step.is_done for step in files)
        about = Text("From here on, an interrupted installation can be finished")
        mark = [] if found.ran_before else [Write(self.paths.unfinished, f"{self.before}\n")]
        return [
            Step(about, mark, is_done=is_done),
            *files,
            replace(self._service(units), is_done=is_done or not self.has_settings),
            replace(self._clean_up(), is_done=is_done),
        ]

    def _packages(self) -> list[Step]:
        found, wheels = self.found, self.source.wheels
        needed = [] if found.has_ensurepip else ["python3-venv"]
        if takes_lgpio_from_apt(found.machine, found.python, wheels) and not found.has_lgpio:
            needed.append("python3-lgpio")
        optional = [name for name in found.missing_optional if self.allows_phones or name != AVAHI]
        about = Text(
            "Debian's {packages}, for a Wi-Fi of the launcher's own or its .local name; without a network, it goes on "
            "without"
        ).filled(packages=", ".join(optional))
        return [
            Step(Text("Debian's {packages}").filled(packages=", ".join(needed)), _from_apt(needed), is_done=not needed),
            Step(about, _from_apt(optional, may_fail=True), is_done=not optional or wheels is not None),
        ]

    def _program(self) -> Step:
        paths, version, cache = self.paths, self.paths.versions / self.source.name, self.paths.cache
        from_apt = takes_lgpio_from_apt(self.found.machine, self.found.python, self.source.wheels)
        env = ("env", f"PIP_CACHE_DIR={cache / 'pip'}", f"TMPDIR={cache / 'tmp'}")
        pip, wheels, copy = (*env, version / "bin/python", "-m", "pip"), self.source.wheels, cache / "source"
        extra = "" if from_apt else "[pi]"
        what = ("--no-index", "--find-links", wheels, f"card-dispenser{extra}") if wheels else (f"{copy}{extra}",)
        return Step(
            Text("The program, in {folder}").filled(folder=paths.home),
            [
                Run(("rm", "-rf", version)),
                Run(("mkdir", "-p", cache / "tmp")),
                *([] if wheels else self.source.copy(copy)),
                Run((*env, paths.python, "-m", "venv", *(["--system-site-packages"] if from_apt else []), version)),
                Run((*pip, "install", "-q", "-c", self.source.share / LOCK, *what)),
                Run((*pip, "uninstall", "-q", "-y", "pip")),
                Run(("sync", "-f", version)),  # a power cut could otherwise leave the marker without the files
                Run(("touch", version / COMPLETE)),
            ],
            undo=[Run(("rm", "-rf", paths.root / "run/dispenser", cache, paths.home))],
            is_done=self.source.name in self.found.versions,
        )

    def _settings(self) -> Step:
        paths, found = self.paths, self.found
        wrong = [Write(paths.settings, self.settings, 0o640)] if found.settings is None and self.options.board else []
        if self.language != found.language:
            environment = f"LANG=C.UTF-8 LANGUAGE={self.language}"
            wrong.append(Write(paths.language, f"[Service]\nEnvironment={environment}\n"))
        return Step(
            Text("The settings, {file}, and the service's language").filled(file=paths.settings),
            wrong,
            undo=[Run(("rm", "-rf", paths.settings.parent, paths.state))] if self.purge else [],
            is_done=not wrong,
        )

    def _boot_line(self) -> Step:
        file, text = self.found.boot_config or Path(), self.found.boot_text
        without = boot_config.without_line(text)
        return Step(
            Text("The line '{line}' in {file}").filled(line=boot_config.LINE, file=file),
            [Write(file, boot_config.with_line(text))],
            undo=[Write(file, without)] if without != text else [],
            is_done=not self.adds_boot_line,
        )

    def _system_files(self) -> Step:
        root = self.paths.root
        serial = setting(self.settings, "driver", "kind") == "serial"
        files = self.paths.system_files(self.source.share / "systemd", serial=serial)
        wrong = {file: path for file, path in files.items() if not (path.is_file() and cmp(file, path, shallow=False))}
        installed = sorted(file for folder in FOLDERS.values() for file in (root / folder).glob("*dispenser*"))
        if (wifi := root / WIFI_AWAKE).is_file() and wifi.read_text(encoding="utf-8") == WIFI_AWAKE_TEXT:
            installed.append(wifi)
        reload = ("systemctl daemon-reload", "udevadm control --reload", "nmcli general reload conf")
        return Step(
            Text("Its files for systemd and udev"),
            [Run(("install", "-D", "-m", "644", file, path)) for file, path in wrong.items()],
            undo=[Run(("rm", "-rf", *installed)), *(Run(tuple(line.split()), may_fail=True) for line in reload)],
            is_done=not wrong,
        )

    def _links(self) -> Step:
        paths = self.paths
        links = {
            paths.current: paths.versions / self.source.name,
            paths.home / "bin": paths.current / "bin",
            paths.command: paths.home / "bin/dispenser",
            paths.manual: paths.current / "share/man/man1/dispenser.1",
        }
        wrong = {link: to for link, to in links.items() if not (link.is_symlink() and link.readlink() == to)}
        ours = [link for link in links if link.is_symlink() and link.readlink().is_relative_to(paths.home)]
        return Step(
            Text("The links to version {version}").filled(version=self.source.name),
            [
                Run(("mkdir", "-p", paths.command.parent, paths.manual.parent)),
                *(Run(("ln", "-sfn", to, link)) for link, to in wrong.items()),
            ],
            undo=[Run(("rm", "-f", *ours))] if ours else [],
            is_done=not wrong,
        )

    def _service(self, units: set[str]) -> Step:
        etc = self.paths.root / "etc"
        return Step(
            Text("Its user, its folders, and the service, now and at each start"),
            [
                Run(("systemd-sysusers", etc / "sysusers.d/dispenser.conf")),
                Run(("systemd-tmpfiles", "--create", etc / "tmpfiles.d/dispenser.conf")),
                Run(("udevadm", "control", "--reload"), may_fail=True),
                Run(("udevadm", "trigger", "--subsystem-match=gpio"), may_fail=True),
                Run(("systemctl", "daemon-reload")),
                Run(("systemctl", "enable", "--quiet", *sorted(units))),
                StartService(),
                *(Run(("systemctl", "start", unit), may_fail=True) for unit in sorted(units - {UNIT})),
            ],
            undo=[
                Run((self.paths.home / "bin/dispenser", "hotspot", "off"), may_fail=True),
                Run(("systemctl", "disable", "--now", "--quiet", *self.found.units), may_fail=True),
                *(Run((program, USER), may_fail=True) for program in ("userdel", "groupdel") if self.purge),
            ],
        )

    def _clean_up(self) -> Step:
        """Remove all but the running version and the one before, and temporary files."""
        paths, found = self.paths, self.found
        kept = {self.source.name, self.before} if self.before else {self.source.name, *found.versions}
        old = sorted(folder for folder in paths.versions.glob("*") if folder.name not in kept)
        group = Run(("usermod", "-a", "-G", USER, found.person), may_fail=True)
        clean = Run(("rm", "-rf", *old, paths.cache, paths.unfinished))
        return Step(Text("Tidying up"), [group, clean] if found.person else [clean])

    def final_checks(self) -> list[Step]:
        """Return the steps that show doctor, address and, unless ``later``, the owner's QR code."""
        program = self.paths.home / "bin/dispenser"
        env = ("env", "LANG=C.UTF-8", f"LANGUAGE={self.language}") if self.language else ()
        shown = [(Text("The doctor"), "doctor"), (Text("Where the page is"), "address")]
        if self.allows_phones and not self.options.later:
            shown.append((Text("The owner's phone; later, this shows the code: sudo dispenser owner"), SHOW_OWNER))
        return [
            Step(about, [Run((*env, program, *words.split()), may_fail=True, shown=True)])
            for about, words in (shown if self.has_settings else [])
        ]


def removal(paths: Paths, found: Detected, *, purge: bool) -> list[Step]:
    """Return the steps that remove the launcher: the undo actions of all steps, in reverse order."""
    source = Source(found.current, paths.current)
    steps = Installation(paths, found, Options(), source, purge=purge).steps()
    return [Step(step.about, step.undo) for step in reversed(steps) if step.undo]


def takes_lgpio_from_apt(machine: str, python: tuple[int, int], wheels: Path | None) -> bool:
    """Return whether no wheel of lgpio fits, in the folder ``wheels``, or in the package index if that is ``None``."""
    if wheels is not None:
        return not any(wheels.glob("lgpio-*.whl"))
    machines, newest = LGPIO_WHEELS
    return machine not in machines or python > newest


def units_to_enable(share: Path, *, phones: bool) -> set[str]:
    """Return the units to enable: with ``[Install]``, no timers (commands start them), sockets only for phones."""
    units = [unit for unit in (share / "systemd").glob("dispenser*.*") if unit.suffix != ".timer"]
    wanted = [unit for unit in units if "\n[Install]\n" in unit.read_text(encoding="utf-8")]
    return {unit.name for unit in wanted if phones or unit.suffix != ".socket"}


def _from_apt(packages: Sequence[str], *, may_fail: bool = False) -> list[Action]:
    install = Run((*APT_INSTALL, "--no-install-recommends", *packages), may_fail=may_fail)
    return [Run(("apt-get", "update", "-qq"), may_fail=True), install]
