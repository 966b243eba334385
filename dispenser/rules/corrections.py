"""What the table sets right: a hand count, the cards of a hand, whose turn it is; and the reload (E-31).

A wrong card or a wrong seat of an earlier move is set right with ``History.amend``, which replays what followed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from dispenser.rules import events, reasons
from dispenser.rules.errors import IllegalMove
from dispenser.rules.events import Event
from dispenser.rules.rounds import Rounds
from dispenser.rules.state import COUNTING, IDLE, PLAYING


class Corrections(Rounds):
    """Actions of the table that are no moves; each can be undone like a move."""

    __slots__ = ()

    reload_rule: ClassVar[str] = ""
    """The rule about reloading the launcher, in a game that has one."""

    def correct_hand(self, seat: int, size: int | None = None, cards: Sequence[int] | None = None) -> list[Event]:
        """A hand is not what the engine believes. What it has too many goes to the draw pile, and the other way round.

        :param size: how many cards it has; for hidden hands.
        :param cards: which cards it has.
        :raises IllegalMove: no round is under way, or that would not conserve the cards (G-04).
        """
        self._check_time(seat)
        if (size is None) == (cards is None) or (size is not None and not self.hidden):
            raise IllegalMove("G-04", reasons.SIZE_OR_CARDS, seat=seat)
        if size is not None:
            known = self.sizes[seat] - self.hands[seat][self.unknown]
            if not max(1, known) <= size <= self.sizes[seat] + self.in_pile():
                raise IllegalMove("G-04", reasons.no_such_size(max(1, known), self.sizes[seat] + self.in_pile()))
            return self._set_right("hand_size", seat, size)
        wanted = tuple(cards or ())
        self.check_kinds(wanted)
        if not wanted or not self._can_hold(seat, wanted):
            raise IllegalMove("G-04", reasons.NOT_UNSEEN, seat=seat)
        return self._set_right("hand", seat, wanted)

    def correct_turn(self, seat: int) -> list[Event]:
        """It is the turn of ``seat``, whatever the engine believes.

        :raises IllegalMove: there is no such seat, or something must be finished first.
        """
        self._check_time(seat)
        if self.phase != PLAYING or self.demands or self.question is not None:
            raise IllegalMove("G-06", reasons.FINISH_FIRST, seat=seat)
        return self._set_right("turn", seat, None)

    def reload(self) -> list[Event]:
        """The table has lifted the talon but its top card, shuffled it and loaded it (E-31).

        :raises IllegalMove: this game has no reload, or there is nothing to reload.
        """
        if not self.reload_rule:
            raise IllegalMove("G-01", reasons.NO_RELOAD_HERE)
        if not IDLE < self.phase < COUNTING or len(self.talon) <= self.stays():
            raise IllegalMove(self.reload_rule, reasons.NO_RELOAD)
        return self._set_right("reload", -1, None)

    def correct(self, name: str, seat: int, value: Any) -> None:
        """One of the above by the name that it has in the log."""
        match name:
            case "hand_size":
                self.correct_hand(seat, size=value)
            case "hand":
                self.correct_hand(seat, cards=value)
            case "turn":
                self.correct_turn(seat)
            case "reload":
                self.reload()
            case _:
                raise IllegalMove("G-06", reasons.NO_SUCH_MOVE)

    def set_right(self, name: str, seat: int, value: Any) -> None:
        """Carry out one of the above."""
        match name:
            case "hand_size":
                self._resize(seat, value)
            case "hand":
                self._replace(seat, value)
            case "turn":
                self.turn = seat
                self.calling = -1
                self.events.append((events.TURN, seat, -1))
            case "reload":
                self.lift_talon(events.RELOADED)

    def _set_right(self, name: str, seat: int, value: Any) -> list[Event]:
        self.write((name, seat, value))
        self.set_right(name, seat, value)
        return self.events

    def _check_time(self, seat: int) -> None:
        if not IDLE < self.phase < COUNTING or not self.talon:
            raise IllegalMove("G-06", reasons.NO_ROUND)
        if not 0 <= seat < self.seats or self.gone >> seat & 1:
            raise IllegalMove("G-06", reasons.NO_SUCH_SEAT)

    def _can_hold(self, seat: int, wanted: Sequence[int]) -> bool:
        """Whether ``wanted`` can be made of that hand and the draw pile."""
        if len(wanted) > self.sizes[seat] + self.in_pile():
            return False
        hand = self.hands[seat]
        own = [card for card in range(self.unknown) for _ in range(hand[card])]
        if not self.hidden:
            return not self.not_in(wanted, [*own, *self.pile, *self.under])
        return self.is_unseen(self.not_in(wanted, own))

    def _resize(self, seat: int, size: int) -> None:
        more = size - self.sizes[seat]
        self.hands[seat][self.unknown] += more
        self._exchange([self.unknown] * -more, [self.unknown] * more)
        self._resized(seat, size)

    def _replace(self, seat: int, wanted: Sequence[int]) -> None:
        hand = self.hands[seat]
        own = [card for card in range(self.unknown + 1) for _ in range(hand[card])]
        leave, join = self.not_in(own, wanted), self.not_in(wanted, own)
        if self.hidden:  # a face that is told now was there before: only the number goes to or from the pile
            more = len(wanted) - len(own)
            leave, join = [self.unknown] * -more, [self.unknown] * more
        self._exchange(leave, join)
        self.show(seat, wanted)
        self._resized(seat, len(wanted))

    def _exchange(self, into_pile: Sequence[int], out_of_pile: Sequence[int]) -> None:
        """Cards go to the bottom of the draw pile, others come from it or from below it."""
        for card in out_of_pile:
            (self.pile if card in self.pile else self.under).remove(card)
        self.pile[:0] = into_pile

    def _resized(self, seat: int, size: int) -> None:
        self.sizes[seat] = size
        if size > 1 or self.going_out == seat:
            self.has_more(seat)
        self.events.append((events.CORRECTED, seat, size))
