"""The routes of the launcher under ``/api/v1``: snapshot, journal, events, odds, commands, simulated launcher."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from fastapi import APIRouter, Header, Query, Request, Response
from msgspec import Meta
from pydantic import Field, WithJsonSchema

from dispenser.i18n import Text
from dispenser.journal import Record
from dispenser.launcher.chimes import MELODIES
from dispenser.launcher.commands import COMMANDS, MOVING, Command, Count, Press
from dispenser.launcher.messages import PressRefused, Refusal
from dispenser.service.requests import PowerAction
from dispenser.simulator.commands import SIMULATOR_COMMANDS, NoCardError, SimulatorCommand
from dispenser.web import models
from dispenser.web.access import first_readable, is_admitted, role_of
from dispenser.web.errors import ProblemError
from dispenser.web.languages import language_of
from dispenser.web.rate_limit import client_of
from dispenser.web.schemas import EVERYWHERE, answer, content, problems, stream, takes
from dispenser.web.show import ScriptShow
from dispenser.web.stream import EventStream, Streams
from dispenser.web.tally import Tally
from dispenser.web.texts import IN_WORKSHOP, REFUSED, SENTENCES

if TYPE_CHECKING:
    from dispenser.journal import JournalReader
    from dispenser.service.service import Service
    from dispenser.simulator import Simulator
    from dispenser.web.show import Showing

SOURCE = "web"
_LEAVE = Text("Wait until that has ended, or end it there.")
PHONE = "phone"  # Source of a press when a phone replaces the launcher (driver.stands_in)
_ONLY_NAMED = frozenset({"off", "lid_open", "fault"})  # Reasons whose sentence does not say what to do
LONGEST_PAGE = 500
MOST_TYPES = 20

_RECORD = {
    200: answer(Record, "The record of the command."),
    409: answer(models.Refused, "The `id` was used for another command before."),
}
_COUNT = _RECORD | problems({404: "There is no such press, or its burst has not ended."})
_PRESS = {
    202: answer(Record, "The press is accepted; its cards follow as events."),
    409: answer(models.Refused, "The press is refused, or its `id` was used for another command before."),
}
_EVENTS = stream(
    "Server-sent events: `id` is the record's seq, `event` its type, `data` the record as JSON. Every 15 s a comment "
    "is sent. A client that stops reading is disconnected; it can resume.",
    content(Record)["content"]["application/json"]["schema"],
    example="id: 41\nevent: launcher.lid.opened\n"
    'data: {"seq":41,"time":"2026-01-31T18:30:00.123456Z","source":"launcher",'
    '"type":"launcher.lid.opened","data":{}}\n\n',
)


_NOTE = Annotated[list[float], Meta(min_length=2, max_length=2)]
Seq = Annotated[
    int | None,
    Field(ge=0, le=models.MAX_SEQ),
    WithJsonSchema({"type": "integer", "minimum": 0, "maximum": models.MAX_SEQ}),  # it may be absent, but not null
]
PageLength = Annotated[
    int | None,
    Field(ge=1, le=LONGEST_PAGE),
    WithJsonSchema({"type": "integer", "minimum": 1, "maximum": LONGEST_PAGE}),
]
_RecordType = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^*]*\*?$")]
RecordTypes = Annotated[list[_RecordType], Field(max_length=MOST_TYPES)]


def json_response(value: Any) -> Response:
    """Return a value as a JSON response."""
    return Response(msgspec.json.encode(value), media_type="application/json")


def record_response(record: Record, status: int = 200) -> Response:
    return Response(record.json(), status, media_type="application/json")


def press_response(record: Record, *, in_workshop: bool) -> Response:
    """Return 202 with the record of an accepted press, or raise a 409; an open workshop explains why it is off."""
    if record.type != PressRefused.type:
        return record_response(record, 202)
    reason = str(record.data["reason"])
    message = SENTENCES["open" if reason == "lid_open" else reason]
    remedy = REFUSED[reason] if reason in _ONLY_NAMED else None
    if in_workshop and reason == Refusal.OFF.value:
        message, remedy = IN_WORKSHOP, _LEAVE
    more = {"reason": reason, "record": dataclasses.asdict(record.public())}
    raise ProblemError("press_refused", message, remedy, more=more)


def api_router(showing: Showing, streams: Streams) -> APIRouter:
    """Return all routes of one launcher; without odds and commands if a script drives it."""
    router = APIRouter(prefix="/api/v1", responses=problems(EVERYWHERE), default_response_class=Response)
    now = answer(models.ScriptNow if isinstance(showing, ScriptShow) else models.LauncherNow, "The current state.")

    @router.get("/snapshot", tags=["look"], responses={200: now})
    async def snapshot(request: Request) -> Response:
        """Return the current state. To follow it without a gap, read `/events` with `after` set to its `seq`."""
        return json_response(showing.snapshot(language_of(request)))

    _add_events(router, showing, streams)
    if not isinstance(showing, ScriptShow):
        _add_luck(router, showing)
        _add_commands(router, showing)
    router.include_router(_simulator_router(showing))
    return router


def _add_events(router: APIRouter, showing: Showing, streams: Streams) -> None:
    """Add the routes that stream records (``/events``) and page through the journal."""
    later = problems({409: "The journal has no record with that seq yet."})

    @router.get("/events", tags=["listen"], responses={200: _EVENTS, **later})
    async def events(
        request: Request,
        last_event_id: Annotated[Seq, Header(description="Like `after`; sent by a browser that reconnects.")] = None,
        after: Annotated[Seq, Query(description="Send the records after this seq.", examples=[40])] = None,
    ) -> EventStream:
        """Stream all new records, or with `after` all records after that seq, each exactly once.

        Only the owner gets records from before the last evening.
        """
        start = after if last_event_id is None else last_event_id
        if start is not None and start > showing.journal.last_seq:
            raise ProblemError("ahead_of_journal", last_seq=showing.journal.last_seq, start=start)
        if start is not None:
            start = max(start, first_readable(role_of(request), showing.journal) - 1)
        admitted = partial(is_admitted, request)
        return streams.add(client_of(request), lambda: EventStream(streams, showing.event_bus, start, admitted))

    page = answer(models.RecordPage, "The records.")

    @router.get("/journal", tags=["look"], responses={200: page})
    async def journal(
        request: Request,
        after: Annotated[Seq, Query(description="Only records after this seq.")] = 0,
        limit: Annotated[PageLength, Query(description="Maximum number of records.")] = 100,
        last: Annotated[PageLength, Query(description="Only this many of the newest records.")] = None,
        types: Annotated[
            RecordTypes,
            Query(
                alias="type",
                description="Only records of this type, or of the types below it (`launcher.press`). Can be repeated.",
            ),
        ] = [],  # noqa: B006 - FastAPI's convention; nobody changes it
    ) -> Response:
        """Return a page of records in ascending order. For the next page, set `after` to the last `seq` of this one.

        Only the owner gets records from before the last evening.
        """
        role = role_of(request)

        def look(journal: JournalReader) -> bytes:
            start = max(after or 0, first_readable(role, journal) - 1)
            records = journal.read(start, types=types or None, limit=None if last else limit, last=last)
            found = b",".join(record.json() for record in records)
            return b'{"records":[%b],"last_seq":%d}' % (found, journal.last_seq)

        return Response(await showing.ask_journal(look), media_type="application/json")


def _add_luck(router: APIRouter, service: Service) -> None:
    tally = Tally(service)
    both = answer(models.OddsAndLuck, "Expected and actual distribution.")

    @router.get("/odds", tags=["look"], responses={200: both})
    async def odds() -> Response:
        """Return the odds in force, with the expected and the actual distribution of cards per press."""
        return json_response(await tally.report())

    melodies = {chime.value: melody for chime, melody in MELODIES.items()}
    notes = answer(dict[str, list[_NOTE]], "Notes by chime.", example={"refused": [[440.0, 80]]})

    @router.get("/chimes", tags=["look"], responses={200: notes})
    async def chimes() -> Response:
        """Return the notes of every chime: pairs of frequency in Hz (0 is a rest) and duration in ms."""
        return json_response(melodies)


def _add_commands(router: APIRouter, service: Service) -> None:
    commands = APIRouter(tags=["command"], default_response_class=Response)

    async def handle(request: Request, command: Command) -> Response:
        if isinstance(command, Press):
            check_press(request, command)
        source = PHONE if isinstance(command, Press) and service.driver.stands_in else SOURCE
        record = await service.handle(command, source)
        if not isinstance(command, MOVING):
            return record_response(record)
        return press_response(record, in_workshop=service.workshop is not None)

    def check_press(request: Request, command: Press) -> None:
        """Refuse a phone's press when it is somebody else's turn to press; the owner and repeated ids are exempt."""
        role, evening = role_of(request), service.evening
        if role.owner or evening is None or (command.id and service.journal.answers_to(command.id)):
            return
        if (name := evening.other_presser(role.person)) is not None:
            raise ProblemError("not_your_press", name=name)

    for word, kind in COMMANDS.items():
        moving = issubclass(kind, MOVING)
        responses = _PRESS if moving else _COUNT if kind is Count else _RECORD
        takes(commands, f"/{word}", kind, status_code=202 if moving else 200, responses=responses)(handle)

    asked = {200: answer(models.Nothing, "The computer begins to switch off or to restart.")}

    refused = problems({409: "The launcher cannot switch this computer off; the message says why."})

    @takes(commands, "/computer", responses={**asked, **refused})
    async def computer(command: models.Computer) -> Response:
        """Turn the motor off, then switch the computer off or restart it. A user interface should confirm it first."""
        await service.switch_computer(PowerAction(command.act), SOURCE)
        return json_response({})

    router.include_router(commands)


def _simulator_router(showing: Showing) -> APIRouter:
    """Return the routes that operate the simulated launcher, ``/api/v1/simulator``. With a real one all are 404.

    A command is carried out first and recorded then, so that the journal holds only what happened. The driver notices
    the change through its pins a moment later, as with a real launcher.
    """
    refused = problems({404: "The launcher is not simulated.", 409: "Not possible in the current state."})
    answers = {200: answer(models.SimulatorNow, "State of the simulated launcher."), **refused}
    router = APIRouter(prefix="/simulator", tags=["simulator"], responses=answers, default_response_class=Response)

    def simulated() -> Simulator:
        if showing.simulator is None:
            raise ProblemError("not_simulated")
        return showing.simulator

    @router.get("")
    async def look() -> Response:
        """Return the state of the simulated launcher."""
        return json_response(models.seen(simulated().view()))

    async def carry_out(command: SimulatorCommand) -> Response:
        try:
            type_, data = command.carry_out(simulated())
        except NoCardError as error:
            raise ProblemError("jammed_fast" if error.jammed else "no_card") from error
        showing.note(type_, data, SOURCE)
        return await look()

    for word, kind in SIMULATOR_COMMANDS.items():
        takes(router, f"/{word}", kind)(carry_out)
    return router
