"""Asks whoever sits at the terminal what an installation must know, in their language."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace

from dispenser.drivers.gpio import boot_config
from dispenser.i18n import LANGUAGES, SpokenError, Text, listed, said
from dispenser.system.install.detect import Detected
from dispenser.system.install.options import BOARDS, Options

_LANGUAGE_NAMES = {"en": "English", "fr": "français"}


class UsageError(SpokenError, ValueError):
    """Something is needed that nobody can be asked for, or an option is wrong."""


class Terminal:
    """Questions and answers on standard input and output.

    :param language: in which it speaks, until another one is chosen.
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self._can_ask = sys.stdin.isatty()

    def complete(self, options: Options, found: Detected) -> Options:
        """The options, with an answer to each question that this machine leaves open.

        :raises UsageError: nobody can be asked, or an option names what there is not.
        """
        for option, value, allowed in (("board", options.board, BOARDS), ("language", options.language, LANGUAGES)):
            if value is not None and value not in allowed:
                wrong = Text("--{option} {value}: there is none of that name; take one of: {names}")
                raise UsageError(wrong.filled(option=option, value=value, names=", ".join(allowed)))
        missing = _missing(options, found)
        if missing and not self._can_ask:
            needed = Text("nobody can be asked here, so these options are needed: {options}")
            raise UsageError(needed.filled(options=listed(missing.values(), "; ")))
        if "language" in missing:
            self.language = self._choose(Text("In which language shall it speak?"), _LANGUAGE_NAMES)
            options = replace(options, language=self.language)
        if "board" in missing:
            options = replace(options, board=self._choose(Text("How is the launcher wired?"), BOARDS))
        if "phones" in missing:
            question = Text("May phones in the house open the page and join a table?")
            options = replace(options, phones=self._confirm(question))
        if "config_txt" in missing:
            question = Text(
                "A Pi keeps an output on when the program that set it dies. The line '{line}' in {file} mends that, "
                "from the next start of the Pi on. May it be added?"
            )
            question = question.filled(line=boot_config.LINE, file=found.boot_config)
            options = replace(options, config_txt=self._confirm(question))
        return options

    def confirm_purge(self) -> bool:
        """Ask whether settings and journal shall go, too.

        :raises UsageError: nobody can be asked.
        """
        if not self._can_ask:
            raise UsageError(Text("nobody can be asked here: --yes says that settings and journal shall go"))
        return self._confirm(Text("Settings and journal cannot be had back. Remove them?"))

    def say(self, words: object, *, before: str = "") -> None:
        """Write a line."""
        sys.stdout.write(f"{before}{said(words, self.language)}\n")
        sys.stdout.flush()

    def complain(self, words: object) -> None:
        """Write a line about what went wrong."""
        sys.stderr.write(f"dispenser: {said(words, self.language)}\n")

    def _choose(self, question: Text, answers: Mapping[str, Text | str]) -> str:
        self.say(question)
        for number, words in enumerate(answers.values(), 1):
            self.say(f"  {number}  {said(words, self.language)}")
        ask = said(Text("A number from 1 to {most}: ").filled(most=len(answers)), self.language)
        numbered = {str(number): answer for number, answer in enumerate(answers, 1)}
        while (typed := input(ask).strip()) not in numbered:
            pass
        return numbered[typed]

    def _confirm(self, question: Text) -> bool:
        while True:
            answer = input(f"{said(question, self.language)} {said(Text('[y/n]'), self.language)} ").strip().lower()[:1]
            if answer in {"y", "o", "n"}:
                return answer != "n"


def _missing(options: Options, found: Detected) -> dict[str, str]:
    """What must be known and is not, with the options that say it."""
    missing = {}
    if options.language is None and not found.language:
        missing["language"] = f"--language {'|'.join(LANGUAGES)}"
    if found.settings is None and options.board is None:
        missing["board"] = f"--board {'|'.join(BOARDS)}"
    if found.settings is None and options.phones is None:
        missing["phones"] = "--phones|--no-phones"
    if options.config_txt is None and found.boot_config is not None and not boot_config.has_line(found.boot_text):
        missing["config_txt"] = "--config-txt|--no-config-txt"
    return missing
