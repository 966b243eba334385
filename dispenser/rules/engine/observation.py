"""What one seat may know of a game: for bots, for phones in front of the players, for anything that must not cheat.

>>> from dispenser.rules import new_game
>>> game = new_game("uno", seats=3, seed=7)
>>> _ = game.begin()
>>> seen = game.observe(1)
>>> len(seen.hand), seen.sizes, seen.pile_size
(7, (7, 7, 7), 86)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from dispenser.rules.engine.demands import Demand, Question
from dispenser.rules.engine.moves import Move
from dispenser.rules.engine.phases import DREW, Phase
from dispenser.rules.engine.rules import Rules
from dispenser.rules.engine.state import NO_CARD


class Observation:
    """Everything that lies open on the table, and the hand of one seat; seats are numbered from 0.

    A view, not a copy: it always shows the game as it is now. ``to_dict`` is what it shows at this moment.
    """

    __slots__ = ("_legal_moves", "_seat", "_state")

    def __init__(self, state: Rules, seat: int, legal_moves: Callable[[int], list[Move]]) -> None:
        if not 0 <= seat < state.seats:
            raise ValueError(f"there is no seat {seat}: this game has seats 0 to {state.seats - 1}")
        self._state = state
        self._legal_moves = legal_moves
        self._seat = seat

    @property
    def seat(self) -> int:
        """Whose eyes these are."""
        return self._seat

    @property
    def game(self) -> str:
        """The game's name in commands and files."""
        return self._state.game_id

    @property
    def options(self) -> dict[str, Any]:
        """What the table has chosen, all options of the game."""
        return dict(self._state.options)

    @property
    def hidden(self) -> bool:
        """Whether the cards are real, and hands are known by their sizes."""
        return self._state.hidden

    @property
    def seats(self) -> int:
        """Places at the table."""
        return self._state.seats

    @property
    def hand(self) -> tuple[int, ...]:
        """The kinds of the own cards, rising, a kind as often as it is there."""
        return tuple([kind for kind, count in enumerate(self._state.hands[self._seat][:-1]) for _ in range(count)])

    @property
    def of_colours(self) -> list[int]:
        """How many own cards each colour has."""
        hand = self._state.hands[self._seat]
        return [sum(hand[kinds.start : kinds.stop]) for kinds in self._state.cards.of_colour]

    @property
    def unknown(self) -> int:
        """Own cards whose faces were never told to the engine (hidden hands); they are not in ``hand``."""
        return self._state.hands[self._seat][self._state.unknown]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Cards in each hand."""
        return tuple(self._state.sizes)

    @property
    def talon(self) -> tuple[int, ...]:
        """From the first card to the one on top."""
        return tuple(self._state.talon)

    @property
    def top(self) -> int:
        """The card on top as it counts (a joker is what it stands for), -1 before there is one."""
        return self._state.top

    @property
    def colour(self) -> int:
        """In force, -1 for none."""
        return self._state.colour

    @property
    def pile_size(self) -> int:
        """Cards that can be drawn before the talon is shuffled again."""
        return self._state.in_pile()

    @property
    def direction(self) -> int:
        """+1 to the left (clockwise), -1 to the right."""
        return self._state.direction

    @property
    def turn(self) -> int:
        """Whose turn it is; -1 between rounds."""
        return self._state.turn

    @property
    def phase(self) -> Phase:
        """What the seat in turn is asked for."""
        return self._state.phase

    @property
    def drawn(self) -> int:
        """The card just drawn, for the one who drew it and may play it now; else -1."""
        state = self._state
        own = self._seat == state.turn and state.phase is DREW and not state.demands
        return state.drawn if own and state.drawn != state.unknown else NO_CARD

    @property
    def demands(self) -> tuple[Demand, ...]:
        """What is owed to the launcher, the first to be paid first."""
        return tuple(self._state.demands)

    @property
    def demand(self) -> Demand | None:
        """What is owed to the launcher now."""
        return self._state.demand

    @property
    def question(self) -> Question | None:
        """What the table is asked."""
        return self._state.question

    @property
    def exposed(self) -> tuple[int, ...]:
        """Seats that can be caught for a forgotten announcement."""
        return tuple(sorted(self._state.exposed))

    @property
    def announced(self) -> tuple[int, ...]:
        """Seats that have announced their last card."""
        return tuple(sorted(self._state.announced))

    @property
    def calling(self) -> tuple[int, ...]:
        """Seats that have announced it before laying the last but one."""
        return tuple(sorted(self._state.calling))

    @property
    def gone(self) -> tuple[int, ...]:
        """Seats that no longer play."""
        return tuple(sorted(self._state.gone))

    @property
    def going_out(self) -> int:
        """The seat whose last card is being carried out, else -1."""
        return self._state.going_out

    @property
    def dealer(self) -> int:
        """Who dealt this round, -1 before the first."""
        return self._state.dealer

    @property
    def round(self) -> int:
        """Its number from 1, 0 before the first."""
        return self._state.round

    @property
    def scores(self) -> tuple[int, ...]:
        """Of the match, by seat."""
        return tuple(self._state.scores)

    @property
    def points(self) -> tuple[int, ...]:
        """Left in each hand at the end of the last round, -1 while they are being counted."""
        return tuple(self._state.points)

    @property
    def winners(self) -> tuple[int, ...]:
        """Of the match, once it is over."""
        return self._state.winners

    @property
    def losers(self) -> tuple[int, ...]:
        """Of the match, in a game that names them."""
        return self._state.losers

    @property
    def legal(self) -> tuple[Move, ...]:
        """What this seat may do now."""
        return tuple(self._legal_moves(self._seat))

    @property
    def values(self) -> tuple[int, ...]:
        """What each kind counts in the hand at the end of a round; empty where nothing counts."""
        return tuple(self._state.values())

    @property
    def public(self) -> dict[str, int]:
        """What else the game lays open, such as the total of a chain."""
        return self._state.public()

    @property
    def before(self) -> int:
        """The seat that plays before this one."""
        state = self._state
        return (state.right if state.direction > 0 else state.left)[self._seat]

    @property
    def after(self) -> int:
        """The seat that plays after this one."""
        return self._state.following[self._seat]

    def to_dict(self) -> dict[str, Any]:
        """What is shown at this moment, as plain dicts, lists, strings and numbers, for JSON."""
        plain: dict[str, Any] = {name: getattr(self, name) for name in _SHOWN}
        for name, value in plain.items():
            if type(value) is tuple:
                plain[name] = list(value)
        plain["demands"] = [demand._asdict() for demand in self.demands]
        plain["question"] = self.question and self.question._asdict()
        plain["legal"] = [
            {name: value for name, value in move._asdict().items() if value is not None} for move in self.legal
        ]
        return plain


_SHOWN: Final = (
    "game", "options", "hidden", "seat", "seats", "hand", "unknown", "sizes", "talon", "top", "colour", "pile_size",
    "direction", "turn", "phase", "drawn", "demands", "question", "exposed", "announced", "calling", "gone",
    "going_out", "dealer", "round", "scores", "points", "winners", "losers", "legal", "values", "public",
)  # fmt: skip
