"""What a person types in a match at the terminal: a move in words, or a card by its number in the hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import Final

from dispenser.cli.rules_asked import MOST_DIGITS, not_in_hand
from dispenser.rules import Game
from dispenser.rules.book.entry import LANGUAGES, Text
from dispenser.rules.cards import PLAYING_CARDS
from dispenser.rules.grouping import list_choices
from dispenser.rules.moves import CANCEL, DIRECTION, JUMP_IN, STAND, Move, card_of, kind_of
from dispenser.rules.notation import NotationError, card_text, move_text, read_move
from dispenser.rules.observation import observe
from dispenser.rules.phrases import words as words_of

ME: Final = 0
"""The seat of the person."""
_ANNOUNCING: Final = {"uno", "carte"}
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

    def __init__(self, game: Game, names: Sequence[str], language: str, ask: Callable[[str], str]) -> None:
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

        :raises NotationError: it is no move, or can be several.
        """
        words = answer.split()
        said = False
        if len(words) > 1 and _plain(words[-1]) in _ANNOUNCING:
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
            move = read_move(self._game, ME, text, self._names)
        meant = next((kind | move for kind in (JUMP_IN, CANCEL, STAND) if kind | move in legal), move)
        return said, move if move in legal else meant

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
        if len(ways) > 1 and not choice:
            choices = list_choices(self._game, ways, self._language, self._names)
            choice = self._ask(_WHICH[self._language].format(name, choices))
        verb = "jump in with " if ways and kind_of(ways[0]) == JUMP_IN else ""
        return read_move(self._game, ME, f"{verb}{name} {choice}", self._names)


def _plain(word: str) -> str:
    return word.strip("!.,:").lower()


def _ways(card: int, legal: Sequence[Move]) -> list[Move]:
    """The legal moves that lay a card."""
    return [move for move in legal if kind_of(move) <= CANCEL and card_of(move) == card]
