"""Replay a journal and prove that every press came out as the seed said.

``audit`` looks for the revealed seeds first; then it goes through the entries in order, draws from the odds as the
launcher did, and compares. It checks that

* ``seq`` has no gap, presses and draws are numbered without a gap, every accepted press ends once or is lost to a kill
  of the service (the last may be open still), and what is said of one press agrees: planned, started, cards that left
  (while a phone stands in, and all are taken by hand, those that were planned);
* an exact press planned what was asked, or ordered just then, and spent no draw; one that was left to luck was not
  pressed while an order said otherwise; each order was spent once;
* every revealed seed hashes to its commitment, was committed before the first draw and revealed after the last;
* every other press planned what the odds say for that seed and draw number.

What a passing audit means and what it does not: see ``dispenser.odds.fairness``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TypeGuard

from dispenser.i18n import Text
from dispenser.journal import Damage, Record
from dispenser.odds import fairness
from dispenser.odds.odds import Odds
from dispenser.odds.presets import design_from_description
from dispenser.odds.recording import OddsSettingsError
from dispenser.odds.report import AuditReport, Problem, Round


def audit(entries: Iterable[Record], broken_chain: int | None = None) -> AuditReport:
    """Go through a whole journal, from its first entry on.

    :param entries: those of a journal, or any; what can be gone through only once is kept in memory.
    :param broken_chain: what ``Journal.verify_chain`` said, where there is a chain of hashes.
    """
    if isinstance(entries, Iterator):
        entries = list(entries)
    replay = _Replay(dict(_seeds(entries)))
    for entry in entries:
        replay.take(entry)
    return replay.report(broken_chain)


def _seeds(entries: Iterable[Record]) -> Iterator[tuple[str, bytes]]:
    """The seeds that are revealed, and what they were promised by."""
    for entry in entries:
        if entry.type == "fairness.revealed":
            promised = str(entry.data.get("commitment"))
            with suppress(fairness.SeedError):  # the replay tells of it
                yield promised, fairness.opened(promised, str(entry.data.get("seed")))


# --- the replay ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Press:
    """The accepted press under way.

    :param planned: what must have been planned, as far as anybody said; ``because`` who did.
    :param to_check: the round whose seed said it, until an entry was compared with that.
    """

    seq: int
    number: int
    planned: int | None = None
    because: Text | None = None
    to_check: Round | None = None
    started: int | None = None
    left: int = 0


class _Replay:
    """Takes entries in order.

    :param seeds: those that are shown somewhere in the journal, by commitment.
    """

    def __init__(self, seeds: Mapping[str, bytes]) -> None:
        self._seeds = seeds
        self._report = AuditReport()
        self._revealed: dict[str, int] = {}  # by commitment: the entry that has shown its seed
        self._next_draws: dict[str, int] = {}  # by commitment
        self._odds: Odds | None = None  # of the round under way, when its seed is known
        self._open: _Press | None = None
        self._last_press = 0
        self._order = _LUCK  # cards, and the entry that says so
        self._stand_in = False  # a phone is the launcher
        self._entry: Record
        self._data: Mapping[str, Any] = {}

    def take(self, entry: Record) -> None:
        expected = self._entry.seq + 1 if self._report.entries else 1
        self._entry, self._data = entry, entry.data
        self._report.entries += 1
        if entry.seq != expected:
            self._wrong(Text("entry {seq} was expected here").filled(seq=expected), entry.seq, expected)
        handle = _HANDLERS.get(entry.type)
        if handle is not None:
            handle(self)

    def report(self, broken_chain: int | None) -> AuditReport:
        report = self._report
        if broken_chain is not None:
            text = Text("this entry was altered, or one was taken out or put in before it")
            report.problems.append(Problem(broken_chain, "chain of hashes", text))
        report.unfinished += self._open is not None
        for number, each in enumerate(report.rounds, 1):
            each.revealed_seq = self._revealed.get(each.commitment)
            if each.revealed_seq is None and each.draws and any(later.draws for later in report.rounds[number:]):
                text = Text("its seed was never shown, though the service started again; {draws} presses are unproven")
                text = text.filled(draws=each.draws)
                report.problems.append(Problem(each.seq, "fairness.committed", text, each.commitment))
        report.problems.sort(key=lambda problem: problem.seq)
        return report

    def _wrong(self, text: Text, says: Any = None, expected: Any = None) -> None:
        self._report.problems.append(Problem(self._entry.seq, self._entry.type, text, says, expected))

    def _expect(self, key: str, expected: int) -> None:
        """The entry says just that under that key."""
        says = self._data.get(key)
        if says != expected:
            text = Text("{key} is {says}; it must be {expected}").filled(key=key, says=says, expected=expected)
            self._wrong(text, says, expected)

    def _damaged(self) -> None:
        text = Text("seq {seq}: {damage}")
        self._report.damage.append(text.filled(seq=self._entry.seq, damage=Damage.told(self._data).text))

    def _unreadable(self) -> None:
        self._wrong(Text("what stands here cannot be read: {why}").filled(why=self._data.get("why")))

    # --- commitments ---

    def _committed(self) -> None:
        promised, description = self._data.get("commitment"), self._data.get("odds")
        first_draw = self._data.get("first_draw", 1)
        if not (fairness.is_commitment(promised) and isinstance(description, Mapping) and _is_whole(first_draw)):
            self._wrong(Text("a commitment (64 hexadecimal digits) and its odds are needed"), dict(self._data))
            return
        if promised in self._revealed:
            text = Text("commits to a seed that entry {seq} had shown already")
            self._wrong(text.filled(seq=self._revealed[promised]), promised)
        elif first_draw != self._next_draws.get(promised, 1):
            self._expect("first_draw", self._next_draws.get(promised, 1))
        self._report.rounds.append(Round(self._entry.seq, promised, str(description.get("name"))))
        self._next_draws[promised] = first_draw
        self._odds = None
        if promised in self._seeds:
            try:
                self._odds = Odds(design_from_description(description), self._seeds[promised], first_draw)
            except OddsSettingsError as error:
                self._wrong(Text("odds: {error}").filled(error=error))

    def _reveal(self) -> None:
        promised = self._data.get("commitment")
        if all(each.commitment != promised for each in self._report.rounds):
            self._wrong(Text("shows a seed for a commitment that was never made before"), promised)
            return
        try:
            fairness.opened(str(promised), str(self._data.get("seed")))
        except fairness.SeedError as error:
            self._wrong(error.text, self._data.get("seed"))
        else:
            self._revealed.setdefault(str(promised), self._entry.seq)

    def _reset(self) -> None:
        if self._odds is not None:
            self._odds.reset()

    # --- presses ---

    def _expect_ended(self) -> None:
        """No new press, and no switching off, before the press under way has ended."""
        if self._open:
            self._report.unfinished += 1
            text = Text("press {press} (entry {seq}) has not ended yet")
            self._wrong(text.filled(press=self._open.number, seq=self._open.seq))
            self._open = None

    def _switched_on(self) -> None:
        self._order = _LUCK
        self._stand_in = self._data.get("stand_in") is True
        self._reset()

    def _order_changed(self) -> None:
        self._order = self._data.get("cards"), self._entry.seq

    def _accepted(self) -> None:
        self._report.presses += 1
        self._expect_ended()
        self._number_press()
        press = self._open = _Press(self._entry.seq, self._last_press)
        cards, draw = self._data.get("cards"), self._data.get("draw")
        ordered = self._data.get("ordered") is True
        if cards is None or ordered:
            self._check_order(cards, ordered=ordered)
        if cards is None:
            self._spend_draw(press)
            return
        self._report.exact += 1
        because = Text("press {press} asked for exactly {cards}")
        if ordered:
            because = Text("press {press} was ordered to bring exactly {cards}")
        press.planned, press.because = cards, because.filled(press=press.number, cards=cards)
        if draw is not None:
            text = Text("asks for exactly {cards} cards and may not spend draw {draw}")
            self._wrong(text.filled(cards=cards, draw=draw), draw)

    def _check_order(self, cards: object, *, ordered: bool) -> None:
        """A push brings what the order in force says, and spends it."""
        wanted, since = self._order
        if ordered:
            self._order = 0, self._entry.seq
            if not (_is_whole(cards) and cards and cards == wanted):
                text = Text("press {press} brings {cards} cards by an order that was not in force")
                self._wrong(text.filled(press=self._last_press, cards=cards), cards, wanted)
        elif wanted is not None:
            text = Text("press {press} was left to luck, though an order was in force (entry {seq})")
            self._wrong(text.filled(press=self._last_press, seq=since), cards, wanted)

    def _number_press(self) -> None:
        """Accepted and refused presses share one count; after a jump it goes on from there."""
        self._expect("press", self._last_press + 1)
        says = self._data.get("press")
        self._last_press = says if _is_whole(says) else self._last_press + 1

    def _spend_draw(self, press: _Press) -> None:
        draw = self._data.get("draw")
        if not self._report.rounds:
            self._wrong(Text("draw {draw} was made before any commitment").filled(draw=draw), draw)
            return
        current = self._report.rounds[-1]
        if shown := self._revealed.get(current.commitment):
            text = Text("draw {draw} was made after its seed had been shown (entry {shown})")
            self._wrong(text.filled(draw=draw, shown=shown), draw)
        self._expect("draw", self._next_draws[current.commitment])
        self._next_draws[current.commitment] += 1
        current.draws += 1
        if self._odds is not None:
            outcome = self._odds.draw()
            press.planned, press.to_check = outcome.cards, current
            because = Text("the seed says {cards} (press {press}, draw {draw})")
            press.because = because.filled(cards=outcome.cards, press=press.number, draw=outcome.draw)

    def _started(self) -> None:
        if press := self._press_under_way():
            if press.started is not None:
                self._wrong(Text("press {press} has started already").filled(press=press.number))
            press.started = self._entry.seq
            self._check_plan(press)

    def _card_left(self) -> None:
        if self._data.get("press") is None:
            return  # outside a burst
        if press := self._press_under_way():
            press.left += 1
            self._expect("number", press.left)

    def _ended(self) -> None:
        press, data = self._press_under_way(), self._data
        self._open = None
        if press is None:
            return
        self._check_plan(press)
        planned, delivered, cause = data.get("planned"), data.get("delivered"), data.get("cause")
        if cause == "dud" and planned != 0:
            self._wrong(Text("cause is dud, but {planned} cards were planned").filled(planned=planned), cause)
        if self._stand_in:
            self._expect("delivered", planned if cause == "complete" and _is_whole(planned) else 0)
            return
        seen = press.left + bool(data.get("sticking_out"))
        uncounted = delivered is None and press.started is not None and not press.left
        if delivered != seen and not uncounted:
            text = Text("delivered is {delivered}, but {left} cards left and {sticking} is in the exit (press {press})")
            sticking = seen - press.left
            text = text.filled(delivered=delivered, left=press.left, sticking=sticking, press=press.number)
            self._wrong(text, delivered, seen)

    def _lost(self) -> None:
        """A start of the service after a kill says what it found open."""
        press = self._press_under_way()
        self._open = None
        if press is not None:
            self._report.unfinished += 1
            self._expect("delivered", press.left)

    def _press_under_way(self) -> _Press | None:
        """The one that this entry must be about."""
        says = self._data.get("press")
        if self._open is None:
            self._wrong(Text("press {says} is not under way").filled(says=says), says)
        elif says != self._open.number:
            text = Text("press is {says}; press {press} (entry {seq}) is under way")
            text = text.filled(says=says, press=self._open.number, seq=self._open.seq)
            self._wrong(text, says, self._open.number)
        return self._open

    def _check_plan(self, press: _Press) -> None:
        """Hold what an entry says was planned against the seed, what was asked for, or what was said of it before."""
        planned = self._data.get("planned")
        if not _is_whole(planned):
            text = Text("planned is {planned!r}; it must be a number of cards")
            self._wrong(text.filled(planned=planned), planned)
        elif press.planned is None:
            because = Text("entry {seq} said {cards} (press {press})")
            because = because.filled(seq=self._entry.seq, cards=planned, press=press.number)
            press.planned, press.because = planned, because
        else:
            if press.to_check is not None:
                press.to_check.checked += 1
                press.to_check = None
            if planned != press.planned:
                text = Text("planned is {planned}; {because}").filled(planned=planned, because=press.because)
                self._wrong(text, planned, press.planned)


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


_LUCK: Final[tuple[Any, int]] = (None, 0)

_HANDLERS: Final[dict[str, Callable[[_Replay], None]]] = {
    "service.journal.damaged": _Replay._damaged,
    "service.journal.unreadable": _Replay._unreadable,
    "fairness.committed": _Replay._committed,
    "fairness.revealed": _Replay._reveal,
    "launcher.switched.on": _Replay._switched_on,
    "launcher.switched.off": _Replay._expect_ended,
    "launcher.lid.closed": _Replay._reset,
    "launcher.order.changed": _Replay._order_changed,
    "launcher.press.accepted": _Replay._accepted,
    "launcher.press.refused": _Replay._number_press,
    "launcher.burst.started": _Replay._started,
    "launcher.card.left": _Replay._card_left,
    "launcher.burst.ended": _Replay._ended,
    "launcher.burst.lost": _Replay._lost,
}
