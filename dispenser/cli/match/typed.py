"""What a person types in a match at the terminal: a move in words, or a card by its number in the hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from dispenser.cli.match.help import MOST_DIGITS, card_numbered
from dispenser.cli.match.saved import ME
from dispenser.cli.match.screen import Screen
from dispenser.i18n import LANGUAGES, Text
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
from dispenser.rules.words.phrases import phrases_of

_RUN_TOGETHER: Final = re.compile(r"(\d+)(uno|carte)\b[!.]*", re.IGNORECASE)
_INSTEAD: Final = {
    Act.LAY: (Act.JUMP_IN, Act.CANCEL, Act.STAND),
    Act.DRAW: (Act.TAKE,),
    Act.CATCH: (Act.CATCH_RETRACT,),
}
"""What a move can stand for when it is not allowed itself: a 7 is jumped in with, the cards of a chain are drawn."""
_COMMANDS: Final = {
    "help": "help aide",
    "quit": "q quit exit quitter",
    "undo": "u undo annuler",
    "show": "h hand main",
    "rules": "r rule rules regle regles",
}
"""What can be typed beside moves, by what it is."""
_COMMAND_OF: Final = {word: command for command, words in _COMMANDS.items() for word in words.split()}
_WITH_MORE: Final = {"quit", "rules"}
"""A file name, or what the rules are asked of, may stand behind."""


class Typed:
    """Reads what is typed in a match.

    :param screen: says what is wrong with an answer, before it is asked for again.
    :param ask: asks for a choice that a card needs.
    """

    def __init__(self, game: Game, screen: Screen, ask: Callable[[str], str]) -> None:
        self._game = game
        self._names = screen.names
        self._language = screen.language
        self._refuse = screen.refuse
        self._ask = ask

    def command(self, answer: str) -> tuple[str, str]:
        """The command that was typed, and what stands behind it; an empty one when it is to be read as a move."""
        first, _, rest = answer.partition(" ")
        if first == "?":
            return "help", ""
        spelt = words_of(first)
        command = _COMMAND_OF.get(spelt[0], "") if len(spelt) == 1 and first.isalpha() else ""
        meant = {"annuler": Act.CANCEL, "r": Act.CHOOSE_DIRECTION}.get(answer.lower())
        if (rest and command not in _WITH_MORE) or any(move.act is meant for move in self._game.legal_moves(ME)):
            return "", ""
        return command, rest.strip()

    def read(self, answer: str) -> tuple[bool, Move]:
        """Whether the last card is announced along with the move, and the move, legal or not.

        What a card still asks for is asked for.

        :raises NotationError: it is no move, or can be several.
        """
        text, said = without_announcement(self._game, _RUN_TOGETHER.sub(r"\1 \2", answer, count=1))
        legal = self._game.legal_moves(ME)
        return said, _as_allowed(self._by_number(text, legal) or self._whole(text, legal), legal)

    def _by_number(self, text: str, legal: Sequence[Move]) -> Move | None:
        """A card by its number in the hand, with what its player chooses: ``4``, ``4 green`` of a wild.

        :returns: nothing where the number is part of a card's name, as in ``4 green`` of that card.
        :raises NotationError: it can be both, or there is no such card.
        """
        number, _, choice = text.partition(" ")
        if not number.isdecimal() or len(number) > MOST_DIGITS:
            return None
        try:
            card = card_numbered(self._game, ME, number)
        except NotationError:
            if choice:
                return None
            raise
        ways = [move for move in legal if move.act in LAYING and move.card == card]
        if choice and len(ways) < 2:
            return None
        if len(ways) == 1:
            return ways[0]
        verb = "jump in with " if ways and ways[0].act is Act.JUMP_IN else ""
        numbered = f"{verb}{card_text(self._game, card, self._language)} {choice}"
        named = self._legal(text, legal) if choice else None
        if named is None:
            return self._whole(numbered, legal)
        written = (move_text(self._game, named, language) for language in LANGUAGES)
        if sorted(words_of(text)) in [sorted(words_of(each)) for each in written]:
            return named
        both, texts = (named, self._whole(numbered, legal)), phrases_of(self._game, self._names)
        either = Text("that can be “{one}” or “{other}”: write it out")
        raise NotationError(either.filled(one=texts.text(both[0]), other=texts.text(both[1])), both)

    def _legal(self, text: str, legal: Sequence[Move]) -> Move | None:
        """The legal move that the words are, if they are one."""
        with suppress(NotationError):
            move = read_move(self._game, ME, text, self._names)
            return move if move in legal else None
        return None

    def _whole(self, text: str, legal: Sequence[Move]) -> Move:
        """Read a move, and ask for what its card needs beside what was said.

        An answer that nobody understands is asked for again: the card that was chosen is not lost.

        :raises NotationError: it is no move, or can be several, or nothing more was said.
        """
        read, ways = self._read(text, legal)
        while ways and (chosen := self._ask_for_choice(ways)):
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
        return begun if len({(move.act, move.card) for move in begun}) == 1 and begun[0].act in LAYING else ()

    def _ask_for_choice(self, ways: Sequence[Move]) -> str:
        """What the person chooses of that with which a card can be laid."""
        card = move_text(self._game, in_common(ways), self._language, self._names)  # « joker en 8 de trèfle »
        choices = list_choices(self._game, ways, self._language, self._names)
        return self._ask(Text("{card}: {choices}? ").filled(card=card, choices=choices)[self._language])


def _says_more(move: Move, than: Move) -> bool:
    """Whether both lay the same card, and one of them names more choices."""
    return move is not than and than.said().items() <= move.said().items()


def _as_allowed(move: Move, legal: Sequence[Move]) -> Move:
    """The move, or what it must mean now."""
    stand = Move(Act.STAND, colour=move.colour, stands_for=move.card)
    others = [stand if act is Act.STAND else move.but(act) for act in _INSTEAD.get(move.act, ())]
    return next((each for each in (move, *others) if each in legal), move)
