"""Speaks with whoever installs the launcher: asks what is not known, tells each step, says what went wrong."""

from __future__ import annotations

import os
import secrets
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TextIO

from dispenser.drivers.gpio import boot_config
from dispenser.i18n import LANGUAGES, SpokenError, Text, language_wanted, listed, said
from dispenser.system.install.found import Found, look
from dispenser.system.install.place import PACKAGE, Place
from dispenser.system.install.plan import look_over, plan
from dispenser.system.install.removal import removal
from dispenser.system.install.source import NAME, Same, WheelFile, source_of
from dispenser.system.install.starting import SETTLE_S, NotRunningError
from dispenser.system.install.steps import Apt, InstallError, Show, Stage, Step
from dispenser.system.install.wishes import BOARDS, Wishes

USAGE = 2
FAILED = 1
NO_RIGHT = 77
INTERRUPTED = 130
INSTALLER = "systemd/install"
_TONGUES = {"en": "English", "fr": "français"}


class UsageError(SpokenError, ValueError):
    """Something is needed that nobody can be asked for."""


class Dialogue:
    """One run of a command.

    :param language: in which it speaks.
    :param before: hears of each step before it is done.
    """

    def __init__(
        self,
        place: Place,
        language: str = "",
        *,
        settle_s: float = SETTLE_S,
        before: Callable[[Step], None] = lambda _: None,
    ) -> None:
        self.place = place
        self.language = language or language_wanted(os.environ)
        self._settle_s = settle_s
        self._before = before
        self._asks = sys.stdin.isatty()

    # --- the commands --------------------------------------------------------------------------------------------

    def install(self, wishes: Wishes) -> int:
        """Install, or bring up to date.

        :returns: the exit code.
        """
        return self._told(lambda: self._install(wishes))

    def update(self, wishes: Wishes, start: Path | None) -> int:
        """Install a new version beside the old one; nothing is asked.

        :param start: the project's folder, a wheel, or a folder of wheels; else what is running.
        """
        return self._told(lambda: self._update(wishes, start))

    def remove(self, *, purge: bool, yes: bool, dry_run: bool, by_package: bool) -> int:
        """Take the launcher off this machine."""
        return self._told(lambda: self._remove(purge=purge, yes=yes, dry_run=dry_run, by_package=by_package))

    def _told(self, command: Callable[[], int]) -> int:
        try:
            return command()
        except UsageError as error:
            self._complain(error)
            return USAGE
        except (KeyboardInterrupt, EOFError):
            self._complain(Text("interrupted; run the same command again, and it goes on from there"))
            return INTERRUPTED
        except PermissionError as error:
            self._complain(Text("{error}: this needs root; write 'sudo' before it").filled(error=error))
            return NO_RIGHT
        except SpokenError as error:
            self._complain(error)
            return FAILED

    def _install(self, wishes: Wishes) -> int:
        self._need_root(wishes.dry_run)
        source, found = source_of(self.place, wishes.wheels, wishes.wheel), look(self.place)
        if isinstance(source, WheelFile) and source.differs():
            unpacked = self.place.cache / "unpacked"
            return self._go_on_there(unpacked, ["install", *words_of(wishes)], wishes, source)
        if not wishes.later:
            wishes = self._complete(wishes, found)
        token = "…" if wishes.dry_run else secrets.token_hex(16)
        stages = plan(self.place, found, wishes, source, token=token, settle_s=self._settle_s)
        try:
            self._carry_out(stages, dry_run=wishes.dry_run)
        except NotRunningError as error:
            self._carry_out(look_over(self.place, found, wishes), dry_run=False)
            raise error from None
        self._say_last(wishes, found)
        return 0

    def _update(self, wishes: Wishes, start: Path | None) -> int:
        self._need_root(wishes.dry_run)
        if not self.place.settings.exists():
            raise InstallError(Text("no launcher is installed here yet: 'sudo dispenser install' does that"))
        if start is not None and (start / INSTALLER).is_file():
            return self._go_on_there(start, ["update", *words_of(wishes)], wishes)
        if start is not None:
            wishes = _from(start, wishes)
        if isinstance(source_of(self.place, wishes.wheels, wishes.wheel), Same):
            raise UsageError(
                Text(
                    "say from where: the project's folder, or a wheel of it, such as 'sudo dispenser update "
                    "~/card-dispenser'"
                )
            )
        return self._install(replace(wishes, later=True))

    def _remove(self, *, purge: bool, yes: bool, dry_run: bool, by_package: bool) -> int:
        self._need_root(dry_run)
        if (self.place.root / PACKAGE).exists() and not by_package:
            word = "purge" if purge else "remove"
            by_apt = Text("it came as a Debian package, so it goes as one: 'sudo apt {word} card-dispenser'")
            raise InstallError(by_apt.filled(word=word))
        if purge and not (yes or dry_run):
            if not self._asks:
                raise UsageError(Text("nobody can be asked here: --yes says that settings and journal shall go"))
            if not self._yes(Text("Settings and journal cannot be had back. Remove them?")):
                return FAILED
        self._carry_out(removal(self.place, look(self.place), purge=purge), dry_run=dry_run)
        if not purge:
            stay = Text("The settings and the journal stay: {folders}")
            self._say(stay.filled(folders=f"{self.place.settings.parent}, {self.place.state}"))
        return 0

    # --- questions -----------------------------------------------------------------------------------------------

    def _complete(self, wishes: Wishes, found: Found) -> Wishes:
        """The wishes, with an answer to each question that this machine leaves open.

        :raises UsageError: nobody can be asked.
        """
        if wishes.board is not None and wishes.board not in BOARDS:
            wrong = Text("--board {board}: no such board; take one of: {boards}")
            raise UsageError(wrong.filled(board=wishes.board, boards=", ".join(BOARDS)))
        if wishes.language is not None and wishes.language not in LANGUAGES:
            wrong = Text("--language {language}: take one of: {languages}")
            raise UsageError(wrong.filled(language=wishes.language, languages=", ".join(LANGUAGES)))
        asked = open_questions(wishes, found)
        if asked and not self._asks:
            needed = Text("nobody can be asked here, so these options are needed: {options}")
            raise UsageError(needed.filled(options=listed(asked.values(), "; ")))
        if "language" in asked:
            self.language = self._choice(Text("In which language shall it speak?"), _TONGUES)
            wishes = replace(wishes, language=self.language)
        if "board" in asked:
            wishes = replace(wishes, board=self._choice(Text("How is the launcher wired?"), BOARDS))
        if "phones" in asked:
            wishes = replace(wishes, phones=self._yes(Text("May phones in the house open the page and join a table?")))
        if "config_txt" in asked:
            why = Text(
                "A Pi keeps an output on when the program that set it dies. The line '{line}' in {file} mends that, "
                "from the next start of the Pi on. May it be added?"
            )
            answer = self._yes(why.filled(line=boot_config.LINE, file=found.boot_config))
            wishes = replace(wishes, config_txt=answer)
        return wishes

    def _choice(self, question: Text, answers: Mapping[str, Text | str]) -> str:
        self._say(question)
        for number, words in enumerate(answers.values(), 1):
            self._say(f"  {number}  {said(words, self.language)}")
        while True:
            answer = input(said(Text("A number from 1 to {most}: ").filled(most=len(answers)), self.language)).strip()
            if answer in answers:
                return answer
            if answer.isdecimal() and 1 <= int(answer) <= len(answers):
                return list(answers)[int(answer) - 1]

    def _yes(self, question: Text) -> bool:
        hint = said(Text("[y/n]"), self.language)
        while True:
            answer = input(f"{said(question, self.language)} {hint} ").strip().lower()[:1]
            if answer in {"y", "o", "n"}:
                return answer != "n"

    # --- doing and telling ---------------------------------------------------------------------------------------

    def _carry_out(self, stages: Sequence[Stage], *, dry_run: bool) -> None:
        for stage in stages:
            apart = "" if stage is stages[0] else "\n"
            self._say(f"{apart}== {said(stage.about, self.language)}")
            for step in stage.steps:
                if dry_run:
                    self._say(str(step))
                else:
                    self._before(step)
                    (replace(step, tell=self._say) if isinstance(step, Apt | Show) else step).do()

    def _say_last(self, wishes: Wishes, found: Found) -> None:
        if wishes.dry_run:
            return
        if found.settings is None and wishes.board is None:
            self._say(Text("Installed. Which launcher it is, 'sudo dispenser install' asks; then it starts."))
        if found.boot_config is not None and wishes.config_txt and not boot_config.has_line(found.boot_text):
            self._say(Text("Start the Pi again when it suits you, for the line in config.txt: sudo reboot"))

    def _need_root(self, dry_run: bool) -> None:
        if os.geteuid() and not dry_run and self.place == Place():
            raise PermissionError(sys.argv[0])

    def _go_on_there(self, folder: Path, words: Sequence[str], wishes: Wishes, wheel: WheelFile | None = None) -> int:
        """Another version installs itself, with its own units, and packages of its own lock file."""
        command = ["sh", str(folder / INSTALLER), *words]
        self._say(f"== {shlex.join(command)}")
        if not wishes.dry_run:
            if wheel is not None:
                wheel.unpack(folder)
            os.execv("/bin/sh", command)  # noqa: S606 - its own words
        return 0

    def _say(self, words: Text | str) -> None:
        self._write(sys.stdout, f"{said(words, self.language)}\n")

    def _complain(self, words: Text | SpokenError) -> None:
        self._write(sys.stderr, f"dispenser: {said(words, self.language)}\n")

    def _write(self, stream: TextIO, text: str) -> None:
        """That nobody reads any more is no reason to leave a machine half installed."""
        try:
            stream.write(text)
            stream.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


