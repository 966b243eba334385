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
from dispenser.rules.cards import PLAYING_CARDS
from dispenser.rules.grouping import list_choices
from dispenser.rules.moves import (
    CANCEL,
    CATCH,
    CATCH_RETRACT,
    DIRECTION,
    DRAW,
    JUMP_IN,
    PLAY,
    STAND,
    TAKE,
    Move,
    card_of,
    first_choice,
    kind_of,
    second_choice,
)
from dispenser.rules.notation import NotationError, card_text, move_text, read_card, read_move
from dispenser.rules.observation import observe
from dispenser.rules.phrases import Name
from dispenser.rules.phrases import words as words_of

_ANNOUNCING: Final = {"uno", "carte"}
_SAYING: Final = {"say", "dire"}
_FIRST_CHOICE: Final = 0xFFFF
"""The bits of a move that say the card and the first choice."""
_RUN_TOGETHER: Final = re.compile(r"(\d+)(uno|carte)\b[!.]*", re.IGNORECASE)
_INSTEAD: Final = {PLAY: (JUMP_IN, CANCEL, STAND), DRAW: (TAKE,), CATCH: (CATCH_RETRACT,)}
"""What a move can stand for when it is not allowed itself: a 7 is jumped in with, the cards of a chain are drawn."""
_WHICH: Final = Text("{}: {}? ", "{} : {} ? ")
_EITHER: Final = Text(
    "that can be “{}” or “{}”: write it out",
    "cela peut être «\u00a0{}\u00a0» ou «\u00a0{}\u00a0»\u00a0: écris-le en entier",
)


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
    """

    def __init__(self, game: Game, names: Sequence[Name], language: str, ask: Callable[[str], str]) -> None:
        self._game = game
        self._names = tuple(names)
        self._language = language
        self._ask = ask

    def command(self, answer: str) -> tuple[Command | None, str]:
        """The command that was typed, and what stands behind it; no command when it is to be read as a move."""
        first, _, rest = answer.partition(" ")
        if first == "?":
            return Command.HELP, ""
        spelt = words_of(first)
        command = _COMMANDS.get(spelt[0]) if len(spelt) == 1 and first.isalpha() else None
        if command is None or (rest and command not in _WITH_MORE):
            return None, ""
        kinds = {kind_of(move) for move in self._game.legal_moves(ME)}
        if (first.lower() == "annuler" and CANCEL in kinds) or (answer.lower() == "r" and DIRECTION in kinds):
            return None, ""
        return command, rest.strip()

    def read(self, answer: str) -> tuple[bool, Move]:
        """Whether the last card is announced along with the move, and the move, legal or not.

        What a card still asks for is asked for.

        :raises NotationError: it is no move, or can be several.
        """
        words = _RUN_TOGETHER.sub(r"\1 \2", answer, count=1).split()
        said = False
        if len(words) > 1 and _plain(words[-1]) in _ANNOUNCING and _plain(" ".join(words[:-1])) not in _SAYING:
            words.pop()
            said = True
        elif len(words) > 1 and _plain(words[0]) in _ANNOUNCING and self._announces_first(words[0]):
            del words[0]
            said = True
        text = " ".join(words)
        legal = self._game.legal_moves(ME)
        number = int(words[0]) if words[0].isdecimal() and len(words[0]) <= MOST_DIGITS else -1
        if number >= 0 and self._means_number(number, text, legal):
            move = self._by_number(number, " ".join(words[1:]), legal)
        else:
            move = self._whole(text, legal)
        return said, _as_allowed(move, legal)

    def _announces_first(self, word: str) -> bool:
        """Whether the word is what is said here, and not the beginning of « carte à customiser »."""
        return _plain(word) == "uno" or self._game.cards is PLAYING_CARDS

    def _means_number(self, number: int, text: str, legal: Sequence[Move]) -> bool:
        """Whether a number is a place in the hand: ``4``, ``4 green`` of a wild; but not in ``4 green`` of that card.

        :raises NotationError: it can be both.
        """
        if text.isdecimal():
            return True
        hand = observe(self._game, ME).hand
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
        english, french = (
            template.format(*(move_text(self._game, move, language, self._names) for move in (named, numbered)))
            for language, template in (("en", _EITHER.en), ("fr", _EITHER.fr))
        )
        raise NotationError(Text(english, french), (named, numbered))

    def _by_number(self, number: int, choice: str, legal: Sequence[Move]) -> Move:
        """A card by its number in the hand, with what its player chooses."""
        cards = observe(self._game, ME).hand
        if not 1 <= number <= len(cards):
            raise not_in_hand(len(cards))
        name = card_text(self._game, cards[number - 1], self._language)
        ways = _ways(cards[number - 1], legal)
        if len(ways) == 1 and not choice:
            return ways[0]
        verb = "jump in with " if ways and kind_of(ways[0]) == JUMP_IN else ""
        return self._whole(f"{verb}{name} {choice}", legal)

    def _whole(self, text: str, legal: Sequence[Move]) -> Move:
        """Read a move, and ask for what its card needs beside what was said.

        :raises NotationError: it is no move, or can be several, or nothing more was said.
        """
        while True:
            try:
                move = read_move(self._game, ME, text, self._names)
            except NotationError as error:
                ways = self._of_one_card(text, error.begun)
                if not ways:
                    raise
                chosen = self._choice(ways)
                if not chosen:
                    raise
            else:
                ways = () if move in legal else tuple(way for way in legal if _says_more(way, move))
                chosen = self._choice(ways) if ways else ""
                if not chosen:
                    return move
            text = f"{text} {chosen}"

    def _of_one_card(self, text: str, begun: Sequence[Move]) -> Sequence[Move]:
        """The moves that words can be the beginning of, when all lay the same card; « joker » is not a « joker +4 »."""
        with suppress(NotationError):
            named = read_card(self._game.cards, text)
            begun = [move for move in begun if card_of(move) == named] or begun
        one = len({(kind_of(move), card_of(move)) for move in begun}) == 1 and kind_of(begun[0]) <= CANCEL
        return begun if one else ()

    def _choice(self, ways: Sequence[Move]) -> str:
        """What the person chooses of that with which a card can be laid."""
        said = {way & _FIRST_CHOICE for way in ways}  # « joker en 8 de trèfle », the suit is open
        name = card_text(self._game, card_of(ways[0]), self._language)
        if len(said) == 1:
            name = move_text(self._game, said.pop(), self._language, self._names)
        choices = list_choices(self._game, ways, self._language, self._names)
        return self._ask(_WHICH[self._language].format(name, choices))


def _says_more(move: Move, than: Move) -> bool:
    """Whether both lay the same card, and one of them names more choices."""
    return (kind_of(move), card_of(move)) == (kind_of(than), card_of(than)) and all(
        choice_of(than) in {-1, choice_of(move)} for choice_of in (first_choice, second_choice)
    )


def _as_allowed(move: Move, legal: Sequence[Move]) -> Move:
    """The move, or what it must mean now."""
    if move in legal:
        return move
    kind = kind_of(move)
    others = (other | (move - kind) for other in _INSTEAD.get(kind, ()))
    return next((other for other in others if other in legal), move)


def _plain(word: str) -> str:
    return word.strip("!.,:").lower()


def _ways(card: int, legal: Sequence[Move]) -> list[Move]:
    """The legal moves that lay a card."""
    return [move for move in legal if kind_of(move) <= CANCEL and card_of(move) == card]
