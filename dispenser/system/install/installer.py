"""Installs, updates and removes: tells each step, goes back when a new version does not run."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from dispenser.i18n import SpokenError, Text, language_wanted
from dispenser.system.install.actions import SETTLE_S, InstallError, NotRunningError
from dispenser.system.install.detect import detect, journal_of
from dispenser.system.install.options import Options
from dispenser.system.install.paths import PACKAGE, Paths
from dispenser.system.install.questions import Terminal, UsageError
from dispenser.system.install.source import Source, running_source
from dispenser.system.install.steps import Installation, Step, removal
from dispenser.system.shipped import SHARE

FAILED, USAGE, NOT_ROOT, INTERRUPTED = 1, 2, 77, 130


class Installer:
    """One run of a command; each returns the exit code.

    :param language: in which it speaks.
    :param dry_run: show each step, and do none.
    :param source: what to install; else the program that is running.
    """

    def __init__(
        self,
        paths: Paths,
        language: str = "",
        *,
        dry_run: bool = False,
        source: Source | None = None,
        settle_s: float = SETTLE_S,
    ) -> None:
        self.paths = paths
        self._dry_run = dry_run
        self._source = source
        self._settle_s = settle_s
        self._terminal = Terminal(language or language_wanted(os.environ))

    def install(self, options: Options) -> int:
        """Install, bring up to date, or finish what was interrupted."""
        return self._run(lambda: self._install(options))

    def update(self, folder: Path) -> int:
        """Let another version install itself, with its own units and packages. Nothing is asked.

        :param folder: the project's folder, with that version.
        """
        return self._run(lambda: self._update(folder))

    def remove(self, *, purge: bool, yes: bool, by_package: bool) -> int:
        """Take the launcher off this machine."""
        return self._run(lambda: self._remove(purge=purge, yes=yes, by_package=by_package))

    def _run(self, command: Callable[[], int]) -> int:
        os.umask(0o022)  # what is installed is for everybody to read
        try:
            if os.geteuid() and not self._dry_run and self.paths.root == Path("/"):
                self._terminal.complain(Text("this needs root; write 'sudo' before it"))
                return NOT_ROOT
            return command()
        except (KeyboardInterrupt, EOFError):
            self._terminal.complain(Text("interrupted; run the same command again, and it goes on from there"))
            return INTERRUPTED
        except SpokenError as error:
            self._terminal.complain(error)
            return USAGE if isinstance(error, UsageError) else FAILED

    def _install(self, options: Options) -> int:
        found = detect(self.paths)
        if not options.later:
            options = self._terminal.complete(options, found)
        if found.settings is not None and (options.board or options.phones is not None):
            kept = Text("The settings, {file}, are there and stay: what was said of board and phones is for new ones")
            self._terminal.say(kept.filled(file=self.paths.settings))
        source = self._source or running_source(self.paths, found.python)
        installation = Installation(
            paths=self.paths,
            found=found,
            options=options,
            source=source,
            token="…" if self._dry_run else secrets.token_hex(16),
            settle_s=self._settle_s,
        )
        try:
            self._do(installation.steps())
        except NotRunningError as error:
            self._go_back(installation, error)
        self._do(installation.look_over())
        if not installation.has_settings:
            self._terminal.say(Text("Installed. Which launcher it is, 'sudo dispenser install' asks; then it starts."))
        if installation.adds_boot_line:
            self._terminal.say(Text("Start the Pi again when it suits you, for the line in config.txt: sudo reboot"))
        return 0

    def _go_back(self, failed: Installation, error: NotRunningError) -> None:
        """Bring back the version before, if there is one, by the same steps.

        :raises InstallError: always: what was installed does not run.
        """
        if not failed.before:
            self._do(failed.look_over())
            text = Text("The launcher is installed, but does not start:\n{said}")
            raise InstallError(text.filled(said=error)) from None
        source = Source(failed.before, self.paths.versions / failed.before / SHARE)
        text = Text("The new version does not start:\n{said}\n{version} runs again, as before.")
        try:
            self._do(replace(failed, found=detect(self.paths), source=source).changes())
        except NotRunningError:
            text = Text(
                "The new version does not start:\n{said}\n{version} is back in its place, and does not start either: "
                "'sudo dispenser doctor' may say why."
            )
        raise InstallError(text.filled(said=error, version=failed.before)) from None

    def _update(self, folder: Path) -> int:
        script = folder / "systemd/install"
        if not self.paths.settings.exists():
            raise InstallError(Text("no launcher is installed here yet: 'sudo dispenser install' does that"))
        if not script.is_file():
            raise UsageError(Text("{folder}: this is not the project's folder").filled(folder=folder))
        os.execv("/bin/sh", ["sh", str(script), "--later", *(["--dry-run"] if self._dry_run else [])])  # noqa: S606 - ours

    def _remove(self, *, purge: bool, yes: bool, by_package: bool) -> int:
        if (self.paths.root / PACKAGE).exists() and not by_package:
            by_apt = Text("it came as a Debian package, so it goes as one: 'sudo apt {word} card-dispenser'")
            raise InstallError(by_apt.filled(word="purge" if purge else "remove"))
        if purge and not (yes or self._dry_run) and not self._terminal.confirm_purge():
            return FAILED
        found = detect(self.paths)
        self._do(removal(self.paths, found, purge=purge))
        stays = [] if purge else [self.paths.settings.parent, self.paths.state]
        journal = journal_of(found.settings or "")
        if journal and not journal.is_relative_to(Paths().state):
            stays.append(journal)
        if stays:
            stay = Text("The settings and the journal stay: {folders}")
            self._terminal.say(stay.filled(folders=", ".join(map(str, stays))))
        return 0

    def _do(self, steps: Sequence[Step]) -> None:
        for step in steps:
            if step.is_done:
                continue
            self._terminal.say(step.about, before="== ")
            for action in step.do:
                if self._dry_run:
                    self._terminal.say(action)
                else:
                    action.do()
