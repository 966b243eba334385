"""The pure table under Hypothesis: anything in any order. What must always hold stands in ``Sitting``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from dispenser.launcher import messages as launcher
from dispenser.rules import GAMES
from dispenser.rules.book import FreeText
from dispenser.rules.engine.demands import POINTS, TURN_UP
from dispenser.rules.engine.history import Action, Deed
from dispenser.table import messages as m
from dispenser.table.match import Match
from tests.rules.tables import conserved
from tests.table.sitting import Sitting, fingerprint

PICKS = st.integers(0, 1 << 16)
"""Taken modulo the number of things to choose from."""
NAMES = st.sampled_from(["Léa", "Tom", "Zoé", "Max", "Ana", "Bob"]) | st.text(max_size=200)
WORDS = [each.value for each in Deed] + ["lay", "draw", "uno", "red 7", "?", "a", ""]
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 63), 1 << 63) | st.floats(allow_nan=False) | st.sampled_from(WORDS),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.sampled_from(["act", *WORDS]), inside, max_size=3),
    max_leaves=8,
)
Thing = TypeVar("Thing")
ENDS = [end for end in launcher.BurstEnd if end not in {launcher.BurstEnd.DUD, launcher.BurstEnd.COMPLETE}]


def any_of(things: Iterable[Thing], pick: int) -> Thing:
    several = list(things)
    return several[pick % len(several)]


class TableMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.sitting = Sitting()

    # --- who speaks ---

    def people(self) -> list[int]:
        """Everybody who ever was there, and two who never were."""
        return [*self.sitting.table.people.persons, 99, 0]

    def somebody(self, pick: int) -> int | None:
        """Somebody at the table, mostly."""
        here = self.sitting.table.people.order
        if pick % 17 == 0 or not here:
            return any_of([None, *self.people()], pick // 17)
        return any_of(here, pick // 17)

    def host(self, pick: int) -> dict[str, Any]:
        """The host, mostly; or the owner of the launcher."""
        host = self.sitting.table.people.host
        if pick % 5 == 0:
            return {"owner": True}
        return {"person": self.somebody(pick // 5) if pick % 5 == 1 or host is None else host}

    def at(self, pick: int) -> int | None:
        table = self.sitting.table
        return any_of([None, table.at, table.at, table.at - 1, table.changed_at, 0, table.at + 5], pick)

    @property
    def match(self) -> Match | None:
        return self.sitting.table.match

    # --- the evening and its people ---

    @initialize(pick=PICKS)
    def an_evening_begins(self, pick: int) -> None:
        self.sitting.said(m.Open("Léa"), owner=True)
        for name in ["Tom", "Zoé", "Max"][: pick % 4]:
            self.sitting.said(m.Join(name))

    @rule(name=NAMES, pick=PICKS)
    def opens(self, name: str, pick: int) -> None:
        self.sitting.say(m.Open(name), self.somebody(pick), owner=pick % 2 == 0)

    @rule(name=NAMES, pick=PICKS)
    def joins(self, name: str, pick: int) -> None:
        self.sitting.say(m.Join(name), None if pick % 4 else self.somebody(pick))

    @rule(name=NAMES, pick=PICKS)
    def a_guest_or_a_bot_sits_down(self, name: str, pick: int) -> None:
        self.sitting.say(m.Guest(name) if pick % 2 else m.Bot(), self.somebody(pick // 2))

    @rule(pick=PICKS)
    def leaves(self, pick: int) -> None:
        self.sitting.say(m.Leave(), self.somebody(pick))

    @rule(pick=PICKS, whom=PICKS)
    def is_let_go(self, pick: int, whom: int) -> None:
        self.sitting.say(m.LetGo(any_of(self.people(), whom)), **self.host(pick))

    @rule(pick=PICKS, whom=PICKS)
    def claims(self, pick: int, whom: int) -> None:
        self.sitting.say(m.Claim(any_of(self.people(), whom)), None if pick % 4 else self.somebody(pick))

    @rule(pick=PICKS, whom=PICKS, yes=st.booleans())
    def confirms(self, pick: int, whom: int, yes: bool) -> None:
        self.sitting.say(m.Confirm(any_of(self.people(), whom), yes), **self.host(pick))

    @rule(pick=PICKS, whom=PICKS, yes=st.booleans())
    def has_a_phone_be_the_launcher_or_none(self, pick: int, whom: int, yes: bool) -> None:
        self.sitting.say(m.StandIn(yes, any_of([None, None, *self.people()], whom)), self.somebody(pick))
        stands_in, persons = self.sitting.table.stand_in, self.sitting.table.people.persons
        assert stands_in is None or persons[stands_in].secret

    @rule(name=NAMES, pick=PICKS, whom=PICKS)
    def renames(self, name: str, pick: int, whom: int) -> None:
        self.sitting.say(m.Rename(name, any_of([None, *self.people()], whom)), self.somebody(pick))

    @rule(pick=PICKS, one=PICKS, other=PICKS)
    def changes_places_or_the_host(self, pick: int, one: int, other: int) -> None:
        person = any_of(self.people(), one)
        tell: m.Tell = m.Swap(person, any_of(self.people(), other)) if pick % 2 else m.HandOver(person)
        self.sitting.say(tell, **self.host(pick // 2))

    @rule(pick=PICKS, one=PICKS, other=PICKS, yes=st.booleans())
    def helps(self, pick: int, one: int, other: int, yes: bool) -> None:
        self.sitting.say(m.Help(any_of(self.people(), one), any_of(self.people(), other), yes), self.somebody(pick))

    @rule(pick=PICKS)
    def a_phone_comes_or_goes(self, pick: int) -> None:
        self.sitting.present ^= {any_of(self.people(), pick)}

    @rule(pick=PICKS, yes=st.booleans())
    def only_the_host_sets_right(self, pick: int, yes: bool) -> None:
        self.sitting.say(m.HostOnly(yes), **self.host(pick))

    @rule(pick=PICKS)
    def it_is_over(self, pick: int) -> None:
        if pick % 8 == 0:
            self.sitting.say(m.Close(), **self.host(pick // 8))
        elif pick % 8 < 3:
            self.sitting.say(m.EndMatch(), **self.host(pick // 8))

    # --- the match ---

    @rule(
        game=st.sampled_from([*GAMES, "bridge"]), telling=st.sampled_from(m.Telling), deals=st.booleans(), pick=PICKS,
        choices=st.lists(PICKS, min_size=8, max_size=8),
    )  # fmt: skip
    def starts(self, game: str, telling: m.Telling, deals: bool, pick: int, choices: list[int]) -> None:
        options: dict[str, Any] = {}
        for option, choice in zip(GAMES[game].book.options if game in GAMES else (), choices, strict=False):
            if choice % 2:
                text = isinstance(option.values, FreeText)
                options[option.name] = "Zoé dit oui." if text else any_of(option.values, choice // 2)
        if pick % 31 == 0:
            options["nonsense"] = pick
        self.sitting.say(m.Start(game, options, telling, deals), **self.host(pick))

    @rule(telling=st.sampled_from(m.Telling), pick=PICKS)
    def the_telling_changes(self, telling: m.Telling, pick: int) -> None:
        self.sitting.say(m.ChangeTelling(telling), **self.host(pick))

    @rule(pick=PICKS)
    def deals(self, pick: int) -> None:
        self.sitting.say(m.Deal(), self.somebody(pick // 4), at=self.at(pick))

    @rule(pick=PICKS, steps=st.integers(1, 12))
    def play_goes_on(self, pick: int, steps: int) -> None:
        """What people do all the time, so that there is something to go wrong."""
        for step in range(steps):
            self._goes_on(pick * 31 + step * 17)

    def _goes_on(self, pick: int) -> None:
        match = self.match
        if match is None or match.by_itself:
            return
        game = match.game
        if game.question is not None:
            self._answer(match, pick)
        elif game.demand is not None and pick % 5:
            self.pushes(pick)
            self.a_burst_ends(pick, 0)
        elif actors := game.actors():
            seat = any_of(actors, pick)
            move = any_of(game.legal_moves(seat), pick // 7)
            self._act(match, Action(Deed.PLAY, seat, move), match.order[seat])

    def _act(self, match: Match, action: Action, person: int) -> None:
        written = match.notes.write(action)
        people = self.sitting.table.people
        by = next(
            (each for each in [person, *people.order] if people.may_act_for(each, person, self.sitting.present)), None
        )
        if people.persons[person].bot:
            self.sitting.take(m.Acted(action=written))
        else:
            self.sitting.say(m.Act(written), by, owner=by is None)

    def _answer(self, match: Match, pick: int) -> None:
        question = match.game.question
        assert question is not None
        state = match.game.state
        value: Any = pick % 2 == 0
        if question.kind == POINTS:
            value = pick % 120
        elif question.kind == TURN_UP:
            value = any_of(state.deck(), pick)
        elif question.kind == "discarded":
            value = ()
        written = match.notes.write(Action(Deed.ANSWER, question.seat, value))
        self.sitting.say(m.Act(written), self.somebody(pick), owner=not self.sitting.table.people.order)

    @rule(action=st.lists(JUNK, max_size=4), pick=PICKS)
    def says_what_makes_no_sense(self, action: list[Any], pick: int) -> None:
        self.sitting.say(m.Act(action), self.somebody(pick), at=self.at(pick))

    @rule(
        deed=st.sampled_from([each.value for each in Deed]),
        seat=st.none() | st.integers(-2, 11),
        value=JUNK,
        pick=PICKS,
    )
    def says_what_nearly_makes_sense(self, deed: str, seat: int | None, value: Any, pick: int) -> None:
        self.sitting.say(m.Act([deed, seat, value]), self.somebody(pick), at=self.at(pick))

    @rule(pick=PICKS, seat=st.integers(-1, 10), number=st.integers(-1, 30))
    def sets_something_right(self, pick: int, seat: int, number: int) -> None:
        match = self.match
        if match is None:
            return
        state = match.game.state
        offence = any_of([*match.game.offences, "nonsense"], number)
        cards = [match.notes.write(Action(Deed.ANSWER, None, any_of(state.deck(), pick + i)))[2] for i in range(number)]
        action = any_of(
            [
                ["penalise", seat, offence],
                ["penalise", seat, offence],
                ["hand size", seat, number],
                ["hand", seat, cards],
                ["turn", seat, None],
                ["reload", None, None],
            ],
            pick,
        )
        self.sitting.say(m.Act(action), self.somebody(pick // 6), at=self.at(pick))

    @rule(pick=PICKS)
    def somebody_plays_somebody_elses_turn(self, pick: int) -> None:
        match = self.match
        if match is not None and not match.by_itself and (actors := match.game.actors()):
            seat = any_of(actors, pick)
            move = any_of(match.game.legal_moves(seat), pick // 3)
            self.sitting.say(
                m.Act(match.notes.write(Action(Deed.PLAY, seat, move))), self.somebody(pick), at=self.at(pick // 2)
            )

    # --- counter ---

    @rule(pick=PICKS, seat=st.integers(0, 5), charge=st.integers(0, 8), number=st.none() | st.integers(0, 12))
    def charges(self, pick: int, seat: int, charge: int, number: int | None) -> None:
        self.sitting.say(m.ChargeSeat(seat, charge, number), self.somebody(pick), at=self.at(pick))

    @rule(pick=PICKS, debt=st.integers(0, 9))
    def forgives(self, pick: int, debt: int) -> None:
        match = self.match
        if match is not None and match.ledger.debts and pick % 3:
            debt = match.ledger.debts[0].number
        self.sitting.say(m.Forgive(debt), self.somebody(pick))

    @rule(pick=PICKS, seat=st.integers(0, 5), points=st.lists(st.integers(-2, 300), max_size=6))
    def says_that_the_round_is_over(self, pick: int, seat: int, points: list[int]) -> None:
        match = self.match
        if match is not None and pick % 3:
            values = match.game.state.values()
            points = [pick % 90 if values and place != seat else 0 for place in range(len(match.order))]
        self.sitting.say(m.Out(seat, points), self.somebody(pick))

    @rule(pick=PICKS, seat=st.integers(0, 5), score=st.integers(-9999, 9999))
    def sets_a_score_right(self, pick: int, seat: int, score: int) -> None:
        self.sitting.say(m.SetScore(seat, score), self.somebody(pick))

    # --- presses ---

    @rule(pick=PICKS)
    def pushes(self, pick: int) -> None:
        self.sitting.push(cards=pick % 30 + 1 if pick % 23 == 0 else None)

    @precondition(lambda self: self.sitting.burst is not None)
    @rule(pick=PICKS, doubles=st.sampled_from([0, 0, 0, 1, 2]))
    def a_burst_ends(self, pick: int, doubles: int) -> None:
        if self.sitting.burst is None:
            return
        planned = self.sitting.burst[1]
        cards = any_of([0, 0, 1, 3, 8], pick) if planned is None else planned
        if pick % 4 == 0:
            cards = any_of([None, 0, max(0, cards - 1), cards + 1, 99], pick // 4)
            self.sitting.burst_ends(cards, any_of(ENDS, pick), doubles=doubles)
        else:
            self.sitting.burst_ends(cards, doubles=doubles)

    @rule(pick=PICKS, back=st.integers(0, 6), cards=st.integers(0, 12) | st.integers(0, 999))
    def counts(self, pick: int, back: int, cards: int) -> None:
        asked = self.sitting.table.asked
        press = any_of(asked, pick) if asked and pick % 3 else max(0, self.sitting.press - back)
        if self.sitting.say(m.TellCount(press, cards), self.somebody(pick)):
            self.sitting.hear(launcher.BurstCounted(press, cards, 0))  # the service tells the launcher, too

    @rule(back=st.integers(0, 6), cards=st.integers(0, 12) | st.integers(0, 999))
    def the_launcher_is_told_a_count(self, back: int, cards: int) -> None:
        press = max(0, self.sitting.press - back)
        if self.sitting.burst is None or self.sitting.burst[0] != press:
            self.sitting.hear(launcher.BurstCounted(press, cards, 0))

    @rule(seen=st.integers(0, 8))
    def the_power_is_cut(self, seen: int) -> None:
        self.sitting.dies(seen)

    # --- back and forth ---

    @rule(pick=PICKS, times=st.integers(1, 6))
    def takes_back(self, pick: int, times: int) -> None:
        for _ in range(times):
            self.sitting.say(m.Undo(), self.somebody(pick), at=self.at(pick // 2))

    @rule(pick=PICKS, times=st.integers(1, 6))
    def does_again(self, pick: int, times: int) -> None:
        for _ in range(times):
            self.sitting.say(m.Redo(), self.somebody(pick), at=self.at(pick // 2))

    # --- what must always hold ---

    @invariant()
    def nothing_is_lost_and_no_more_is_asked_for_than_is_owed(self) -> None:
        self.sitting.check()

    @invariant()
    def who_hosts_is_at_the_table(self) -> None:
        people = self.sitting.table.people
        assert people.host is None or people.is_here(people.host)
        assert len(set(people.order)) == len(people.order) == sum(not each.left for each in people.persons.values())

    @invariant()
    def what_was_done_and_who_did_it_go_together(self) -> None:
        match = self.match
        if match is not None:
            assert len(match.marks) == len(match.game.log)
            assert len(match.undone_marks) == len(match.game.undone)
            assert conserved(match.game.state) or not match.game.state.round or not match.game.state.talon

    def teardown(self) -> None:
        """The journal alone brings it back, also in one go."""
        table = self.sitting.replayed(self.sitting.entries)
        assert fingerprint(table) == fingerprint(self.sitting.table)


TableMachine.TestCase.settings = settings(stateful_step_count=40)
TestTableMachine = TableMachine.TestCase
