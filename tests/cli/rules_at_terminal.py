"""A match at the terminal for tests: typing that is scripted, and paper to look at."""

from __future__ import annotations

import errno
import io
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from dispenser.cli.match import keyboard
from dispenser.cli.match import saved as rules_saved
from dispenser.cli.match.match import Match
from dispenser.cli.match.sitting import Sitting
from dispenser.cli.rules import rules_app
from dispenser.cli.rules.play import play
from dispenser.odds.odds import Odds
from dispenser.odds.presets import design_from_settings
from dispenser.rules import Game, new_game
from dispenser.rules.words.phrases import YOU

HANDS = [[1, 2, 7, 15, 52], [1, 2, 3, 4, 6], [30, 31, 32, 33, 34]]
"""Seat 1: red 1, 2 and 7, yellow 2 and a wild; a red 5 lies on the table."""
PROMPTS = ("You> ", "Toi> ")


def run(*arguments: str, typed: str = "", **environment: str) -> Result:
    assert play in [command.callback for command in rules_app.registered_commands]
    surroundings = {"COLUMNS": "80", "LC_ALL": "C", "NO_COLOR": "1", "FORCE_COLOR": None} | environment
    return CliRunner().invoke(rules_app, ("play", *arguments), input=typed, env=surroundings)


def flat(page: str) -> str:
    """Without the ends of the lines."""
    return re.sub(r" *\n", " ", page)


def uno(hands: list[list[int]] | None = None, first: int = 5, **options: int) -> Game:
    game = new_game("uno", 3, options, seed=7)
    game.begin(dealer=2, hands=hands or HANDS, first=first)
    return game


class FakeFile(rules_saved.MatchFile):
    """Writes nothing, but remembers what it was to write; or there is no room."""

    full = False

    def write(self, game: Game, elsewhere: Path | None = None) -> Path:
        if self.full and elsewhere is None:
            raise OSError(errno.ENOSPC, "No space left on device")
        self.written = len(game.log)
        return elsewhere or self.path


class Table:
    """A match with scripted typing; what is printed can be looked at."""

    def __init__(self, game: Game, language: str = "en", preset: str = "toy") -> None:
        self.game = game
        self.paper = io.StringIO()
        seating = rules_saved.Seating((None, "Bob", "Chloé", "Dimitri", "Emma", "Farid")[: game.seats], preset)
        self.names = seating.called(YOU)
        self.shown = seating.called({"en": "You", "fr": "Toi"}[language])
        self.file = FakeFile(Path("not-saved.json"), seating, own=False)
        console = Console(file=self.paper, width=80, highlight=False)
        odds = Odds(design_from_settings({"preset": preset}), bytes(32))
        self.match = Match(Sitting(game, language, console, self.file, odds), Random(1))

    def type(self, monkeypatch: pytest.MonkeyPatch, answer: Callable[[str], str]) -> None:
        """Answer each prompt; what is typed is shown as a person would see it."""

        def ask(_: keyboard.Keyboard, prompt: str, within_s: float | None = None) -> str:
            typed = answer(prompt)
            print(prompt + typed, file=self.paper)
            return typed

        monkeypatch.setattr(keyboard.Keyboard, "ask", ask)

    def lines(self, monkeypatch: pytest.MonkeyPatch, *typed: str) -> str:
        """Type some lines, then go; returns all that was printed."""
        waiting = iter(typed)

        def answer(_: str) -> str:
            line = next(waiting, None)
            if line is None:
                raise EOFError
            return line

        self.type(monkeypatch, answer)
        assert self.match.play() is False
        return self.paper.getvalue()
