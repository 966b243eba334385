"""How a round begins: who deals, which hands, which card first, which cards next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from dispenser.rules import reasons
from dispenser.rules.book.entry import Text
from dispenser.rules.errors import IllegalMove
from dispenser.rules.events import DEALER_DREW, Event
from dispenser.rules.game import Game
from dispenser.scenario.rules.tables import Mistakes, ScenarioError, Table, WrongValueError, within
from dispenser.scenario.rules.words import Words

THE_REST: Final = "the rest"
KEYS: Final = ("dealer", "dealer_draw", "hands", "first", "pile")
TOP_KEYS: Final = ("title", "why", "game", "rules", "players", "options", "presses", "hidden", "seed", *KEYS)
_WRONG_DRAW: Final = Text(
    "dealer_draw: first a card for every player who draws, then one for each of those who drew the best, until one "
    "is left",
    "dealer_draw\u00a0: d’abord une carte pour chaque joueur qui tire, puis une pour chacun de ceux qui ont tiré la "
    "meilleure, jusqu’à ce qu’il n’en reste qu’un",
)
_NO_HAND: Final = Text(
    "in a file, what stands below [hands] is a hand: write this line above it",
    "dans un fichier, ce qui suit [hands] est une main\u00a0: écris cette ligne au-dessus",
)


@dataclass(frozen=True, slots=True)
class Deal:
    """What is said about the beginning of a round; ``None`` and empty is left to the game.

    :ivar draws: cards drawn for the deal, seat and card, in the order of drawing.
    :ivar pile: the next cards of the draw pile, the next one first.
    """

    dealer: int | None = None
    draws: tuple[tuple[int, int], ...] = ()
    hands: tuple[tuple[int, ...], ...] | None = None
    first: int | None = None
    pile: tuple[int, ...] = ()

    def do(self, game: Game) -> list[Event]:
        """Begin the round.

        :raises IllegalMove: the game refuses.
        :raises ScenarioError: the cards drawn for the deal are not those that had to be drawn.
        """
        drawn = [card for _, card in self.draws]
        pile = self.pile if self.pile or game.chance is None else None
        try:
            events = game.begin(dealer=self.dealer, draws=drawn or None, hands=self.hands, pile=pile, first=self.first)
        except IllegalMove as error:
            if error.reason in {reasons.MORE_DRAWS, reasons.FEWER_DRAWS}:
                raise ScenarioError(_WRONG_DRAW) from error
            raise
        if self.draws and self.draws != tuple((seat, card) for code, seat, card in events if code == DEALER_DREW):
            raise ScenarioError(_WRONG_DRAW)
        return events


def read_deal(table: Table, words: Words, game: Game) -> Deal:
    """The keys of a deal, which stand at the top of the file or below a step's ``deal``.

    :raises ScenarioError: naming table, key, wrong value and remedy.
    """
    mistakes = Mistakes()
    hands: tuple[tuple[int, ...] | None, ...] | None = None
    draws: tuple[tuple[int, int], ...] = ()
    pile: tuple[int, ...] = ()
    first = dealer = None
    with mistakes.noted():
        hands = _read_hands(table.table("hands"), words) if "hands" in table else None
    with mistakes.noted():
        pile = _read(table, "pile", words.cards) or ()
    with mistakes.noted():
        first = _read(table, "first", words.card)
    with mistakes.noted():
        dealer = _read(table, "dealer", words.seat)
    with mistakes.noted():
        draws = _read_draws(table, words)
    mistakes.tell()
    return Deal(
        dealer=dealer,
        draws=draws,
        hands=None if hands is None else _with_the_rest(table, hands, pile, first, game),
        first=first,
        pile=pile,
    )


def _read(table: Table, key: str, read: Any) -> Any:
    if key not in table:
        return None
    try:
        return read(table.raw(key))
    except WrongValueError as error:
        raise table.error(key, error.text) from error


def _read_hands(table: Table, words: Words) -> tuple[tuple[int, ...] | None, ...]:
    """The hand of every player; ``None`` for who gets the rest."""
    mistakes = Mistakes()
    hands: list[tuple[int, ...] | None] = []
    for name in table:
        with mistakes.noted():
            if name not in words.names and name in TOP_KEYS:
                table.raw(name)  # it has been looked at
                raise table.error(name, _NO_HAND)
    for name in words.names:
        with mistakes.noted():
            hands.append(None if table.raw(name) == THE_REST else _read(table, name, words.cards) or ())
    with mistakes.noted():
        table.finish()
    mistakes.tell()
    if hands.count(None) > 1:
        raise ScenarioError(
            within(
                table.name,
                Text(f'only one player can have "{THE_REST}"', f'un seul joueur peut avoir "{THE_REST}"'),
            )
        )
    return tuple(hands)


def _with_the_rest(
    table: Table,
    hands: Sequence[tuple[int, ...] | None],
    pile: Sequence[int],
    first: int | None,
    game: Game,
) -> tuple[tuple[int, ...], ...]:
    """All hands, when the cards are in the deck as often as they are wanted."""
    wanted = [card for hand in hands if hand for card in hand] + list(pile) + ([] if first is None else [first])
    missing = game.not_in(wanted, game.deck())
    if missing:
        name, times = game.cards.names[missing[0]], wanted.count(missing[0])
        has = list(game.deck()).count(missing[0])
        raise ScenarioError(
            within(
                table.name,
                Text(
                    f"{name.en} stands {times} times in hands, pile and first; the deck has {has}",
                    f"«\u00a0{name.fr}\u00a0» est {times} fois dans hands, pile et first\u00a0; le paquet en a {has}",
                ),
            )
        )
    rest = tuple(game.not_in(game.deck(), wanted))
    return tuple(rest if hand is None else hand for hand in hands)


def _read_draws(table: Table, words: Words) -> tuple[tuple[int, int], ...]:
    """``dealer_draw = [{ Ana = "red 9", Ben = "blue 9" }, { Ana = "red 1", Ben = "red 2" }]``: who ties draws again."""
    if "dealer_draw" not in table:
        return ()
    if "dealer" in table:
        raise table.error(
            "dealer_draw", Text("give dealer or dealer_draw, not both", "donne dealer ou dealer_draw, pas les deux")
        )
    value = table.raw("dealer_draw")
    draws: list[tuple[int, int]] = []
    for turn in value if isinstance(value, list) else [value]:
        if not isinstance(turn, dict):
            raise table.error(
                "dealer_draw",
                Text(
                    f'write {{ {words.names[0]} = "…" }}, and a list of such when some draw again',
                    f'écris {{ {words.names[0]} = "…" }}, ou une liste de telles tables si certains tirent de nouveau',
                ),
            )
        try:
            draws += sorted((words.seat(name), words.card(card)) for name, card in turn.items())
        except WrongValueError as error:
            raise table.error("dealer_draw", error.text) from error
    return tuple(draws)
