"""Replay a journal and prove that every press came out as the seed said.

``audit`` goes through the entries once, in order, and checks that

* ``seq`` has no gap, presses and draws are numbered without a gap, every accepted press ends once or is lost to a kill
  of the service (the last may be open still), and what is said of one press agrees: planned, started, cards that left;
* an exact press planned what was asked and spent no draw;
* every revealed seed hashes to its commitment, was committed before the first draw and revealed after the last;
* every other press planned what the odds say for that seed and draw number.

What a passing audit means and what it does not: see ``dispenser.luck.fairness``.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple, Protocol, TypeGuard

from dispenser.journal import Damage
from dispenser.language import Text
from dispenser.luck import fairness
from dispenser.luck.odds import Odds
from dispenser.luck.recording import OddsSettingsError


class Verdict(enum.Enum):
    """What came of the audit."""

    PROVEN = "proven"
    MISFIT = "misfit"
    NOT_REVEALED = "not_revealed"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that does not fit.

    :param seq: the entry.
    :param says: what stands there.
    :param expected: what should stand there; ``None`` when no single value can be named.
    """

    seq: int
    type: str
    text: Text
    says: Any = None
    expected: Any = None

    def __str__(self) -> str:
        return str(self.in_words)

    @property
    def in_words(self) -> Text:
        """The place and what is wrong there."""
        return Text("seq {seq}, {type}: {text}").filled(seq=self.seq, type=self.type, text=self.text)


