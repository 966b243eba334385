"""A party at a launcher with a token, and who asks it for what: what each may read and bring about, told once more.

An answer is held against the table of routes, its text against what is secret, what was written meanwhile against who
asked and how it stood before (``exceeds``).
"""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

from dispenser.journal import ERASED
from dispenser.launcher.messages import PressAccepted
from dispenser.rules.engine.history import Deed
from dispenser.service.assembly import simulated_launcher
from dispenser.service.service import Service
from dispenser.simulator import ToyParameters
from dispenser.system.hotspot import Network
from dispenser.table import messages as t
from dispenser.table.people import People
from dispenser.table.push import payer
from dispenser.table.replay import entry_of
from dispenser.table.secrets import hashed
from dispenser.web.access import MAX_SEAT_SECRETS, SEAT_COOKIE, WATCH_COOKIE, Rank, required_rank
from dispenser.web.app import create_app
from dispenser.web.security import Guard, Policy
from dispenser.web.stream import Streams
from tests.nightly.seed import SEED
from tests.web.rig import Listener
from tests.web.table import LAN_WITH_TOKEN, PHONE, TOKEN
from tests.web.test_access import REFUSALS, refusal
from tests.web.test_table import Home, Phone

HOST, SEAT, OTHER, GUEST, BOT, FREED = 1, 2, 3, 4, 5, 7
EARLIER = (("Yvonne-Secret", "Wim-Secret"), ("Xenia-Secret", "Quirin-Secret"))
OF_HOSTS = (t.MatchEnded, t.TellingWished, t.Seated, t.HostOnlySet, t.Closed)
IN_PERSON = (t.HostChanged, t.Claimed)
CORRECTIONS = (t.Undone, t.Redone, t.CardSet, t.Scored, t.Forgiven)
BY_ITSELF = (t.PressTaken, t.PressDone, t.Paid, t.Dealt, t.CountAsked, t.CountTold, t.Thrown, t.Paused)
WIFI = Network("Table 7", "k7rwn3xq2h")


@dataclass
class Actor:
    """Somebody who asks.

    :ivar rank: that they have whatever they do; else it is told by their cookies.
    :ivar always: status and error of every answer.
    :ivar knows: names of earlier evenings in which they had a seat.
    """

    headers: list[tuple[str, str]] = field(default_factory=list)
    jar: dict[str, str] = field(default_factory=dict)
    rank: Rank | None = None
    client: tuple[str, int] = PHONE
    host: str = "192.168.1.20:8112"
    always: tuple[int, str] | None = None
    knows: tuple[str, ...] = ()


@dataclass
class Was:
    """How the table stood before something was said."""

    people: People
    acting: int | None
    host_only: bool
    order: tuple[int, ...]
    cards: bool
    here: frozenset[int]
    payer: int | None
    stand_in: int | None
    me: int | None
    rank: Rank


def exceeds(entry: t.Entry, was: Was) -> bool:
    """Whether the one who asked had no right to that."""
    me, persons, acts = was.me, was.people.persons, was.me is not None and was.me == was.acting
    match entry:
        case t.Joined() if entry.secret:
            return not (entry.by == entry.person and entry.person not in persons and me is None)
        case t.SeatAsked() if entry.secret:
            return me is not None
        case t.Acted() if entry.by is None and entry.press is None:
            number = was.order[entry.action[1]]
            return not (persons[number].bot or persons[number].left)
    if entry.by is None:
        return not isinstance(entry, (t.Acted, *BY_ITSELF))
    if entry.by != me or me is None:
        return True
    match entry:
        case t.Acted() if entry.action[0] == Deed.PLAY:
            number = was.order[entry.action[1]]
            whom = persons[number]
            shares = whom.guest and me in {whom.seated_by, was.people.host}
            helps = number == me or (me, number) in was.people.helpers or shares
            away = whom.phoneless or whom.left or not (whom.bot or number in was.here)
            return not (helps or (away and not was.cards))
        case t.Acted() if entry.action[0] in {Deed.HAND, Deed.HAND_SIZE, Deed.TURN}:
            return was.cards or (was.host_only and not acts)
        case t.Acted() if entry.action[0] == Deed.COUNT_ROUND:
            return was.cards and not acts
        case t.Left():
            return not (entry.person == me or (acts and persons[entry.person].secret is None))
        case t.Renamed():
            return not (entry.person == me or persons[entry.person].phoneless or acts)
        case t.Helps():
            stops = not entry.yes and entry.by_whom == me
            return not (me in {entry.person, was.people.host} or stops or persons[entry.person].guest)
        case t.StandsIn():
            return not (entry.person in {None, me} or acts)
        case t.MatchBegun():
            return entry.anew and not acts
    if isinstance(entry, IN_PERSON):
        return me != was.people.host
    if isinstance(entry, CORRECTIONS):
        return was.host_only and not acts
    return isinstance(entry, OF_HOSTS) and not acts


