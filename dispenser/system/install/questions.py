"""Ask the questions of the installation in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace

from dispenser.drivers.gpio import boot_config
from dispenser.i18n import LANGUAGES, SpokenError, Text, said
from dispenser.system.install.detect import Detected
from dispenser.system.install.options import BOARDS, Options

_LANGUAGE_NAMES = {"en": "English", "fr": "français"}
_OPTIONS = f"--language {'|'.join(LANGUAGES)}; --board {'|'.join(BOARDS)}; --[no-]phones; --[no-]config-txt"


class UsageError(SpokenError, ValueError):
    """A required answer cannot be asked for, or an option is wrong."""


class Terminal:
    """Questions and messages on standard input and output."""

    def __init__(self, language: str) -> None:
        self.language = language

    def complete(self, options: Options, found: Detected) -> Options:
        """Ask for the options that neither the command line nor this machine determines.

        :raises UsageError: input is not a terminal, or an option has an unknown value.
        """
        for option, value, allowed in (("board", options.board, BOARDS), ("language", options.language, LANGUAGES)):
            if value is not None and value not in allowed:
                wrong = Text("--{option} {value}: there is none of that name; take one of: {names}")
                raise UsageError(wrong.filled(option=option, value=value, names=", ".join(allowed)))
        if options.language is None and not found.language:
            self.language = self._choose(Text("In which language shall it speak?"), _LANGUAGE_NAMES)
            options = replace(options, language=self.language)
        if options.board is None and found.settings is None:
            options = replace(options, board=self._choose(Text("How is the launcher wired?"), BOARDS))
        if options.phones is None and found.settings is None:
            question = Text("May phones in the house open the page and join a table?")
            options = replace(options, phones=self.confirm(question))
        if options.config_txt is None and found.boot_config and not boot_config.has_line(found.boot_text):
            question = Text(
                "A Pi keeps an output on when the program that set it dies. The line '{line}' in {file} mends that, "
                "from the next start of the Pi on. May it be added?"
            ).filled(line=boot_config.LINE, file=found.boot_config)
            options = replace(options, config_txt=self.confirm(question))
        return options

    def confirm(self, question: Text, needed: str = _OPTIONS) -> bool:
        """Ask a yes/no question.

        :param needed: options that replace the question, for the error text.
        :raises UsageError: input is not a terminal.
        """
        answer = ""
        while answer not in {"y", "o", "n"}:
            hint = Text("[y/n]")
            answer = self._ask(f"{said(question, self.language)} {said(hint, self.language)} ", needed).lower()[:1]
        return answer != "n"

    def _choose(self, question: Text, answers: Mapping[str, Text | str]) -> str:
        prompt = [said(question, self.language)]
        prompt += [f"  {number}  {said(words, self.language)}" for number, words in enumerate(answers.values(), 1)]
        prompt.append(said(Text("A number from 1 to {most}: ").filled(most=len(answers)), self.language))
        numbered = {str(number): answer for number, answer in enumerate(answers, 1)}
        while (typed := self._ask("\n".join(prompt), _OPTIONS)) not in numbered:
            prompt = prompt[-1:]
        return numbered[typed]

    @staticmethod
    def _ask(prompt: str, needed: str) -> str:
        if not sys.stdin.isatty():
            text = Text("nobody can be asked here, so these options are needed: {options}")
            raise UsageError(text.filled(options=needed))
        return input(prompt).strip()

    def say(self, words: object, *, before: str = "") -> None:
        sys.stdout.write(f"{before}{said(words, self.language)}\n")
        sys.stdout.flush()

    def complain(self, words: object) -> None:
        sys.stderr.write(f"dispenser: {said(words, self.language)}\n")