@dataclass(frozen=True, slots=True)
class Round:
    """Everything under one commitment.

    :param seq: the entry that committed.
    :param odds: name of the odds.
    :param draws: presses left to the odds.
    :param checked: how many of them were compared with the seed and had a plan to compare.
    :param revealed_seq: the entry that showed the seed; ``None`` while it is secret.
    """

    seq: int
    commitment: str
    odds: str
    draws: int
    checked: int
    revealed_seq: int | None


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What the audit found.

    :param presses: accepted presses.
    :param exact: those that asked for an exact number of cards.
    :param unfinished: those that a kill of the service cut off, and one that is still under way.
    :param damage: what the journal itself tells of damage that was found in it, or in the one before it.
    """

    entries: int
    presses: int
    exact: int
    unfinished: int
    rounds: list[Round]
    problems: list[Problem]
    damage: list[Text] = field(default_factory=list)

    @property
    def checked(self) -> int:
        """Presses that were compared with a revealed seed."""
        return sum(each.checked for each in self.rounds)

    @property
    def pending(self) -> int:
        """Presses whose seed is still secret."""
        return sum(each.draws for each in self.rounds if each.revealed_seq is None)

    @property
    def verdict(self) -> Verdict:
        if self.problems:
            return Verdict.MISFIT
        return Verdict.PROVEN if self.checked else Verdict.NOT_REVEALED

    def to_dict(self) -> dict[str, Any]:
        """For JSON, in English."""
        told = {"verdict": self.verdict.value, "checked": self.checked, "pending": self.pending, **asdict(self)}
        told["damage"] = [each.en for each in self.damage]
        told["problems"] = [{**asdict(each), "text": each.text.en} for each in self.problems]
        return told


# --- the replay ---------------------------------------------------------------------------------------------------


class EntryLike(Protocol):
    """What the audit asks of a journal entry."""

    @property
    def seq(self) -> int: ...
    @property
    def type(self) -> str: ...
    @property
    def data(self) -> Mapping[str, Any]: ...


def audit(entries: Iterable[EntryLike], broken_chain: int | None = None) -> AuditReport:
    """Go through a whole journal, from its first entry on.

    :param broken_chain: what ``Journal.verify_chain`` said, where there is a chain of hashes.
    """
    auditor = _Auditor()
    for entry in entries:
        auditor.take(entry)
    return auditor.report(broken_chain)


class _MisfitError(Exception):
    """Leaves a handler with what does not fit in the entry at hand."""

    def __init__(self, text: Text, says: Any = None, expected: Any = None) -> None:
        super().__init__(text)
        self.text, self.says, self.expected = text, says, expected


class _Claim(NamedTuple):
    """What one entry says was planned; the entry itself would cost too much memory."""

    seq: int
    type: str
    planned: int


@dataclass(slots=True)
class _Draw:
    """A press left to the odds, and what the entries say was planned for it."""

    press: int
    claims: list[_Claim] = field(default_factory=list)


@dataclass(slots=True)
class _Round:
    seq: int
    commitment: str
    description: Mapping[str, Any]
    first_draw: int
    next_draw: int
    steps: list[_Draw | None] = field(default_factory=list)  # None: the odds were reset

    @property
    def draws(self) -> int:
        return self.next_draw - self.first_draw


@dataclass(slots=True)
class _Press:
    """The accepted press under way."""

    seq: int
    number: int
    cards: int | None
    draw: _Draw | None
    started: int | None = None
    left: int = 0


class _Auditor:
    """Takes entries in order; keeps what is needed to compare them with the seeds at the end."""

    def __init__(self) -> None:
        self._problems: list[Problem] = []
        self._rounds: list[_Round] = []
        self._seeds: dict[str, tuple[int, bytes]] = {}  # by commitment: entry that revealed it, seed
        self._open: _Press | None = None
        self._entries = self._seq = self._last_press = 0
        self._presses = self._exact = self._unfinished = 0
        self._damage: list[Text] = []

    def take(self, entry: EntryLike) -> None:
        self._entries += 1
        if entry.seq != self._seq + 1:
            self._problem(
                entry, Text("entry {seq} was expected here").filled(seq=self._seq + 1), entry.seq, self._seq + 1
            )
        self._seq = entry.seq
        handler = _HANDLERS.get(entry.type)
        if handler is None:
            return
        try:
            handler(self, entry)
        except _MisfitError as misfit:
            self._problem(entry, misfit.text, misfit.says, misfit.expected)

    def report(self, broken_chain: int | None) -> AuditReport:
        if broken_chain is not None:
            text = Text("this entry was altered, or one was taken out or put in before it")
            self._problems.append(Problem(broken_chain, "chain of hashes", text))
        if self._open:
            self._unfinished += 1
        rounds = [self._settle(each, later=self._rounds[index + 1 :]) for index, each in enumerate(self._rounds)]
        problems = sorted(self._problems, key=lambda problem: problem.seq)
        return AuditReport(self._entries, self._presses, self._exact, self._unfinished, rounds, problems, self._damage)

    def _problem(self, entry: EntryLike, text: Text, says: Any = None, expected: Any = None) -> None:
        self._problems.append(Problem(entry.seq, entry.type, text, says, expected))

    def _damaged(self, entry: EntryLike) -> None:
        text = Damage.told(entry.data).text
        self._damage.append(Text("seq {seq}: {damage}").filled(seq=entry.seq, damage=text))

    def _unreadable(self, entry: EntryLike) -> None:
        raise _MisfitError(Text("what stands here cannot be read: {why}").filled(why=entry.data.get("why")))

    # --- commitments ---

    def _committed(self, entry: EntryLike) -> None:
        promised, description = entry.data.get("commitment"), entry.data.get("odds")
        first_draw = entry.data.get("first_draw", 1)
        if not (fairness.is_commitment(promised) and isinstance(description, Mapping) and _is_whole(first_draw)):
            raise _MisfitError(Text("a commitment (64 hexadecimal digits) and its odds are needed"), dict(entry.data))
        used = [each for each in self._rounds if each.commitment == promised]
        allowed = used[-1].next_draw if used else 1
        self._rounds.append(_Round(entry.seq, promised, description, first_draw, first_draw))
        if promised in self._seeds:
            raise _MisfitError(
                Text("commits to a seed that entry {seq} had shown already").filled(seq=self._seeds[promised][0]),
                promised,
            )
        if first_draw != allowed:
            raise _MisfitError(
                Text("first_draw is {first_draw}; it must be {allowed}").filled(first_draw=first_draw, allowed=allowed),
                first_draw,
                allowed,
            )

    def _revealed(self, entry: EntryLike) -> None:
        promised, shown = entry.data.get("commitment"), entry.data.get("seed")
        if not any(each.commitment == promised for each in self._rounds):
            raise _MisfitError(Text("shows a seed for a commitment that was never made before"), promised)
        try:
            seed = fairness.seed_from_hex(str(shown))
        except fairness.SeedError as error:
            raise _MisfitError(error.text, shown) from error
        if not fairness.verify(str(promised), seed):
            text = Text("the seed does not belong to the commitment {promised}; it hashes to {commitment}").filled(
                promised=promised, commitment=fairness.commitment(seed)
            )
            raise _MisfitError(text, shown)
        self._seeds.setdefault(str(promised), (entry.seq, seed))

    def _reset(self, _: EntryLike) -> None:
        if self._rounds:
            self._rounds[-1].steps.append(None)

    # --- presses ---

    def _expect_ended(self, entry: EntryLike) -> None:
        """No new press, and no switching off, before the press under way has ended."""
        if self._open:
            self._unfinished += 1
            self._problem(
                entry,
                Text("press {press} (entry {seq}) has not ended yet").filled(
                    press=self._open.number, seq=self._open.seq
                ),
            )
            self._open = None

    def _accepted(self, entry: EntryLike) -> None:
        self._presses += 1
        self._expect_ended(entry)
        number, cards, draw = self._number_press(entry), entry.data.get("cards"), entry.data.get("draw")
        self._open = _Press(entry.seq, number, cards, None)
        if cards is None:
            self._open.draw = self._spend_draw(entry, draw, number)
            return
        self._exact += 1
        if draw is not None:
            raise _MisfitError(
                Text("asks for exactly {cards} cards and may not spend draw {draw}").filled(cards=cards, draw=draw),
                draw,
            )

    def _number_press(self, entry: EntryLike) -> int:
        """Accepted and refused presses share one count; after a jump it goes on from there."""
        says, expected = entry.data.get("press"), self._last_press + 1
        if says != expected:
            self._problem(
                entry,
                Text("press is {says}; it must be {expected}").filled(says=says, expected=expected),
                says,
                expected,
            )
        self._last_press = says if _is_whole(says) else expected
        return self._last_press

    def _spend_draw(self, entry: EntryLike, draw: Any, press: int) -> _Draw | None:
        if not self._rounds:
            self._problem(entry, Text("draw {draw} was made before any commitment").filled(draw=draw), draw)
            return None
        current = self._rounds[-1]
        if current.commitment in self._seeds:
            shown = self._seeds[current.commitment][0]
            self._problem(
                entry,
                Text("draw {draw} was made after its seed had been shown (entry {shown})").filled(
                    draw=draw, shown=shown
                ),
                draw,
            )
        if draw != current.next_draw:
            self._problem(
                entry,
                Text("draw is {draw}; it must be {next_draw}").filled(draw=draw, next_draw=current.next_draw),
                draw,
                current.next_draw,
            )
        current.next_draw += 1
        current.steps.append(_Draw(press))
        return current.steps[-1]

    def _started(self, entry: EntryLike) -> None:
        press, planned = self._press_of(entry), entry.data.get("planned")
        if press.started is not None:
            raise _MisfitError(Text("press {press} has started already").filled(press=press.number))
        press.started = planned
        self._plan(entry, press, planned)

    def _card_left(self, entry: EntryLike) -> None:
        if entry.data.get("press") is None:
            return  # outside a burst
        press, number = self._press_of(entry), entry.data.get("number")
        press.left += 1
        if number != press.left:
            raise _MisfitError(
                Text("number is {number}; it must be {left}").filled(number=number, left=press.left), number, press.left
            )

    def _ended(self, entry: EntryLike) -> None:
        press, data = self._press_of(entry), entry.data
        self._open = None
        planned, delivered, cause = data.get("planned"), data.get("delivered"), data.get("cause")
        self._plan(entry, press, planned)
        if cause == "dud" and planned != 0:
            self._problem(entry, Text("cause is dud, but {planned} cards were planned").filled(planned=planned), cause)
        seen = press.left + bool(data.get("sticking_out"))
        uncounted = delivered is None and press.started is not None and not press.left
        if delivered != seen and not uncounted:
            sticking = Text("delivered is {delivered}, but {left} cards left and one sticks out (press {press})")
            all_out = Text("delivered is {delivered}, but {left} cards left (press {press})")
            text = sticking if data.get("sticking_out") else all_out
            text = text.filled(delivered=delivered, left=press.left, press=press.number)
            self._problem(entry, text, delivered, seen)

    def _lost(self, entry: EntryLike) -> None:
        """A start of the service after a kill says what it found open."""
        press, delivered = self._press_of(entry), entry.data.get("delivered")
        self._open = None
        self._unfinished += 1
        if delivered != press.left:
            raise _MisfitError(
                Text("delivered is {delivered}, but {left} cards left").filled(delivered=delivered, left=press.left),
                delivered,
                press.left,
            )

    def _press_of(self, entry: EntryLike) -> _Press:
        """The press under way, which this entry must be about."""
        says = entry.data.get("press")
        if self._open is None:
            raise _MisfitError(Text("press {says} is not under way").filled(says=says), says)
        if says != self._open.number:
            text = Text("press is {says}; press {press} (entry {seq}) is under way").filled(
                says=says, press=self._open.number, seq=self._open.seq
            )
            self._problem(entry, text, says, self._open.number)
        return self._open

    def _plan(self, entry: EntryLike, press: _Press, planned: Any) -> None:
        """Compare what an entry says was planned with what was asked for, or note it for the seed."""
        if not _is_whole(planned):
            self._problem(
                entry, Text("planned is {planned!r}; it must be a number of cards").filled(planned=planned), planned
            )
        elif press.cards is not None:
            if planned != press.cards:
                text = Text("planned is {planned}; press {press} asked for exactly {cards}").filled(
                    planned=planned, press=press.number, cards=press.cards
                )
                self._problem(entry, text, planned, press.cards)
        elif press.draw:
            press.draw.claims.append(_Claim(entry.seq, entry.type, planned))

    # --- at the end: the seeds ---

    def _settle(self, each: _Round, later: list[_Round]) -> Round:
        """Replay one round, when its seed is known."""
        shown = self._seeds.get(each.commitment)
        checked = 0
        if shown is None:
            self._compare_claims(each)
            if each.draws and any(other.draws for other in later):
                text = Text(
                    "its seed was never shown, though the service started again; {draws} presses are unproven"
                ).filled(draws=each.draws)
                self._problems.append(Problem(each.seq, "fairness.committed", text, each.commitment))
        else:
            try:
                odds = Odds.rebuild(each.description, shown[1], each.first_draw)
            except OddsSettingsError as error:
                self._problems.append(
                    Problem(each.seq, "fairness.committed", Text("odds: {error}").filled(error=error))
                )
            else:
                checked = self._replay(each, odds)
        name = str(each.description.get("name"))
        return Round(each.seq, each.commitment, name, each.draws, checked, shown and shown[0])

    def _compare_claims(self, each: _Round) -> None:
        """While the seed is secret, what the entries say of one press must at least agree."""
        for step in filter(None, each.steps):
            for seq, type_, planned in step.claims[1:]:
                first = step.claims[0]
                if planned != first.planned:
                    text = Text("planned is {planned}; entry {seq} said {before} (press {press})").filled(
                        planned=planned, seq=first.seq, before=first.planned, press=step.press
                    )
                    self._problems.append(Problem(seq, type_, text, planned, first.planned))

    def _replay(self, each: _Round, odds: Odds) -> int:
        checked = 0
        for step in each.steps:
            if step is None:
                odds.reset()
                continue
            outcome = odds.draw()
            checked += bool(step.claims)
            for seq, type_, planned in step.claims:
                if planned != outcome.cards:
                    text = Text("planned is {planned}; the seed says {cards} (press {press}, draw {draw})")
                    text = text.filled(planned=planned, cards=outcome.cards, press=step.press, draw=outcome.draw)
                    self._problems.append(Problem(seq, type_, text, planned, outcome.cards))
        return checked


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


_HANDLERS: dict[str, Callable[[_Auditor, EntryLike], object]] = {
    "service.journal.damaged": _Auditor._damaged,
    "service.journal.unreadable": _Auditor._unreadable,
    "fairness.committed": _Auditor._committed,
    "fairness.revealed": _Auditor._revealed,
    "launcher.switched.on": _Auditor._reset,
    "launcher.switched.off": _Auditor._expect_ended,
    "launcher.lid.closed": _Auditor._reset,
    "launcher.press.accepted": _Auditor._accepted,
    "launcher.press.refused": _Auditor._number_press,
    "launcher.burst.started": _Auditor._started,
    "launcher.card.left": _Auditor._card_left,
    "launcher.burst.ended": _Auditor._ended,
    "launcher.burst.lost": _Auditor._lost,
}
