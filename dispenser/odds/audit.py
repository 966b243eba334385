"""Replay a journal and check every press against the revealed seed.

``audit`` applies the records in order, draws from the odds as the launcher did, and checks that

* ``seq``, presses and draws are numbered without a gap, and every accepted press ends before the next one;
* every revealed seed hashes to its commitment, was committed before the first draw and revealed after the last;
* a press left to the odds planned the seed's outcome for its draw, an exact one the requested or ordered number;
* the number of delivered cards equals that of the cards seen leaving.

Altered records are detected by the journal's hash chain; an export has none. For what an audit does not prove see
``dispenser.odds.fairness``.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any, TypeGuard

from dispenser.i18n import Text
from dispenser.journal import Damage, Record
from dispenser.odds import fairness
from dispenser.odds.odds import Odds
from dispenser.odds.presets import OddsSettingsError, design_from_description


class Verdict(enum.Enum):
    PROVEN = "proven"
    MISFIT = "misfit"
    NOT_REVEALED = "not_revealed"


@dataclass(frozen=True, slots=True)
class Problem:
    """One mismatch: the value that a record ``says``, and the ``expected`` one if there is a single one."""

    seq: int
    type: str
    text: Text
    says: Any = None
    expected: Any = None

    @property
    def in_words(self) -> Text:
        return Text("record {seq}, {type}: {text}").filled(seq=self.seq, type=self.type, text=self.text)


@dataclass(slots=True)
class Round:
    """The presses under one commitment.

    :param draws: presses left to the odds; ``checked``: those compared with the seed.
    :param revealed_seq: the record that revealed the seed; ``None`` while it is secret.
    """

    seq: int
    commitment: str
    odds: str
    draws: int = 0
    checked: int = 0
    revealed_seq: int | None = None


@dataclass(slots=True)
class AuditReport:
    """Result of an audit.

    :param presses: accepted presses; ``exact``: those with an exact number of cards.
    :param unfinished: presses cut off by a kill of the service, and one still under way.
    :param matches: finished matches at the table with revealed shuffles; ``pending_matches``: still secret.
    :param damage: damage of this journal, or of the one before it, as recorded in the journal.
    """

    records: int = 0
    presses: int = 0
    exact: int = 0
    unfinished: int = 0
    matches: int = 0
    pending_matches: int = 0
    rounds: list[Round] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    damage: list[Text] = field(default_factory=list)

    @property
    def checked(self) -> int:
        """Number of presses that were compared with a revealed seed."""
        return sum(each.checked for each in self.rounds)

    @property
    def pending(self) -> int:
        """Number of presses whose seed is still secret."""
        return sum(each.draws for each in self.rounds if each.revealed_seq is None)

    @property
    def verdict(self) -> Verdict:
        if self.problems:
            return Verdict.MISFIT
        return Verdict.PROVEN if self.checked or self.matches else Verdict.NOT_REVEALED

    def to_dict(self) -> dict[str, Any]:
        """Return all fields for JSON, in English."""
        told = {"verdict": self.verdict.value, "checked": self.checked, "pending": self.pending, **asdict(self)}
        told["problems"] = [{**asdict(each), "text": each.text.en} for each in self.problems]
        told["damage"] = [each.en for each in self.damage]
        return told


def audit(records: Iterable[Record], broken_chain: int | None = None) -> AuditReport:
    """Audit a whole journal; ``broken_chain`` is the result of ``Journal.verify_chain``, if there is a chain."""
    if isinstance(records, Iterator):
        records = list(records)
    seeds: dict[str, bytes] = {}
    for record in records:
        if record.type == "fairness.revealed":
            promised = str(record.data.get("commitment"))
            with suppress(fairness.SeedError):  # the replay reports it
                seeds[promised] = fairness.opened(promised, str(record.data.get("seed")))
    replay = _Replay(seeds)
    for record in records:
        replay.apply(record)
    return replay.report(broken_chain)


@dataclass(slots=True)
class _Press:
    """The accepted press under way; ``unchecked``: the round whose seed gave ``planned``, until it is compared."""

    seq: int
    number: int
    planned: int | None = None
    because: Text | None = None
    unchecked: Round | None = None
    left: int = 0


class _Replay:
    """Applies records in order; ``seeds`` are all seeds that the journal reveals, by commitment."""

    def __init__(self, seeds: Mapping[str, bytes]) -> None:
        self._seeds = seeds
        self._report = AuditReport()
        self._revealed: dict[str, int] = {}  # by commitment: the record that revealed its seed
        self._next_draws: dict[str, int] = {}  # by commitment
        self._odds: Odds | None = None  # of the current round, if its seed is known
        self._press: _Press | None = None
        self._last_press = 0
        self._order: tuple[int | None, int] = (None, 0)  # cards ordered, None: left to the odds; record of the order
        self._by_hand = False  # a phone replaces the launcher: leaving cards are not counted
        self._record: Record
        self._data: Mapping[str, Any] = {}

    def apply(self, record: Record) -> None:
        expected = self._record.seq + 1 if self._report.records else 1
        self._record, self._data = record, record.data
        self._report.records += 1
        if record.seq != expected:
            self._problem(Text("record {expected} was expected here"), record.seq, expected)
        self._apply_service(record)
        self._apply_launcher(record)

    def _apply_service(self, record: Record) -> None:
        match record.type:
            case "service.journal.damaged":
                text = Text("record {seq}: {damage}").filled(seq=record.seq, damage=Damage.from_data(record.data).text)
                self._report.damage.append(text)
            case "service.journal.unreadable":
                self._problem(Text("what stands here cannot be read: {why}"), why=record.data.get("why"))
            case "fairness.committed":
                self._commit()
            case "fairness.revealed":
                self._reveal()

    def _apply_launcher(self, record: Record) -> None:
        match record.type:
            case "launcher.switched.on":
                self._order = None, record.seq
                self._by_hand = record.data.get("stand_in") is True
                self._reset()
            case "launcher.order.changed":
                self._order = record.data.get("cards"), record.seq
            case "launcher.lid.closed":
                self._reset()
            case "launcher.switched.off":
                self._expect_ended()
            case "launcher.press.refused":
                self._count_press()
            case "launcher.press.accepted":
                self._accept()
            case "launcher.burst.started":
                self._check_plan(self._press_under_way())
            case "launcher.card.left" if record.data.get("press") is not None:
                if press := self._press_under_way():
                    press.left += 1
                    self._expect("number", press.left)
            case "launcher.burst.ended":
                self._end()
            case "launcher.burst.lost":  # recorded at the start after a kill of the service
                if press := self._press_under_way():
                    self._report.unfinished += 1
                    self._expect("delivered", press.left)
                self._press = None

    def report(self, broken_chain: int | None) -> AuditReport:
        report = self._report
        if broken_chain is not None:
            text = Text("this record was altered, or one was taken out or put in before it")
            report.problems.append(Problem(broken_chain, "chain of hashes", text))
        report.unfinished += self._press is not None
        for number, each in enumerate(report.rounds, 1):
            each.revealed_seq = self._revealed.get(each.commitment)
            if each.revealed_seq is None and each.draws and any(later.draws for later in report.rounds[number:]):
                text = Text("its seed was never shown, though the service started again; {draws} presses are unproven")
                text = text.filled(draws=each.draws)
                report.problems.append(Problem(each.seq, "fairness.committed", text, each.commitment))
        report.problems.sort(key=lambda problem: problem.seq)
        return report

    def _problem(self, text: Text, says: Any = None, expected: Any = None, **places: Any) -> None:
        """:param places: values of the text's placeholders besides ``says`` and ``expected``."""
        text = text.filled(says=says, expected=expected, **places)
        self._report.problems.append(Problem(self._record.seq, self._record.type, text, says, expected))

    def _expect(self, key: str, expected: int | None) -> None:
        """Report a problem unless the record has this value under that key."""
        if (says := self._data.get(key)) != expected:
            self._problem(Text("{key} is {says}; it must be {expected}"), says, expected, key=key)

    def _commit(self) -> None:
        promised, description = self._data.get("commitment"), self._data.get("odds")
        first_draw = self._data.get("first_draw", 1)
        if not (fairness.is_commitment(promised) and isinstance(description, Mapping) and _is_whole(first_draw)):
            self._problem(Text("a commitment (64 hexadecimal digits) and its odds are needed"), dict(self._data))
            return
        if promised in self._revealed:
            shown = self._revealed[promised]
            self._problem(Text("commits to a seed that record {seq} had shown already"), promised, seq=shown)
        elif first_draw != self._next_draws.get(promised, 1):
            self._expect("first_draw", self._next_draws.get(promised, 1))
        self._report.rounds.append(Round(self._record.seq, promised, str(description.get("name"))))
        self._next_draws[promised] = first_draw
        self._odds = None
        if promised in self._seeds:
            try:
                self._odds = Odds(design_from_description(description), self._seeds[promised], first_draw)
            except OddsSettingsError as error:
                self._problem(Text("odds: {error}"), error=error)

    def _reveal(self) -> None:
        promised = self._data.get("commitment")
        if all(each.commitment != promised for each in self._report.rounds):
            self._problem(Text("shows a seed for a commitment that was never made before"), promised)
        elif promised in self._seeds:
            self._revealed.setdefault(str(promised), self._record.seq)
        try:
            fairness.opened(str(promised), str(self._data.get("seed")))
        except fairness.SeedError as error:
            self._problem(error.text, self._data.get("seed"))

    def _reset(self) -> None:
        if self._odds is not None:
            self._odds.reset()

    def _count_press(self) -> int:
        """Check and return the press number, common to accepted and refused presses; go on from it after a jump."""
        self._expect("press", self._last_press + 1)
        says = self._data.get("press")
        self._last_press = says if _is_whole(says) else self._last_press + 1
        return self._last_press

    def _expect_ended(self) -> None:
        if self._press:
            self._report.unfinished += 1
            text = Text("press {press} (record {seq}) has not ended yet")
            self._problem(text, press=self._press.number, seq=self._press.seq)
            self._press = None

    def _accept(self) -> None:
        self._report.presses += 1
        self._expect_ended()
        press = self._press = _Press(self._record.seq, self._count_press())
        press.planned = self._data.get("cards")
        self._check_order(press)
        if press.planned is None:
            self._draw(press)
            return
        self._report.exact += 1
        asked = Text("press {press} asked for exactly {cards}")
        press.because = asked.filled(press=press.number, cards=press.planned)
        self._expect("draw", None)

    def _check_order(self, press: _Press) -> None:
        """Check a press against the order: an exact one is spent once, and leaves nothing to the odds."""
        ordered, (wanted, since) = self._data.get("ordered") is True, self._order
        if (ordered or press.planned is None) and (press.planned != wanted or wanted == 0):
            text = Text("press {press} brings {says} cards, but the order in force says {expected} (record {seq})")
            self._problem(text, press.planned, wanted, press=press.number, seq=since)
        if ordered:
            self._order = 0, self._record.seq

    def _draw(self, press: _Press) -> None:
        """Check the draw of a press that is left to the odds, and get its outcome."""
        draw = self._data.get("draw")
        if not self._report.rounds:
            self._problem(Text("draw {says} was made before any commitment"), draw)
            return
        current = self._report.rounds[-1]
        if shown := self._revealed.get(current.commitment):
            self._problem(
                Text("draw {says} was made after its seed had been shown (record {shown})"), draw, shown=shown
            )
        self._expect("draw", self._next_draws[current.commitment])
        self._next_draws[current.commitment] += 1
        current.draws += 1
        if self._odds is not None:
            outcome = self._odds.draw()
            press.planned, press.unchecked = outcome.cards, current
            text = Text("the seed says {cards} (press {press}, draw {draw})")
            press.because = text.filled(cards=outcome.cards, press=press.number, draw=outcome.draw)

    def _press_under_way(self) -> _Press | None:
        """Return the press that this record must be about."""
        if self._press is None:
            self._problem(Text("press {says} is not under way"), self._data.get("press"))
        else:
            self._expect("press", self._press.number)
        return self._press

    def _end(self) -> None:
        press = self._press_under_way()
        self._press = None
        self._check_plan(press)
        delivered = self._data.get("delivered")
        if press is None or self._by_hand or (delivered is None and not press.left):  # not counted
            return
        if delivered != (seen := press.left + bool(self._data.get("sticking_out"))):
            text = Text("delivered is {says}, but {expected} cards left (press {press})")
            self._problem(text, delivered, seen, press=press.number)

    def _check_plan(self, press: _Press | None) -> None:
        """Compare the planned number with the seed's, the requested or the earlier recorded one."""
        if press is None:
            return
        planned = self._data.get("planned")
        if press.planned is None:
            text = Text("record {seq} said {cards} (press {press})")
            press.because = text.filled(seq=self._record.seq, cards=planned, press=press.number)
            press.planned = planned
        if press.unchecked is not None:
            press.unchecked.checked += 1
            press.unchecked = None
        if planned != press.planned:
            self._problem(Text("planned is {says}; {because}"), planned, press.planned, because=press.because)


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
