"""Conditions and actions that the rows of ``statechart.py`` name.

They only append commands and notices and set the deadline: no clock, no thread, no I/O.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from transitions import EventData, Machine

from dispenser.i18n import Text, recorded
from dispenser.launcher import messages as m
from dispenser.launcher.cards import Burst, CardCount, DoubleDetector
from dispenser.launcher.messages import State
from dispenser.launcher.settings import MachineSettings
from dispenser.launcher.statechart import TRANSITIONS

_REFUSED_IN = {
    State.OPEN: m.Refusal.LID_OPEN,
    **dict.fromkeys((State.SUSPENSE, State.FEEDING, State.RETRACTING), m.Refusal.BUSY),
    **{state: m.Refusal(state.value) for state in (State.OFF, *m.AWAITING_A_PERSON)},
}
_NOTHING = Text("")
_LOOK_FIRST = {
    State.JAMMED: Text(
        "A card is stuck in the exit. Lift the lid, take the card out, shut the lid. If there is none, the exit sensor "
        "is dark by itself: wipe it, look at its wire."
    ),
    State.EMPTY: Text("No card came out. Lift the lid, load cards, shut the lid."),
    State.BLIND: Text(  # motor, cells, second lid switch, slipping roller or sensor: the inputs cannot tell which
        "The exit sensor saw nothing at all. If a card or two lie on the table, the sensor is blind: wipe it, look at "
        "its wire, and enter how many came. If none does and the motor was silent, look at the batteries, the motor's "
        "wires and the lid's switches. If it turned, look whether cards are inside and the roller grips them. Then "
        "shut the lid, or reset."
    ),
}
_TOO_SOON = Text(
    "No more cards came, though about {inside} should be inside. Lift the lid, press the stack down onto the roller or "
    "load cards, shut the lid."
)
WHEN_STOPPED = Text("The motor was stopped from outside. Look at the launcher, then reset.")
WHEN_UNANSWERED = Text("The driver did not report the end of a motor run. Check the wiring, then reset.")
LUCK = m.Order()
TURNING = (State.FEEDING, State.RETRACTING)


class OddsLike(Protocol):
    """The interface of ``dispenser.odds.odds.Odds`` that the machine uses."""

    def reset(self) -> None: ...
    def draw(self) -> m.Outcome: ...


class Actions:
    """State of one launcher machine, with its conditions and actions.

    :param odds: drawn exactly once for each accepted press of which neither it nor an order gives the number of cards.
    :param presses: number of the last press so far (numbering continues after a restart).
    :param cards_inside: estimated cards in the stack, ``None`` if unknown.
    :param dud_streak: duds since the last press that fired.
    """

    # Set by transitions; the trigger names are in statechart.py.
    trigger: Callable[[str], bool]
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
        self.settings, self.odds = settings, odds
        self._presses = presses
        self.deadline: float | None = None
        self._cards = CardCount(cards_inside, DoubleDetector(settings.double_ratio, settings.first_card_ms))
        self._dud_streak = dud_streak
        self._why = _NOTHING  # the problem and its remedy, for people
        self._burst: Burst | None = None
        self._order = LUCK
        self._lid_open = False
        self._stand_in = False
        self._driver_failed = False  # and has not recovered
        self._light_on = False
        self._now = 0.0
        self._out: list[m.Output] = []
        Machine(
            self,
            states=State,
            initial=State.OFF,
            transitions=list(TRANSITIONS),
            send_event=True,
            auto_transitions=False,
            queued=True,
            after_state_change="_announce",
        )

    # --- conditions ---

    def lid_open(self, _: EventData) -> bool:
        return self._lid_open

    def fires(self, _: EventData) -> bool:
        return self._burst_now().planned > 0

    def no_suspense(self, event: EventData) -> bool:
        return self._burst_now().suspense_s <= 0 and self.fires(event)

    def tries_left(self, _: EventData) -> bool:
        return self._burst_now().tries < self.settings.max_tries

    def can_retract(self, _: EventData) -> bool:
        return self.settings.can_retract

    def exit_blocked(self, _: EventData) -> bool:
        return self._cards.exit_blocked

    def exit_clear(self, _: EventData) -> bool:
        return not self._cards.exit_blocked

    def known_empty(self, _: EventData) -> bool:
        """Whether a feed that saw nothing means an empty stack: the count is 0, or the sensor worked in this burst."""
        return self._cards.inside == 0 or self._burst_now().seen

    def driver_works(self, _: EventData) -> bool:
        return not self._driver_failed

    # --- actions ---

    def _announce(self, event: EventData) -> None:
        """After each transition: append ``StateChanged`` if the state changed, and update the light."""
        if event.transition is not None and (old := State[event.transition.source]) is not self.state:
            self._out.append(m.StateChanged(old, self.state, refusal=self._refusal(), **recorded(self._why)))
            self._show_light()

    def _show_light(self) -> None:
        if (ready := self._refusal() is None) is not self._light_on:
            self._light_on = ready
            self._out.append(m.Light(on=ready))

    def start_suspense(self, _: EventData) -> None:
        suspense_s = self._burst_now().suspense_s
        self.deadline = self._now + suspense_s
        if suspense_s > 0:
            self._chime(m.Chime.SUSPENSE)
        else:
            self.trigger("drum_ended")

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
        self._end_burst(m.BurstEnd.COMPLETE if self._counts else m.BurstEnd.TIMED)

    def end_badly(self, _: EventData) -> None:
        """End the burst as jammed, empty or blind, after the state."""
        self._why = _LOOK_FIRST[self.state]
        if self.state is State.EMPTY and self._cards.inside:
            self._why = _TOO_SOON.filled(inside=self._cards.inside)
        self._end_burst(m.BurstEnd(self.state.value))
        self._chime(m.Chime.FAULT if self.state is State.BLIND else m.Chime(self.state.value))

    def forget_why(self, _: EventData) -> None:
        self._why = _NOTHING

    def become_ready(self, event: EventData) -> None:
        self.forget_why(event)
        self._chime(m.Chime.LID_SHUT)

    def sound_fault(self, _: EventData) -> None:
        self._chime(m.Chime.FAULT)

    def _refusal(self) -> m.Refusal | None:
        """Return why a push would be refused now. Used for the light, the page and the answer to a push."""
        return self._hindrance() or self._order.why

    def _hindrance(self) -> m.Refusal | None:
        """Return what prevents any press now, whatever the order in force."""
        if self.state is not State.READY:
            return _REFUSED_IN[self.state]
        if self._burst is not None:
            return m.Refusal.BUSY
        if self._cards.exit_blocked:
            return m.Refusal.CARD_IN_EXIT if self._cards.card_in_exit else m.Refusal.EXIT_DARK
        return None

    # --- helpers of conditions and actions ---

    @property
    def _counts(self) -> bool:
        """Whether the cards of a burst are counted: by the exit sensor, or by the people who take them from a pile."""
        return self.settings.has_exit_sensor or self._stand_in

    def _burst_now(self) -> Burst:
        if self._burst is None:
            raise RuntimeError(f"no burst in state {self.state.value}: the statechart let through what needs one")
        return self._burst

    def _chime(self, chime: m.Chime) -> None:
        self._out += (m.Play(chime), m.ChimePlayed(chime))

    def _cut_short(self, cause: m.BurstEnd) -> None:
        """End the burst now, or when the motor run under way has ended: until then cards may leave and count."""
        if self._burst is None or self._burst.cause is not None:
            return
        if self.state in TURNING:
            self._burst.cause = cause
            self.deadline = self._now + self.settings.driver_patience_s
        else:
            self._end_burst(cause)

    def _end_cut_burst(self) -> None:
        if self._burst is not None and self._burst.cause is not None:
            self._end_burst(self._burst.cause)

    def _end_burst(self, cause: m.BurstEnd) -> None:
        burst, self._burst, self.deadline = self._burst, None, None
        if burst is None:
            return
        self._cards.judge(burst)
        cause = burst.cause or cause
        if not burst.exact:
            self._dud_streak = 0 if burst.planned else self._dud_streak + 1
        sticking = self._cards.exit_blocked and burst.tries > 0 and cause is not m.BurstEnd.JAMMED
        if sticking:
            self._cards.count_card_in_exit()
        counted = self._counts or burst.tries == 0
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
                refusal=self._refusal(),
            )
        )
        self._show_light()