def open_questions(wishes: Wishes, found: Found) -> dict[str, Text | str]:
    """What must be known and is not, with the options that say it."""
    asked: dict[str, Text | str] = {}
    if wishes.language is None and not found.language:
        asked["language"] = f"--language {'|'.join(LANGUAGES)}"
    if found.settings is None:
        if wishes.board is None:
            asked["board"] = f"--board {'|'.join(BOARDS)}"
        if wishes.phones is None:
            asked["phones"] = "--phones|--no-phones"
    if wishes.config_txt is None and found.boot_config is not None and not boot_config.has_line(found.boot_text):
        asked["config_txt"] = "--config-txt|--no-config-txt"
    return asked


def words_of(wishes: Wishes) -> list[str]:
    """The options that say the same."""
    words = []
    for each in fields(wishes):
        option, value = f"--{each.name.replace('_', '-')}", getattr(wishes, each.name)
        if isinstance(value, bool):
            words += [option] if value else [f"--no-{option[2:]}"] if each.default is None else []
        elif value is not None:
            words += [option, str(value.resolve() if isinstance(value, Path) else value)]
    return words


def _from(start: Path, wishes: Wishes) -> Wishes:
    if start.suffix == ".whl" and start.is_file():
        return replace(wishes, wheel=start)
    if any(start.glob(f"{NAME}-*.whl")):
        return replace(wishes, wheels=start)
    raise UsageError(Text("{start}: neither the project's folder nor a wheel of it").filled(start=start))
