"""Summarize an evening from its events: its people, matches, rounds, scores and winners.

People are named as they were last. Points and winners are computed by replaying the evening, so an old evening is
scored by today's rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from msgspec import Struct

from dispenser.table import events as e
from dispenser.table.match import Match
from dispenser.table.replay import MISFITS, Replay, Written, event_of
from dispenser.table.table import LuckyPress, Table

BRIEF: Final = (e.Opened.type, e.Closed.type, e.Joined.type, e.Renamed.type, e.MatchBegun.type)
"""Event types that ``in_brief`` needs."""


class PlayedMatch(Struct, frozen=True):
    """A match in the list of evenings, with its tracking mode."""

    game: str
    tracking_mode: e.TrackingMode
    players: list[str]


class EveningInBrief(Struct, frozen=True):
    """An evening in the list of evenings.

    :param ended: null while the evening is open.
    :param people: names of all who had a seat, without bots.
    """

    id: str
    begun: str
    ended: str | None
    people: list[str]
    bots: int
    matches: list[PlayedMatch]


class PlayerRound(Struct, frozen=True):
    """The result of a round for one player.

    :param points: points from this round; null if it is not over, or if they are unknown.
    :param score: score after this round; null like ``points``.
    :param presses: presses by the odds.
    :param cards: cards that these presses delivered.
    """

    name: str
    points: int | None
    score: int | None
    presses: int
    cards: int


class MatchStory(Struct, frozen=True):
    """A match of an evening.

    :param tracking_mode: the last tracking mode.
    :param ended: null while the match is under way.
    :param rounds: the players of each round.
    :param scores: last score of each player, by name.
    :param winners: names; empty if the match was stopped early.
    """

    game: str
    tracking_mode: e.TrackingMode
    begun: str
    ended: str | None
    players: list[str]
    rounds: list[list[PlayerRound]]
    scores: dict[str, int]
    winners: list[str]


class Luck(Struct, frozen=True):
    """A person's presses by the odds, and the cards that these delivered."""

    name: str
    presses: int
    cards: int
    longest_dud_run: int
    biggest_burst: int


class EveningStory(Struct, frozen=True):
    """An evening with its matches. Times are UTC, ISO 8601; ``ended`` is null while it is open."""

    id: str
    begun: str
    ended: str | None
    people: list[str]
    bots: list[str]
    matches: list[MatchStory]
    luck: list[Luck]


def in_brief(events: Iterable[Written]) -> EveningInBrief | None:
    """Summarize an evening from its events of the types ``BRIEF``; ``None`` without its ``Opened`` event."""
    opened, begun, ended = "", "", None
    names: dict[int, tuple[str, bool]] = {}
    matches: list[e.MatchBegun] = []
    for written in events:
        try:
            event = event_of(written)
        except MISFITS:
            continue
        match event:
            case e.Opened():
                opened, begun = event.table, written.time
            case e.Closed():
                ended = written.time
            case e.Joined():
                names[event.person] = event.name, event.bot
            case e.Renamed() if event.person in names:
                names[event.person] = event.name, names[event.person][1]
            case e.MatchBegun() if event.anew:
                matches.append(event)
    if not opened:
        return None
    people = [name for name, bot in names.values() if not bot]
    played = [
        PlayedMatch(each.game, each.tracking_mode, [names[person][0] for person in each.order if person in names])
        for each in matches
    ]
    return EveningInBrief(opened, begun, ended, people, len(names) - len(people), played)


def story(events: Iterable[Written], seeds: Mapping[str, bytes], secret: bytes = b"") -> EveningStory | None:
    """Return the full history of an evening from all of its events; ``None`` without its ``Opened`` event."""
    replay = _Story(seeds, secret)
    for written in events:
        try:
            event = event_of(written)
            if event is not None:
                replay.take(event, written.time)
        except MISFITS:  # the audit and the doctor report what cannot be read
            continue
    return replay.story()


@dataclass
class _Played:
    """A match during the replay; people are numbers until the end, because they may be renamed."""

    game: str
    begun: str
    ended: str | None = None
    last: Match | None = None
    luck: dict[int, LuckyPress] = field(default_factory=dict)
    players: dict[int, None] = field(default_factory=dict)

    def story(self, names: Mapping[int, str]) -> MatchStory | None:
        match = self.last
        if match is None:
            return None
        played = match.rounds_played
        number = max([len(played), *(press.round + 1 for press in self.luck.values())])
        outcome = match.game.outcome if match.over else None
        scores = {person: score for each in played for person, score in each.scores.items()}
        scores |= dict(zip(match.order, match.scores, strict=True))
        return MatchStory(
            self.game,
            match.tracking_mode,
            self.begun,
            self.ended,
            [names[person] for person in self.players],
            [self._round(place, match, names) for place in range(number)],
            {names[person]: score for person, score in scores.items()},
            [names[match.order[seat]] for seat in outcome.winners] if outcome else [],
        )

    def _round(self, place: int, match: Match, names: Mapping[int, str]) -> list[PlayerRound]:
        over = match.rounds_played[place] if place < len(match.rounds_played) else None
        points, scores = (over.points, over.scores) if over else ({}, {})
        came: dict[int, list[int]] = {person: [] for person in points or match.order}
        for press in self.luck.values():
            if press.round == place:
                came.setdefault(press.person, []).append(press.cards)
        return [
            PlayerRound(names[each], points.get(each), scores.get(each), len(cards), sum(cards))
            for each, cards in came.items()
        ]


class _Story:
    """Builds the history of one evening from its events."""

    def __init__(self, seeds: Mapping[str, bytes], secret: bytes) -> None:
        self._replay = Replay(Table(lambda _: secret), None) if secret else Replay.without_secret(seeds)
        self._id = self._begun = ""
        self._ended: str | None = None
        self._names: dict[int, str] = {}
        self._bots: set[int] = set()
        self._matches: list[_Played] = []

    def take(self, event: e.Event, time: str) -> None:
        match event:
            case e.Opened():
                self._id, self._begun = event.table, time
            case e.Closed():
                self._ended = time
            case e.Joined(person=person, name=name, bot=bot):
                self._names[person] = name
                self._bots |= {person} if bot else set()
            case e.Renamed(person=person, name=name):
                self._names[person] = name
            case e.MatchBegun() if event.anew:
                self._matches.append(_Played(event.game, time))
            case e.MatchEnded() if self._matches:
                self._matches[-1].ended = time
        self._replay.apply(event)
        table = self._replay.table
        if table.match is not None and self._matches:
            played = self._matches[-1]
            played.last, played.luck = table.match, table.luck
            if isinstance(event, e.MatchBegun):
                played.players |= dict.fromkeys(table.match.order)

    def story(self) -> EveningStory | None:
        if not self._id:
            return None
        names = self._names
        matches = [told for each in self._matches if (told := each.story(names)) is not None]
        came: dict[int, list[int]] = {}
        for each in self._matches:
            for press in each.luck.values():
                came.setdefault(press.person, []).append(press.cards)
        return EveningStory(
            self._id,
            self._begun,
            self._ended,
            [name for person, name in names.items() if person not in self._bots],
            [name for person, name in names.items() if person in self._bots],
            matches,
            [_luck(names[person], came[person]) for person in names if person in came],
        )


def _luck(name: str, came: list[int]) -> Luck:
    """Summarize the presses of one person, in order."""
    longest = max((len(list(run)) for dud, run in groupby(came, key=lambda cards: not cards) if dud), default=0)
    return Luck(name, len(came), sum(came), longest, max(came))
