"""What a person types in a match at the terminal: a move in words, or a card by its number in the hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import Enum, auto
from typing import Final

from dispenser.cli.match.asked import MOST_DIGITS, not_in_hand
from dispenser.cli.match.names import ME
from dispenser.language import LANGUAGES, Text
from dispenser.rules import Game
from dispenser.rules.engine.moves import LAYING, Act, Move
from dispenser.rules.words.cards import words as words_of
from dispenser.rules.words.grouping import in_common, list_choices
from dispenser.rules.words.notation import (
    NotationError,
    card_text,
    move_text,
    read_card,
    read_move,
    without_announcement,
)
from dispenser.rules.words.phrases import Name, phrases_of

_RUN_TOGETHER: Final = re.compile(r"(\d+)(uno|carte)\b[!.]*", re.IGNORECASE)
_INSTEAD: Final = {
    Act.LAY: (Act.JUMP_IN, Act.CANCEL, Act.STAND),
    Act.DRAW: (Act.TAKE,),
    Act.CATCH: (Act.CATCH_RETRACT,),
}
"""What a move can stand for when it is not allowed itself: a 7 is jumped in with, the cards of a chain are drawn."""
_WHICH: Final = Text("{card}: {choices}? ")
_EITHER: Final = Text("that can be “{one}” or “{other}”: write it out")


class Command(Enum):
    """What can be typed beside moves."""

    HELP = auto()
    QUIT = auto()
    UNDO = auto()
    SHOW = auto()
    RULES = auto()


_COMMANDS: Final = {
    **dict.fromkeys(("help", "aide"), Command.HELP),
    **dict.fromkeys(("q", "quit", "exit", "quitter"), Command.QUIT),
    **dict.fromkeys(("u", "undo", "annuler"), Command.UNDO),
    **dict.fromkeys(("h", "hand", "main"), Command.SHOW),
    **dict.fromkeys(("r", "rule", "rules", "regle", "regles"), Command.RULES),
}
_WITH_MORE: Final = {Command.QUIT, Command.RULES}
"""A file name, or what the rules are asked of, may stand behind."""


class Typed:
    """Reads what is typed in a match.

    :param ask: asks for a choice that a card needs.
    :param refuse: says what is wrong with an answer, before it is asked for again.
    """

    def __init__(
        self,
        game: Game,
        names: Sequence[Name],
        language: str,
        ask: Callable[[str], str],
        refuse: Callable[[NotationError], None],
    ) -> None:
        self._game = game
        self._names = tuple(names)
        self._language = language
        self._ask = ask
        self._refuse = refuse

    def command(self, answer: str) -> tuple[Command | None, str]:
        """The command that was typed, and what stands behind it; no command when it is to be read as a move."""
        first, _, rest = answer.partition(" ")
        if first == "?":
            return Command.HELP, ""
        spelt = words_of(first)
        command = _COMMANDS.get(spelt[0]) if len(spelt) == 1 and first.isalpha() else None
        if command is None or (rest and command not in _WITH_MORE):
            return None, ""
        meant = {"annuler": Act.CANCEL, "r": Act.CHOOSE_DIRECTION}.get(answer.lower())
        if any(move.act is meant for move in self._game.legal_moves(ME)):
            return None, ""
        return command, rest.strip()

    def read(self, answer: str) -> tuple[bool, Move]:
        """Whether the last card is announced along with the move, and the move, legal or not.

        What a card still asks for is asked for.

        :raises NotationError: it is no move, or can be several.
        """
        text, said = without_announcement(self._game, _RUN_TOGETHER.sub(r"\1 \2", answer, count=1))
        legal = self._game.legal_moves(ME)
        first, _, rest = text.partition(" ")
        number = int(first) if first.isdecimal() and len(first) <= MOST_DIGITS else -1
        by_number = number >= 0 and self._means_number(number, text, legal)
        move = self._by_number(number, rest.strip(), legal) if by_number else self._whole(text, legal)
        return said, _as_allowed(move, legal)

    def _means_number(self, number: int, text: str, legal: Sequence[Move]) -> bool:
        """Whether a number is a place in the hand: ``4``, ``4 green`` of a wild; but not in ``4 green`` of that card.

        :raises NotationError: it can be both.
        """
        if text.isdecimal():
            return True
        hand = self._game.observe(ME).hand
        choosing = 1 <= number <= len(hand) and len(_ways(hand[number - 1], legal)) > 1
        if not choosing:
            return False
        try:
            named = read_move(self._game, ME, text, self._names)
        except NotationError:
            return True
        if named in legal:
            written = [move_text(self._game, named, language) for language in LANGUAGES]
            if sorted(words_of(text)) in [sorted(words_of(name)) for name in written]:
                return False
            self._refuse_both(named, self._by_number(number, text.partition(" ")[2], legal))
        return True

    def _refuse_both(self, named: Move, numbered: Move) -> None:
        texts = phrases_of(self._game, self._names)
        raise NotationError(_EITHER.filled(one=texts.text(named), other=texts.text(numbered)), (named, numbered))

    def _by_number(self, number: int, choice: str, legal: Sequence[Move]) -> Move:
        """A card by its number in the hand, with what its player chooses."""
        cards = self._game.observe(ME).hand
        if not 1 <= number <= len(cards):
            raise not_in_hand(len(cards))
        name = card_text(self._game, cards[number - 1], self._language)
        ways = _ways(cards[number - 1], legal)
        if len(ways) == 1 and not choice:
            return ways[0]
        verb = "jump in with " if ways and ways[0].act is Act.JUMP_IN else ""
        return self._whole(f"{verb}{name} {choice}", legal)

    def _whole(self, text: str, legal: Sequence[Move]) -> Move:
        """Read a move, and ask for what its card needs beside what was said.

        An answer that nobody understands is asked for again: the card that was chosen is not lost.

        :raises NotationError: it is no move, or can be several, or nothing more was said.
        """
        read, ways = self._read(text, legal)
        while ways:
            chosen = self._ask_for_choice(ways)
            if not chosen:
                break
            try:
                read, ways = self._read(f"{text} {chosen}", legal)
            except NotationError as error:
                self._refuse(error)
            else:
                text = f"{text} {chosen}"
        if isinstance(read, NotationError):
            raise read
        return read

    def _read(self, text: str, legal: Sequence[Move]) -> tuple[Move | NotationError, Sequence[Move]]:
        """The move, or why it is none yet; and the ways to go on, when a choice is still open.

        :raises NotationError: it is none, and no choice makes it one.
        """
        try:
            move = read_move(self._game, ME, text, self._names)
        except NotationError as error:
            ways = self._of_one_card(text, error.begun)
            if not ways:
                raise
            return error, ways
        return move, () if move in legal else [way for way in legal if _says_more(way, move)]

    def _of_one_card(self, text: str, begun: Sequence[Move]) -> Sequence[Move]:
        """The moves that words can be the beginning of, when all lay the same card; « joker » is not a « joker +4 »."""
        with suppress(NotationError):
            named = read_card(self._game, text)
            begun = [move for move in begun if move.card == named] or begun
        one = len({(move.act, move.card) for move in begun}) == 1 and begun[0].act in LAYING
        return begun if one else ()

    def _ask_for_choice(self, ways: Sequence[Move]) -> str:
        """What the person chooses of that with which a card can be laid."""
        card = move_text(self._game, in_common(ways), self._language, self._names)  # « joker en 8 de trèfle »
        choices = list_choices(self._game, ways, self._language, self._names)
        return self._ask(_WHICH.filled(card=card, choices=choices)[self._language])


def _says_more(move: Move, than: Move) -> bool:
    """Whether both lay the same card, and one of them names more choices."""
    return all(said in {None, more} for said, more in zip(than, move, strict=True)) and move != than


def _as_allowed(move: Move, legal: Sequence[Move]) -> Move:
    """The move, or what it must mean now."""
    if move in legal:
        return move
    others = (_instead(move, act) for act in _INSTEAD.get(move.act, ()))
    return next((other for other in others if other in legal), move)


def _instead(move: Move, act: Act) -> Move:
    if act is Act.STAND:
        return Move(act, colour=move.colour, stands_for=move.card)
    return move._replace(act=act)


def _ways(card: int, legal: Sequence[Move]) -> list[Move]:
    """The legal moves that lay a card."""
    return [move for move in legal if move.act in LAYING and move.card == card]
