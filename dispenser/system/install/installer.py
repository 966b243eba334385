"""Install, update and remove: run the steps, and go back when a new version does not start."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Concatenate, ParamSpec

from dispenser.i18n import SpokenError, Text, language_wanted
from dispenser.system.install.actions import InstallError, NotRunningError
from dispenser.system.install.detect import Detected
from dispenser.system.install.options import Options
from dispenser.system.install.paths import PACKAGE, Paths
from dispenser.system.install.questions import Terminal, UsageError
from dispenser.system.install.source import Source, running_source
from dispenser.system.install.steps import Installation, Step, removal
from dispenser.system.shipped import SHARE

FAILED, USAGE, NOT_ROOT, INTERRUPTED = 1, 2, 77, 130
_P = ParamSpec("_P")


def _exit_code(command: Callable[Concatenate[Installer, _P], int]) -> Callable[Concatenate[Installer, _P], int]:
    """Decorate a command of ``Installer``: check for root, print errors, return the exit code."""

    def run(self: Installer, /, *args: _P.args, **options: _P.kwargs) -> int:
        os.umask(0o022)  # installed files must be readable for all users
        if os.geteuid() and not self.dry_run and self.paths.root == Path("/"):
            self.terminal.complain(Text("this needs root; write 'sudo' before it"))
            return NOT_ROOT
        try:
            return command(self, *args, **options)
        except (KeyboardInterrupt, EOFError):
            self.terminal.complain(Text("interrupted; run the same command again, and it continues from there"))
            return INTERRUPTED
        except SpokenError as error:
            self.terminal.complain(error)
            return USAGE if isinstance(error, UsageError) else FAILED

    return run


class Installer:
    """The commands of the installer; each returns the exit code.

    :param source: the program to install; default: the running one.
    """

    def __init__(
        self, paths: Paths, language: str = "", *, dry_run: bool = False, source: Source | None = None
    ) -> None:
        self.paths = paths
        self.dry_run = dry_run
        self._source = source
        self.terminal = Terminal(language or language_wanted(os.environ))

    @_exit_code
    def install(self, options: Options) -> int:
        """Install, update, or finish an interrupted installation."""
        found = Detected(self.paths)
        if not options.later:
            options = self.terminal.complete(options, found)
        if found.settings is not None and (options.board or options.phones is not None):
            kept = Text(
                "The settings {file} exist and stay as they are; the options for board and phones are for new settings "
                "only"
            )
            self.terminal.say(kept.filled(file=self.paths.settings))
        source = self._source or running_source(self.paths, found.python)
        installation = Installation(self.paths, found, options, source)
        try:
            self._do(installation.steps())
        except NotRunningError as error:
            self._roll_back(installation, error)
        self._do(installation.final_checks())
        if not installation.has_settings:
            self.terminal.say(
                Text("Installed. 'sudo dispenser install' asks how the launcher is wired, then starts it.")
            )
        if installation.adds_boot_line:
            self.terminal.say(
                Text("Restart the Pi when it suits you, so that the line in config.txt takes effect: sudo reboot")
            )
        return 0

    def _roll_back(self, failed: Installation, error: NotRunningError) -> None:
        """Reinstall the version before, if there is one, by the same steps.

        :raises InstallError: always, as the new version does not run.
        """
        if not failed.before:
            self._do(failed.final_checks())
            text = Text("The launcher is installed, but does not start:\n{said}")
            raise InstallError(text.filled(said=error)) from None
        source = Source(failed.before, self.paths.versions / failed.before / SHARE)
        text = Text("The new version does not start:\n{said}\n{version} runs again, as before.")
        try:
            self._do(replace(failed, found=Detected(self.paths), source=source).changes())
        except NotRunningError:
            text = Text(
                "The new version does not start:\n{said}\n{version} is back in its place, and does not start either: "
                "'sudo dispenser doctor' may say why."
            )
        raise InstallError(text.filled(said=error, version=failed.before)) from None

    @_exit_code
    def update(self, folder: Path) -> int:
        """Replace this process by the installer of another version, without questions.

        :param folder: the project's folder, with that version.
        """
        script = folder / "systemd/install"
        if not self.paths.settings.exists():
            raise InstallError(Text("no launcher is installed here yet: 'sudo dispenser install' does that"))
        if not script.is_file():
            raise UsageError(Text("{folder}: this is not the project's folder").filled(folder=folder))
        os.execv("/bin/sh", ["sh", str(script), "--later", *(["--dry-run"] if self.dry_run else [])])  # noqa: S606 - ours

    @_exit_code
    def remove(self, *, purge: bool, yes: bool) -> int:
        """Remove the launcher from this machine."""
        if (self.paths.root / PACKAGE).exists() and "DPKG_MAINTSCRIPT_NAME" not in os.environ:
            by_apt = Text("it was installed as a Debian package; remove it with 'sudo apt {word} card-dispenser'")
            raise InstallError(by_apt.filled(word="purge" if purge else "remove"))
        if purge and not (yes or self.dry_run):
            question = Text("Settings and journal will be lost for good. Remove them?")
            if not self.terminal.confirm(question, "--yes"):
                return FAILED
        self._do(removal(self.paths, Detected(self.paths), purge=purge))
        if not purge:
            stay = Text("The settings and the journal stay: {folders}")
            self.terminal.say(stay.filled(folders=f"{self.paths.settings.parent}, {self.paths.state}"))
        return 0

    def _do(self, steps: Sequence[Step]) -> None:
        for step in steps:
            if step.is_done:
                continue
            self.terminal.say(step.about, before="== ")
            for action in step.do:
                if self.dry_run:
                    self.terminal.say(action)
                else:
                    action.do()
