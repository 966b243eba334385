"""Who sits at the table in an evening, with which cards, and what all that they do goes by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from dispenser.rules import GAMES, Game
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.history import Action
from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table.match import Match
from tests.nightly.search.people.cards import Hands
from tests.nightly.search.people.figures import Figures
from tests.nightly.search.people.kept import Kept
from tests.nightly.search.people.sitting import Sitting
from tests.nightly.search.people.spoken_launcher import PureLauncher

OPTIONS: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "uno-extreme": ({}, {"customizable": 0, "target": 50}, {"scoring": "low-score"},
                    {"scoring": "elimination", "target": 90}),
    "uno": ({}, {"target": 50}, {"scoring": "low-score"}),
    "huit-americain": ({}, {"jokers": True, "match": "points"}, {"match": "points", "scoring": "own-points"}),
    "151": ({}, {"eight-anywhere": True}, {"joker-points": 50}),
    "uno-vache": ({}, {"white": 2}, {"cancel-anyway": True}),
}  # fmt: skip


class Party:
    """One evening of people at a table; everything follows from the seed.

    :param launcher_of: makes the launcher.
    :param table_of: makes the table: a pure one, or a whole service.
    :ivar heads: how the round stands where the table does not follow: in people's heads.
    :ivar real: by press, how many cards really came.
    :ivar unnoticed: by person, cards in the hand that the table does not know of.
    :ivar written: by person, the score when the last round was over.
    :ivar drawn: the card that came last, while whoever drew it may lay it.
    """

    def __init__(
        self,
        seed: int,
        launcher_of: Callable[[Any], Any] = PureLauncher,
        table_of: Callable[[], Any] = Kept,
    ) -> None:
        self.seed = seed
        self.dice = dice = Random(seed)
        self.figures = Figures()
        self.sitting: Sitting = table_of()
        self.launcher = launcher_of(self)
        self.game_id = dice.choice(list(GAMES))
        self.telling = dice.choice(list(e.TrackingMode))
        self.options = dice.choice(OPTIONS[self.game_id])
        self.deals = dice.random() < 0.3 and self.telling is not e.TrackingMode.CARDS
        self.hands = Hands(dice, [])
        self.heads_of: e.MatchBegun | None = None
        self.heads: Game | None = None
        self.real: dict[int, int] = {}
        self.unnoticed: Counter[int] = Counter()
        self.written: dict[int, int] = {}
        self.last: int | None = None
        self.drawn: int | None = None
        self.figures.game, self.figures.telling = self.game_id, self.telling.value

    # --- chance ---

    def did(self, what: str) -> None:
        self.figures.mistakes[what] += 1

    def maybe(self, share: float) -> bool:
        return self.dice.random() < share

    # --- who and what ---

    @property
    def match(self) -> Match:
        assert self.sitting.table.match is not None
        return self.sitting.table.match

    @property
    def game(self) -> Game:
        """The table's own game, or the one in people's heads."""
        if not self.match.by_itself:
            return self.match.game
        assert self.heads is not None
        return self.heads

    @property
    def virtual(self) -> bool:
        """The cards are on the phones: of the real ones it only counts how many came."""
        return self.match.telling is e.TrackingMode.CARDS

    def person(self, seat: int) -> int:
        return self.match.order[seat]

    def held(self, seat: int) -> list[int]:
        """The real cards in a hand."""
        return self.hands.of[self.person(seat)]

    def is_bot(self, seat: int) -> bool:
        return self.sitting.table.people.persons[self.person(seat)].bot

    def teller(self, seat: int) -> int:
        """Who taps for a seat."""
        people, whom = self.sitting.table.people, self.person(seat)
        if self.is_bot(seat) and self.virtual:
            return whom
        here = self.sitting.present
        able = [
            each
            for each in people.order
            if people.persons[each].secret
            and (people.may_see_hand(each, whom) if self.virtual else people.may_act_for(each, whom, here))
        ]
        assert able, f"nobody may tap for {whom}"
        return whom if whom in able else self.dice.choice(able)

    def anybody(self) -> int:
        people = self.sitting.table.people
        return self.dice.choice([each for each in people.order if people.persons[each].secret])

    def has_phone(self, person: int) -> bool:
        people = self.sitting.table.people
        return people.is_here(person) and people.persons[person].secret is not None

    # --- what is told ---

    def say(self, tell: c.Command, person: int | None = None, **more: Any) -> list[e.Event]:
        self.figures.tells += 1
        entries = self.sitting.said(tell, person, at=self.sitting.table.at, **more)
        if self.maybe(self.launcher.killed_after_a_tell):
            self.kill()
        return entries

    def kill(self) -> None:
        """The power fails; not in a burst, which is the launcher's."""
        if getattr(self.sitting, "burst", None) is None:
            self.did("killed")
            self.sitting.dies()

    def happened(self, entries: Sequence[e.Event]) -> list[Event]:
        news = list(self.sitting.table.news)[-len(entries) :] if entries else []
        return [event for item in news for event in item.happened]

    def act(self, action: Action, by: int) -> list[Event]:
        """Told to the table, or just done where the table does not follow."""
        game = self.game
        if self.match.by_itself:
            happened = list(game.attempt(action))
        else:
            happened = self.happened(self.say(c.Act(self.match.notes.write(action)), by))
        self.follow(happened)
        return happened

    def follow(self, happened: Sequence[Event]) -> None:
        """What people do with their cards when that happens."""
        if self.virtual:
            return
        for event in happened:
            if event.what is What.TAKEN_BACK and event.seat is not None:
                self.held(event.seat).append(self.hands.talon.pop())
            elif event.what is What.PUT_BACK:
                self.hands.stack.insert(0, self.hands.talon.pop())
            elif event.what is What.DISCARDED and event.seat is not None and event.card in self.held(event.seat):
                self.held(event.seat).remove(event.card)  # E-18, of a hand that was shown: nobody is asked for it
                self.hands.talon.insert(-1, event.card)
