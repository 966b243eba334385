"""The launcher machine: a flat statechart on ``transitions``, fed one event at a time.

``step(event, now)`` returns the commands and notices that result from the event, in order. The machine has no clock, no
thread and no I/O; the odds object supplies all randomness. ``deadline`` is the time of its next timeout: the owner of
the clock calls ``step(Tick(), now)`` then.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import UNSET, Struct

from dispenser.i18n import Text, recorded, verbatim
from dispenser.launcher import messages as m
from dispenser.launcher.actions import LUCK, TURNING, WHEN_STOPPED, WHEN_UNANSWERED, Actions
from dispenser.launcher.cards import Burst
from dispenser.launcher.messages import AWAITING_A_PERSON, State

_SPENT = m.Order(0, m.Refusal.NOTHING_OWED)


class Snapshot(Struct, frozen=True):
    """The current state of the machine.

    :param exit_blocked: the exit sensor is blocked.
    :param cards_inside: estimate from the cards loaded and ejected; ``None`` before the first ``load``.
    :param dud_streak: duds since the last press that delivered cards.
    :param presses: number of the last press.
    :param burst_press: number of the press under way; ``None`` without one.
    :param burst_delivered: cards that it has delivered so far.
    :param refusal: why a press would be refused now; ``None`` if it would be accepted.
    :param order: the order for the next press; ``None`` if the odds decide.
    :param stand_in: a phone replaces the launcher.
    :param detail: the error and its remedy; empty without an error.
    """

    state: State
    lid_open: bool = False
    exit_blocked: bool = False
    cards_inside: int | None = None
    dud_streak: int = 0
    presses: int = 0
    burst_press: int | None = None
    burst_delivered: int = 0
    refusal: m.Refusal | None = None
    order: m.Order | None = None
    stand_in: bool = False
    detail: str = ""
    said: m.Said = UNSET


class LauncherMachine(Actions):
    """The state machine of one launcher, with one handler method per event type."""

    def step(self, event: m.Event, now: float) -> list[m.Output]:
        """Handle one event at monotonic time ``now`` (seconds); return the resulting outputs in order."""
        self._now, self._out = now, []
        _HANDLERS[type(event)](self, event)
        return self._out

    def snapshot(self) -> Snapshot:
        burst = self._burst
        return Snapshot(
            state=self.state,
            lid_open=self._lid_open,
            exit_blocked=self._cards.exit_blocked,
            cards_inside=self._cards.inside,
            dud_streak=self._dud_streak,
            presses=self._presses,
            burst_press=burst.press if burst else None,
            burst_delivered=burst.delivered if burst else 0,
            refusal=self._refusal(),
            order=None if self._order == LUCK else self._order,
            stand_in=self._stand_in,
            **recorded(self._why),
        )

    def _on_switch_on(self, event: m.SwitchOn) -> None:
        if self.state is not State.OFF:
            return
        self._lid_open, self._stand_in = event.lid_open, event.stand_in
        self._cards.of_stack = not event.stand_in
        self._cards.see_exit(blocked=event.exit_blocked, burst=None)
        self._driver_failed, self._order = False, LUCK
        self.odds.reset()
        self._out.append(m.SwitchedOn(lid_open=event.lid_open, stand_in=event.stand_in))
        self.trigger("switch_on")

    def _on_switch_off(self, _: m.SwitchOff) -> None:
        self._out.append(m.Stop())
        if self.state is State.OFF:
            return
        self._why = Text("")
        self._end_burst(m.BurstEnd.OFF)
        self.trigger("switch_off")
        self._out.append(m.SwitchedOff())

    def _on_press(self, event: m.Press) -> None:
        self._presses += 1
        pushed = event.cards is None
        refusal = self._refusal() if pushed else self._hindrance()
        if refusal is not None:
            self._out.append(m.PressRefused(self._presses, event.source, refusal, event.request))
            if self._burst is None and self.state is not State.OFF:
                self._chime(m.Chime.REFUSED)
            return
        cards = self._order.cards if pushed else event.cards
        ordered = pushed and cards is not None
        draw = self._plan(cards)
        self._out.append(m.PressAccepted(self._presses, event.source, cards, draw, event.request, ordered))
        if ordered:
            self._follow(_SPENT)
        self.trigger("press")

    def _on_order(self, event: m.Order) -> None:
        if self.state is not State.OFF and event != self._order:
            self._follow(event)
            self._show_light()

    def _follow(self, order: m.Order) -> None:
        self._order = order
        self._out.append(m.OrderChanged(order.cards, order.why, self._refusal()))

    def _plan(self, cards: int | None) -> int | None:
        """Open a burst for the press just counted; return the number of its draw, ``None`` if no draw was made."""
        if cards is not None:
            self._burst = Burst(self._presses, cards, exact=True, suspense_s=0.0)
            return None
        outcome, low, high = self.odds.draw(), self.settings.suspense_min_s, self.settings.suspense_max_s
        self._burst = Burst(self._presses, outcome.cards, exact=False, suspense_s=low + (high - low) * outcome.suspense)
        return outcome.draw

    def _on_lid_opened(self, _: m.LidOpened) -> None:
        known, self._lid_open = self._lid_open, True
        self._out.append(m.Stop())
        if known or self.state is State.OFF:
            return
        self._out.append(m.LidWasOpened())
        if self._burst is None:
            self._cards.card_in_exit = False  # with the lid open, a hand may block the exit: not a card
        self._cut_short(m.BurstEnd.LID)
        if self.state is not State.FAULT:
            self._why = Text("")
        self.trigger("lid_up")

    def _on_lid_closed(self, _: m.LidClosed) -> None:
        known, self._lid_open = not self._lid_open, False
        if known or self.state is State.OFF:
            return
        self._out.append(m.LidWasClosed())
        self.odds.reset()
        self.trigger("lid_down")

    def _on_exit_blocked(self, _: m.ExitBlocked) -> None:
        self._cards.see_exit(blocked=True, burst=self._burst)
        if self._burst is None and self.state is not State.OFF:
            self._out.append(m.ExitChanged(blocked=True, refusal=self._refusal()))
            self._show_light()

    def _on_exit_cleared(self, event: m.ExitCleared) -> None:
        self._cards.see_exit(blocked=False, burst=self._burst)
        if self._burst is not None and self._burst.retracting:  # the retract pulled the card back in (assumed)
            self._out.append(m.ExitChanged(blocked=False, refusal=self._refusal()))
        elif self._burst is not None and self._burst.tries and event.fed:
            self._out.append(self._cards.left(self._burst, event.blocked_ms))
        elif self.state is not State.OFF:
            if left := self._cards.exit_freed(event.blocked_ms, lid_closed=not self._lid_open):
                self._out.append(left)
            self._out.append(m.ExitChanged(blocked=False, refusal=self._refusal()))
            self._show_light()

    def _on_feed_ended(self, event: m.FeedEnded) -> None:
        burst = self._burst
        if burst is None:
            return
        self._cards.see_exit(blocked=event.exit_blocked, burst=burst)
        self._cards.settle(burst, event.cards_seen)
        if self._was_cut(State.FEEDING, event.cause):
            return
        if event.cause in (m.FeedEnd.COUNT, m.FeedEnd.TIMED) or burst.delivered >= burst.planned:
            self.trigger("burst_done")
        elif event.cause is m.FeedEnd.BLIND:
            self.trigger("saw_nothing")
        else:
            self.trigger("fell_short")

    def _on_retract_ended(self, event: m.RetractEnded) -> None:
        if self._burst is None:
            return
        self._cards.see_exit(blocked=event.exit_blocked, burst=self._burst)
        if not self._was_cut(State.RETRACTING, event.cause):
            self.trigger("retracted")

    def _was_cut(self, running: State, cause: m.FeedEnd) -> bool:
        """Return whether the motor run was cut short, by a known cause or one that only the driver saw; handle it."""
        if self.state is running and cause is m.FeedEnd.LID:
            self._on_lid_opened(m.LidOpened())
        elif self.state is running and cause is m.FeedEnd.STOPPED:
            self._fail(WHEN_STOPPED)
        elif self.state is running:
            return False
        self._end_cut_burst()
        return True

    def _on_driver_failed(self, event: m.DriverFailed) -> None:
        self._driver_failed = True
        self._fail(event.detail if isinstance(event.detail, Text) else verbatim(event.detail))

    def _fail(self, why: Text) -> None:
        self._out.append(m.Stop())
        if self.state is State.OFF:
            return
        self._why = why
        self._cut_short(m.BurstEnd.FAULT)
        self.trigger("fail")

    def _on_driver_recovered(self, _: m.DriverRecovered) -> None:
        self._driver_failed = False

    def _on_reset(self, event: m.Reset) -> None:
        if event.exit_blocked not in (None, self._cards.exit_blocked):
            self._cards.see_exit(blocked=bool(event.exit_blocked), burst=None)
            self._out.append(m.ExitChanged(blocked=self._cards.exit_blocked, refusal=self._refusal()))
        if self.state in AWAITING_A_PERSON:
            self.trigger("reset")
        self._show_light()
        self._out.append(m.WasReset(self.state, event.request))

    def _on_load(self, event: m.Load) -> None:
        self._cards.inside = event.cards
        self._out.append(m.CardsLoaded(event.cards, event.request))
        if self.state in (State.EMPTY, State.BLIND) and event.cards:
            self.trigger("reload")

    def _on_enter_count(self, event: m.EnterCount) -> None:
        self._cards.take(event.cards - event.counted_before)
        self._out.append(m.BurstCounted(event.press, event.cards, event.counted_before, event.request))

    def _on_tick(self, _: m.Tick) -> None:
        if self.deadline is None or self._now < self.deadline:
            return
        self.deadline = None
        if self.state is State.SUSPENSE:
            self.trigger("drum_ended")
        elif self.state in TURNING:
            self._fail(WHEN_UNANSWERED)
        else:
            self._end_cut_burst()


_HANDLERS: dict[type, Callable[..., None]] = {
    m.SwitchOn: LauncherMachine._on_switch_on,
    m.SwitchOff: LauncherMachine._on_switch_off,
    m.Press: LauncherMachine._on_press,
    m.LidOpened: LauncherMachine._on_lid_opened,
    m.LidClosed: LauncherMachine._on_lid_closed,
    m.ExitBlocked: LauncherMachine._on_exit_blocked,
    m.ExitCleared: LauncherMachine._on_exit_cleared,
    m.FeedEnded: LauncherMachine._on_feed_ended,
    m.RetractEnded: LauncherMachine._on_retract_ended,
    m.DriverFailed: LauncherMachine._on_driver_failed,
    m.DriverRecovered: LauncherMachine._on_driver_recovered,
    m.Reset: LauncherMachine._on_reset,
    m.Load: LauncherMachine._on_load,
    m.EnterCount: LauncherMachine._on_enter_count,
    m.Order: LauncherMachine._on_order,
    m.Tick: LauncherMachine._on_tick,
}