class Party(Home):
    """A launcher with a token in a house; two evenings that were; the third with host, two seats, guest and bot."""

    def __init__(self, service: Service, app: Guard, streams: Streams, policy: Policy, random: Random) -> None:
        super().__init__(service, app, streams)
        self.policy, self.random = policy, random
        self.old: list[Phone] = []
        self.phones: dict[str, Phone] = {}
        self.listens: dict[str, Listener] = {}
        self.secrets: set[str] = set()
        self.own = ""

    async def begin(self) -> None:
        for one, other in EARLIER:
            await self.open(one[:-1])
            await self.owner.tell("rename", id=f"id-{len(self.old)}", name=one)
            self.old.append(await self.phone(other))
            await self.owner.tell("close")
        assert self.policy.owners is not None
        self.own = str(self.policy.owners.add(self.policy.owners.invite(), "", ""))
        await self.owner.tell("open", name="")
        for name in ("host", "seat", "other"):
            self.phones[name] = await self.phone(name)
        await self.owner.tell("guest", name="Mamie")
        await self.owner.tell("bot")
        for name in ("left", "freed"):
            self.phones[name] = await self.phone(name)
        await self.phones["left"].tell("leave")
        await self.owner.tell("let_go", person=FREED)
        self.phones["watcher"] = await self.phone(None)
        self.listens = {name: self.phones[name].listen() for name in ("host", "seat", "other")}
        started = await self.phones["host"].tell("start", game="uno-extreme", telling="cards")
        assert started.status_code == 200, started.text
        await self.owner.ask("POST", "/api/v1/press")
        seats = [each.jar.get(SEAT_COOKIE, "-") for each in (*self.phones.values(), *self.old, self.owner)]
        whole = {each for value in seats for each in value.split(".") if len(each) > 1}
        self.secrets = {TOKEN, WIFI.password, self.policy.session(), self.own, *whole, *map(hashed, whole)}

    def was(self, actor: Actor) -> Was:
        evening = self.service.evening
        assert evening is not None
        table, match, people = evening.table, evening.table.playing, evening.table.people
        mine = [hashed(each) for each in actor.jar.get(SEAT_COOKIE, "").split(".")][:MAX_SEAT_SECRETS]
        me = next((each.number for one in mine for each in people.persons.values() if each.secret == one), None)
        former = Rank.PAST_SEAT if actor.jar.get(SEAT_COOKIE) else Rank.STRANGER
        rank = Rank.WATCHER if actor.jar.get(WATCH_COOKIE) == self.phones["watcher"].jar[WATCH_COOKIE] else former
        here = frozenset(each for each in people.persons if each in evening.present)
        acting = people.host
        if acting not in here:
            acting = min(
                (each for each in people.order if people.persons[each].secret and each in here), default=acting
            )
        if me is not None:
            rank = Rank.HOST if me == acting else Rank.SEAT
        order = table.match.order if table.match else ()
        cards = table.match is not None and table.match.telling is t.Telling.CARDS
        pays = None if match is None or (seat := payer(match)) is None else order[seat]
        rank = actor.rank if actor.rank is not None else rank if table.is_open else former
        return Was(
            copy.deepcopy(people), acting, table.host_only, order, cards, here, pays, table.stand_in, me, rank
        )  # fmt: skip

    async def ask(self, actor: Actor, method: str, path: str, body: bytes = b"") -> tuple[int, bytes, bytes]:
        """Status, headers and body of an answer; a stream is left a little later. Checks what came of it."""
        was, seq, route = self.was(actor), self.service.journal.last_seq, path.partition("?")[0]
        cookie = "; ".join(f"{name}={value}" for name, value in actor.jar.items())
        sent = [("host", actor.host), ("content-type", "application/json"), *actor.headers]
        raw = [
            (name.encode(), value.encode("latin-1")) for name, value in (*sent, *([("cookie", cookie)] * bool(cookie)))
        ]
        heard: list[Any] = []
        asked = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def receive() -> Any:
            if (first := next(asked, None)) is not None:
                return first
            await asyncio.sleep(0.1)
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            heard.append(message)

        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": route,
            "raw_path": route.encode(),
            "root_path": "",
            "headers": raw,
            "client": actor.client,
            "query_string": path.partition("?")[2].encode(),
            "server": ("192.168.1.20", 8112),
        }
        await self.app(scope, receive, send)
        status, answer = heard[0]["status"], b"".join(each.get("body", b"") for each in heard[1:])
        headers = b"\n".join(b": ".join(each) for each in heard[0]["headers"])
        context = (method, path, body[:300], actor, status, answer[:300])
        self.check_answer(actor, was, method, route, status, answer, context)
        text = (headers + answer).decode(errors="replace")
        mine = {*actor.jar.values(), *actor.jar.get(SEAT_COOKIE, "").split(".")}
        assert not [each for each in self.secrets - mine if each in text], context
        assert not [each for pair in EARLIER for each in pair if each in text and each not in actor.knows], context
        self.check_hand(was, answer, context)
        self.check_entries(was, seq, context)
        return status, headers, answer

    def check_answer(
        self, actor: Actor, was: Was, method: str, path: str, status: int, answer: bytes, context: Any
    ) -> None:
        assert status < 500 or b'"too_many' in answer, context
        method = "GET" if method == "HEAD" else method
        needed, error = required_rank(method, path), answer.partition(b'"error": "')[2].partition(b'"')[0]
        if actor.always is not None:
            assert (status, error.decode()) == actor.always, context
        elif was.rank >= needed:
            assert error.decode() not in REFUSALS, context
        else:
            expected = refusal(was.rank, needed, method, path)
            if was.rank < Rank.WATCHER and any(name == "authorization" for name, _ in actor.headers):
                expected = (303, "login_needed") if expected[0] == 303 else (401, "wrong_token")
            assert (status, error.decode()) == expected, context

    def check_hand(self, was: Was, answer: bytes, context: Any) -> None:
        for part in answer.split(b"\n"):
            line = part.removeprefix(b"data: ")
            if not line.startswith(b'{"phase"') and b'"acting"' not in line:
                continue
            view = json.loads(line)
            if view.get("hand"):
                number = was.order[view["acting"]]
                assert was.me is not None, context
                assert number == was.me or (was.me, number) in was.people.helpers, context

    def check_entries(self, was: Was, seq: int, context: Any) -> None:
        """What was written meanwhile is what whoever asked might do, or came by itself."""
        for each in self.service.journal.read(seq):
            assert each.type != ERASED, context
            if each.type == PressAccepted.type and each.data["source"] in {"web", "phone"}:
                whose = was.payer
                person = None if whose is None else was.people.persons[whose]
                for_them = person is None or person.phoneless or person.left or not (person.bot or whose in was.here)
                mine = was.me is not None and (was.me in {whose, was.stand_in} or (was.me, whose) in was.people.helpers)
                assert was.rank >= Rank.SEAT, (context, each)
                assert mine or for_them, (context, each)
            if each.type == PressAccepted.type and each.data["source"] == "button":
                assert was.rank >= Rank.HOST, (context, each)
            if (entry := entry_of(each)) is not None:
                assert not exceeds(entry, was), (context, entry, was)
        assert self.service.workshop is None, context
        assert self.policy.owners is not None
        assert len(self.policy.owners.phones) == 1, context


@asynccontextmanager
async def party(name: str) -> AsyncIterator[Party]:
    print(f"seed {SEED} {name}")
    async with simulated_launcher(seed="roles", parameters=ToyParameters.flawless()) as service:
        await asyncio.sleep(0.5)
        streams, policy = Streams(60), Policy(LAN_WITH_TOKEN, own_wifi=lambda: WIFI)
        at = Party(service, create_app(service, policy, streams), streams, policy, Random(f"{SEED} {name}"))
        await at.begin()
        yield at
        streams.close()
