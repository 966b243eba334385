"""The launcher machine: a flat statechart on ``transitions``, fed one event at a time.

``step(event, now)`` returns the commands and notices that follow from the event, in order. The machine has no
clock, no thread and no I/O; every random figure comes from the odds object. What it waits for is in ``deadline``:
whoever owns the clock calls ``step(Tick(), now)`` when that time has come.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from transitions import EventData, Machine

from dispenser.launcher import advice
from dispenser.launcher import messages as m
from dispenser.launcher.burst import Burst
from dispenser.launcher.cards import CardCount, DoubleDetector
from dispenser.launcher.messages import AWAITING_A_PERSON, State
from dispenser.launcher.settings import MachineSettings
from dispenser.launcher.statechart import TRANSITIONS


class OutcomeLike(Protocol):
    """One draw of the odds: its number, the cards (0 is a dud), and where in the suspense range it falls, [0, 1)."""

    @property
    def draw(self) -> int: ...
    @property
    def cards(self) -> int: ...
    @property
    def suspense(self) -> float: ...


class OddsLike(Protocol):
    """What the machine asks of the odds; ``dispenser.launcher.odds.Odds`` is the real one."""

    def reset(self) -> None: ...
    def draw(self) -> OutcomeLike: ...


_REFUSED_IN = {
    State.OFF: m.Refusal.OFF,
    State.OPEN: m.Refusal.LID_OPEN,
    State.SUSPENSE: m.Refusal.BUSY,
    State.FEEDING: m.Refusal.BUSY,
    State.RETRACTING: m.Refusal.BUSY,
    State.JAMMED: m.Refusal.JAMMED,
    State.EMPTY: m.Refusal.EMPTY,
    State.BLIND: m.Refusal.BLIND,
    State.FAULT: m.Refusal.FAULT,
}
_TURNING = (State.FEEDING, State.RETRACTING)


class LauncherMachine:
    """One launcher's brain.

    :param odds: drawn exactly once for each accepted press that leaves the number to luck.
    :param presses: number of the last press so far (a restart goes on counting).
    :param cards_inside: cards in the stack as far as anybody knows.
    :param dud_streak: duds since the last press that fired.
    """

    # Triggers, added by transitions; their sources and destinations are in statechart.py.
    switch_on: Callable[[], bool]
    switch_off: Callable[[], bool]
    lid_up: Callable[[], bool]
    lid_down: Callable[[], bool]
    press: Callable[[], bool]
    drum_ended: Callable[[], bool]
    burst_done: Callable[[], bool]
    fell_short: Callable[[], bool]
    saw_nothing: Callable[[], bool]
    retracted: Callable[[], bool]
    reset: Callable[[], bool]
    reload: Callable[[], bool]
    fail: Callable[[], bool]
    state: State

    def __init__(
        self,
        settings: MachineSettings,
        odds: OddsLike,
        *,
        presses: int = 0,
        cards_inside: int | None = None,
        dud_streak: int = 0,
    ) -> None:
        self.settings = settings
        self.deadline: float | None = None
        self._odds = odds
        self._presses = presses
        self._cards = CardCount(cards_inside, DoubleDetector(settings.card_blocked_ms, settings.double_ratio))
        self._dud_streak = dud_streak
        self._detail = ""
        self._burst: Burst | None = None
        self._lid_open = False
        self._broken: set[str] = set()  # causes of the fault that have not recovered
        self._light_on = False
        self._now = 0.0
        self._out: list[m.Output] = []
        self._chart = Machine(
            self,
            states=State,
            initial=State.OFF,
            transitions=list(TRANSITIONS),
            send_event=True,
            auto_transitions=False,
            queued=True,
            after_state_change="_announce",
        )

    # --- the one way in ---

    def step(self, event: m.Event, now: float) -> list[m.Output]:
        """Take one event at monotonic time ``now`` (seconds); return what follows, in order."""
        self._now = now
        out: list[m.Output] = []
        self._out = out
        _HANDLERS[type(event)](self, event)
        return out

    def snapshot(self) -> m.Snapshot:
        """What the machine knows now."""
        burst = self._burst
        return m.Snapshot(
            state=self.state,
            detail=self._detail,
            lid_open=self._lid_open,
            exit_blocked=self._cards.exit_blocked,
            cards_inside=self._cards.inside,
            dud_streak=self._dud_streak,
            presses=self._presses,
            burst_press=burst.press if burst else None,
            burst_delivered=burst.delivered if burst else 0,
            refusal=self._refusal(),
        )

    # --- events ---

    def _on_switch_on(self, event: m.SwitchOn) -> None:
        if self.state is not State.OFF:
            return
        self._lid_open = event.lid_open
        self._cards.see_exit(blocked=event.exit_blocked, burst=None)
        self._broken.clear()
        self._odds.reset()
        self._out.append(m.SwitchedOn(lid_open=event.lid_open))
        self.switch_on()

    def _on_switch_off(self, _: m.SwitchOff) -> None:
        self._out.append(m.Stop())
        if self.state is State.OFF:
            return
        self._detail = ""
        self._end_burst(m.BurstEnd.OFF)
        self.switch_off()
        self._out.append(m.SwitchedOff())

    def _on_press(self, event: m.Press) -> None:
        self._presses += 1
        refusal = self._refusal()
        if refusal is not None:
            self._out.append(m.PressRefused(self._presses, event.source, refusal, event.request))
            if self._burst is None and self.state is not State.OFF:
                self._chime(m.Chime.REFUSED)
            return
        draw = self._plan(event.cards)
        self._out.append(m.PressAccepted(self._presses, event.source, event.cards, draw, event.request))
        self.press()

    def _refusal(self) -> m.Refusal | None:
        if self.state is not State.READY:
            return _REFUSED_IN[self.state]
        if self._burst is not None:
            return m.Refusal.BUSY
        if self._cards.exit_blocked:
            return m.Refusal.CARD_IN_EXIT if self._cards.card_in_exit else m.Refusal.EXIT_DARK
        return None

    def _plan(self, cards: int | None) -> int | None:
        """Open a burst for the press just counted; return the number of the draw it cost."""
        if cards is not None:
            self._burst = Burst(self._presses, cards, exact=True, suspense_s=0.0)
            return None
        outcome = self._odds.draw()
        low, high = self.settings.suspense_min_s, self.settings.suspense_max_s
        suspense_s = low + (high - low) * outcome.suspense
        self._burst = Burst(self._presses, outcome.cards, exact=False, suspense_s=suspense_s)
        return outcome.draw

    def _on_lid_opened(self, _: m.LidOpened) -> None:
        known, self._lid_open = self._lid_open, True
        self._out.append(m.Stop())
        if known or self.state is State.OFF:
            return
        self._out.append(m.LidWasOpened())
        if self._burst is None:
            self._cards.card_in_exit = False  # a hand comes to see to it: what is dark after that is no card
        self._cut_short(m.BurstEnd.LID)
        if self.state is not State.FAULT:
            self._detail = ""
        self.lid_up()

    def _on_lid_closed(self, _: m.LidClosed) -> None:
        known, self._lid_open = not self._lid_open, False
        if known or self.state is State.OFF:
            return
        self._out.append(m.LidWasClosed())
        self._odds.reset()
        self.lid_down()

    def _on_exit_blocked(self, _: m.ExitBlocked) -> None:
        self._cards.see_exit(blocked=True, burst=self._burst)
        if self._burst is None and self.state is not State.OFF:
            self._out.append(m.ExitChanged(blocked=True))
            self._show_light()

    def _on_exit_cleared(self, event: m.ExitCleared) -> None:
        self._cards.see_exit(blocked=False, burst=self._burst)
        if self._burst is not None and self._burst.retracting:  # pulled back in, as far as anybody can tell
            self._out.append(m.ExitChanged(blocked=False))
        elif self._burst is not None and self._burst.tries and event.fed:
            self._out.append(self._cards.left(self._burst, event.blocked_ms))
        elif self.state is not State.OFF:
            self._cleared_outside_burst(event.blocked_ms)

    def _cleared_outside_burst(self, blocked_ms: float) -> None:
        left = self._cards.taken_out(blocked_ms, by_itself=not self._lid_open)
        if left is not None:
            self._out.append(left)
        self._out.append(m.ExitChanged(blocked=False))
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
            self.burst_done()
        elif event.cause is m.FeedEnd.BLIND:
            self.saw_nothing()
        else:
            self.fell_short()

    def _on_retract_ended(self, event: m.RetractEnded) -> None:
        if self._burst is None:
            return
        self._cards.see_exit(blocked=event.exit_blocked, burst=self._burst)
        if not self._was_cut(State.RETRACTING, event.cause):
            self.retracted()

    def _was_cut(self, running: State, cause: m.FeedEnd) -> bool:
        """Whether a motor run that has ended was cut short, by what is known already or by what only the driver saw."""
        if self.state is running and cause is m.FeedEnd.LID:
            self._on_lid_opened(m.LidOpened())
        elif self.state is running and cause is m.FeedEnd.STOPPED:
            self._fail("The motor was stopped from outside. Look at the launcher, then reset.")
        elif self.state is running:
            return False
        self._end_cut_burst()
        return True

    def _on_driver_failed(self, event: m.DriverFailed) -> None:
        self._broken.add(event.cause)
        self._fail(event.detail)

    def _fail(self, detail: str) -> None:
        self._out.append(m.Stop())
        if self.state is State.OFF:
            return
        self._detail = detail
        self._cut_short(m.BurstEnd.FAULT)
        self.fail()

    def _on_driver_recovered(self, event: m.DriverRecovered) -> None:
        self._broken.discard(event.cause)

    def _on_reset(self, event: m.Reset) -> None:
        if event.exit_blocked is not None:
            self._cards.see_exit(blocked=event.exit_blocked, burst=None)
        if self.state in AWAITING_A_PERSON:
            self.reset()
        self._show_light()
        self._out.append(m.WasReset(self.state, event.request))

    def _on_load(self, event: m.Load) -> None:
        self._cards.inside = event.cards
        self._out.append(m.CardsLoaded(event.cards, event.request))
        if self.state in (State.EMPTY, State.BLIND) and event.cards:
            self.reload()

    def _on_enter_count(self, event: m.EnterCount) -> None:
        self._cards.take(event.cards - event.counted_before)
        self._out.append(m.BurstCounted(event.press, event.cards, event.counted_before, event.request))

    def _on_tick(self, _: m.Tick) -> None:
        if self.deadline is None or self._now < self.deadline:
            return
        self.deadline = None
        if self.state is State.SUSPENSE:
            self.drum_ended()
        elif self.state in _TURNING:
            self._fail("The driver did not report the end of a motor run. Check the wiring, then reset.")
        else:
            self._end_cut_burst()

    # --- conditions ---

    def lid_open(self, _: EventData) -> bool:
        return self._lid_open

    def fires(self, _: EventData) -> bool:
        return self._burst_now().planned > 0

    def no_suspense(self, _: EventData) -> bool:
        return self._burst_now().suspense_s <= 0 and self._burst_now().planned > 0

    def tries_left(self, _: EventData) -> bool:
        return self._burst_now().tries < self.settings.max_tries

    def can_retract(self, _: EventData) -> bool:
        return self.settings.can_retract

    def exit_blocked(self, _: EventData) -> bool:
        return self._cards.exit_blocked

    def exit_clear(self, _: EventData) -> bool:
        return not self._cards.exit_blocked

    def known_empty(self, _: EventData) -> bool:
        """Nothing came now, and nothing can: the count says so, or the sensor saw the cards before."""
        return self._cards.inside == 0 or self._burst_now().seen

    def driver_works(self, _: EventData) -> bool:
        return not self._broken

    # --- actions: append commands and notices, set the deadline ---

    def _announce(self, event: EventData) -> None:
        """After every transition: tell the new state, and let the light say whether a press would count."""
        transition = event.transition
        if transition is None or transition.dest is None or transition.source == transition.dest:
            return
        old = State[transition.source]
        self._out.append(m.StateChanged(old, self.state, self._detail))
        self._show_light()

    def _show_light(self) -> None:
        ready = self._refusal() is None
        if ready is not self._light_on:
            self._light_on = ready
            self._out.append(m.Light(on=ready))

    def start_suspense(self, _: EventData) -> None:
        suspense_s = self._burst_now().suspense_s
        self.deadline = self._now + suspense_s
        if suspense_s > 0:
            self._chime(m.Chime.SUSPENSE)
        else:
            self.drum_ended()

    def start_burst(self, event: EventData) -> None:
        burst = self._burst_now()
        self._out.append(m.BurstStarted(burst.press, burst.planned))
        self.start_feed(event)
        self._chime(m.Chime.FIRE)

    def start_feed(self, _: EventData) -> None:
        burst = self._burst_now()
        burst.tries += 1
        burst.retracting = False
        burst.counted = burst.delivered
        feed = self.settings.feed(burst.planned - burst.delivered)
        self.deadline = self._now + feed.timeout_s + self.settings.driver_patience_s
        self._out.append(feed)

    def start_retract(self, _: EventData) -> None:
        retract = m.Retract(self.settings.retract_s, self.settings.duty)
        self._burst_now().retracting = True
        self.deadline = self._now + retract.duration_s + self.settings.driver_patience_s
        self._out.append(retract)

    def end_dud(self, _: EventData) -> None:
        self._end_burst(m.BurstEnd.DUD)
        self._chime(m.Chime.DUD)

    def end_complete(self, _: EventData) -> None:
        self._end_burst(m.BurstEnd.COMPLETE if self.settings.has_exit_sensor else m.BurstEnd.TIMED)

    def end_jammed(self, _: EventData) -> None:
        self._detail = advice.WHEN_JAMMED
        self._end_burst(m.BurstEnd.JAMMED)
        self._chime(m.Chime.JAMMED)

    def end_empty(self, _: EventData) -> None:
        self._detail = advice.when_empty(self._cards.inside)
        self._end_burst(m.BurstEnd.EMPTY)
        self._chime(m.Chime.EMPTY)

    def end_blind(self, _: EventData) -> None:
        self._detail = advice.when_blind(self._cards.inside)
        self._end_burst(m.BurstEnd.BLIND)
        self._chime(m.Chime.FAULT)

    def greet_lid(self, _: EventData) -> None:
        self._detail = ""
        self._chime(m.Chime.LID_SHUT)

    def clear_detail(self, _: EventData) -> None:
        self._detail = ""

    def sound_fault(self, _: EventData) -> None:
        self._chime(m.Chime.FAULT)

    # --- helpers ---

    def _burst_now(self) -> Burst:
        if self._burst is None:
            raise RuntimeError(f"no burst in state {self.state.value}: the statechart let through what needs one")
        return self._burst

    def _chime(self, chime: m.Chime) -> None:
        self._out += (m.Play(chime), m.ChimePlayed(chime))

    def _cut_short(self, cause: m.BurstEnd) -> None:
        """Something ended the burst; while the motor coasts, cards may still leave and belong to it."""
        if self._burst is None or self._burst.cause is not None:
            return
        if self.state in _TURNING:
            self._burst.cause = cause
            self.deadline = self._now + self.settings.driver_patience_s
        else:
            self._end_burst(cause)

    def _end_cut_burst(self) -> None:
        if self._burst is not None and self._burst.cause is not None:
            self._end_burst(self._burst.cause)

    def _end_burst(self, cause: m.BurstEnd) -> None:
        burst, self._burst = self._burst, None
        self.deadline = None
        if burst is None:
            return
        cause = burst.cause or cause
        if not burst.exact:
            self._dud_streak = 0 if burst.planned else self._dud_streak + 1
        sticking = self._cards.exit_blocked and burst.tries > 0 and cause is not m.BurstEnd.JAMMED
        if sticking:
            self._cards.stick_out()
        counted = self.settings.has_exit_sensor or burst.tries == 0
        self._out.append(
            m.BurstEnded(
                press=burst.press,
                planned=burst.planned,
                delivered=burst.delivered + sticking if counted else None,
                cause=cause,
                sticking_out=sticking,
                suspected_doubles=burst.suspected_doubles,
                tries=burst.tries,
                dud_streak=self._dud_streak,
            )
        )
        self._show_light()


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
    m.Tick: LauncherMachine._on_tick,
}
