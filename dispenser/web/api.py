"""The HTTP API of the launcher, ``/api/v1``: look, listen, command."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Header, Query, Request, Response
from pydantic import Field

from dispenser.language import Text
from dispenser.launcher.chimes import MELODIES
from dispenser.web import models
from dispenser.web.docs import EVERYWHERE
from dispenser.web.errors import ProblemError
from dispenser.web.i18n import language_for
from dispenser.web.luck import Tally
from dispenser.web.stream import EventStream, Streams

if TYPE_CHECKING:
    from dispenser.journal import Entry, JournalReader
    from dispenser.service.service import Service
    from dispenser.web.showing import Showing

SOURCE = "web"

REFUSALS = {
    "off": (Text("The launcher is off."), Text("Switch it on.")),
    "busy": (Text("A burst is under way."), Text("Wait until it is over.")),
    "lid_open": (Text("The lid is open: nothing can move."), Text("Shut the lid.")),
    "empty": (Text("The launcher is empty."), Text("Load cards, then shut the lid.")),
    "jammed": (Text("A card is stuck."), Text("Lift the lid, take the card out, shut the lid.")),
    "card_in_exit": (Text("A card sticks out of the exit."), Text("Take it; it belongs to whoever pressed last.")),
    "blind": (
        Text("The exit sensor saw nothing of the last burst."),
        Text("The snapshot's detail says what to look at first. Then shut the lid, or reset."),
    ),
    "exit_dark": (
        Text("The exit sensor is dark, though no card was fed into the exit."),
        Text("Take out what is in the exit; if there is nothing, wipe the sensor and look at its wire."),
    ),
    "fault": (
        Text("Something is broken; the motor is off."),
        Text("The snapshot's detail says what. Mend it, then reset."),
    ),
}

_ENTRY: dict[int | str, dict[str, Any]] = {
    200: {"model": models.EntryOut, "description": "What happened."},
    409: {"model": models.RefusedOut, "description": "The `id` was used for something else before."},
}
_PRESS_ANSWERS: dict[int | str, dict[str, Any]] = {
    202: {"model": models.EntryOut, "description": "The press counts. What it brings comes as events."},
    409: {"model": models.RefusedOut, "description": "The press does not count, and why; or its `id` was used before."},
}

_NO_PRESS = models.Press()
_NO_RESET = models.Reset()


_PROBLEMS = {
    **EVERYWHERE,
    404: "There is no such thing on this launcher.",
    408: "The body did not come.",
    409: "Not as things are now.",
    413: "The body is too large.",
    415: "The body does not say that it is JSON.",
}
ANY_COMMAND = (408, 413, 415)
"""Answers that any command may give, beside those of ``EVERYWHERE``."""


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Answers that are no success, for OpenAPI."""
    return {status: {"model": models.ProblemOut, "description": _PROBLEMS[status]} for status in statuses}


def entry_response(entry: Entry, status: int = 200) -> Response:
    return Response(entry.json(), status, media_type="application/json")


def press_response(entry: Entry) -> Response:
    """202 with the entry of an accepted press.

    :raises ProblemError: 409 for a refused one.
    """
    if entry.type != "launcher.press.refused":
        return entry_response(entry, 202)
    reason = str(entry.data["reason"])
    message, remedy = REFUSALS[reason]
    raise ProblemError(
        409, "press_refused", message, remedy, more=(("reason", reason), ("entry", dataclasses.asdict(entry)))
    )


def api_router(service: Service, streams: Streams) -> APIRouter:
    """All routes of one launcher but the simulated toy's."""
    router = APIRouter(prefix="/api/v1", responses=problems(*EVERYWHERE))
    _add_snapshot(router, service)
    add_listening(router, service, streams)
    _add_luck(router, service)
    commands = APIRouter(responses=problems(*ANY_COMMAND))
    _add_commands(commands, service)
    router.include_router(commands)
    return router


def _add_snapshot(router: APIRouter, service: Service) -> None:
    @router.get("/snapshot", tags=["look"], response_model=models.SnapshotOut, response_description="The launcher now.")
    async def snapshot(request: Request) -> dict[str, Any]:
        """Everything a page must know to begin. Then listen to `/events?after=` its `seq`: nothing is missed."""
        return service.snapshot(language_for(request.headers))


def add_listening(router: APIRouter, showing: Showing, streams: Streams) -> None:
    """What happens, as it happens and again later."""

    @router.get(
        "/events",
        tags=["listen"],
        response_class=Response,
        responses={
            200: {
                "description": "Server-sent events: `id` is the entry's seq, `event` its type, `data` the entry as "
                "JSON. A comment every 15 s keeps the line alive. Whoever does not read is dropped, and resumes.",
                "content": {
                    "text/event-stream": {
                        "schema": {"type": "string"},
                        "example": "id: 41\nevent: launcher.lid.opened\n"
                        'data: {"seq":41,"time":"2026-01-31T18:30:00.123456Z","source":"launcher",'
                        '"type":"launcher.lid.opened","data":{}}\n\n',
                    }
                },
            },
            **problems(409),
        },
    )
    async def events(
        last_event_id: Annotated[
            models.Seq, Header(description="Resume after this entry; a browser sends it by itself.")
        ] = None,
        after: Annotated[models.Seq, Query(description="Start after this entry.", examples=[40])] = None,
    ) -> EventStream:
        """Every entry from now on, or every entry after a given one: none is missed, none comes twice."""
        start = after if last_event_id is None else last_event_id
        if start is not None and start > showing.journal.last_seq:
            raise ProblemError(
                409,
                "ahead_of_journal",
                Text("The journal ends at entry {last_seq}; entry {start} is of another journal.").filled(
                    last_seq=showing.journal.last_seq, start=start
                ),
                Text("Take a new snapshot and begin from its seq."),
            )
        return streams.response(start)

    @router.get(
        "/journal",
        tags=["look"],
        response_class=Response,
        responses={200: {"model": models.EntryPage, "description": "The entries."}},
    )
    async def journal(
        after: Annotated[models.Seq, Query(description="Entries with a larger seq only.")] = 0,
        limit: Annotated[models.PageLength, Query(description="Entries at most.")] = 100,
        last: Annotated[models.PageLength, Query(description="Only the newest so many, still in order.")] = None,
        entry_type: Annotated[
            list[models.EntryType],
            Query(
                alias="type",
                max_length=20,
                description="Only these types or families of types (`launcher.press`); repeat it for several.",
            ),
        ] = [],  # noqa: B006 - FastAPI's way; nobody changes it
    ) -> Response:
        """A page of journal entries in order. For the next page ask `after` the last `seq` of this one.

        With `last`, the end of the journal instead.
        """

        def look(journal: JournalReader) -> bytes:
            entries = journal.read(after, types=entry_type or None, limit=None if last else limit, last=last)
            found = b",".join(entry.json() for entry in entries)
            return b'{"entries":[%b],"last_seq":%d}' % (found, journal.last_seq)

        return Response(await showing.reading.ask(look), media_type="application/json")


def _add_luck(router: APIRouter, service: Service) -> None:
    tally = Tally(service)
    chimes = {chime.value: [list(note) for note in melody] for chime, melody in MELODIES.items()}

    @router.get("/odds", tags=["look"], response_model=models.OddsOut, response_description="Both, side by side.")
    async def odds() -> dict[str, Any]:
        """What the odds promise, and what came since they are in force (from the journal)."""
        return await tally.report()

    @router.get(
        "/chimes",
        tags=["look"],
        response_model=dict[str, list[Annotated[list[float], Field(min_length=2, max_length=2)]]],
        response_description="Notes by the name of the chime.",
        responses={200: {"content": {"application/json": {"example": {"refused": [[440.0, 80]]}}}}},
    )
    async def get_chimes() -> dict[str, Any]:
        """The notes of every chime: pairs of frequency in Hz (0 is a rest) and duration in ms."""
        return chimes


def _add_commands(router: APIRouter, service: Service) -> None:
    @router.post("/press", tags=["command"], status_code=202, response_class=Response, responses=_PRESS_ANSWERS)
    async def press(command: models.Press = _NO_PRESS) -> Response:
        """Press the button, and let luck decide. An empty body will do."""
        return press_response(await service.press(SOURCE, request=command.id))

    most = service.settings.max_burst_cards

    async def eject(command: models.Eject) -> Response:
        """Ask for exactly so many cards: a press without luck, for games that say how many to draw."""
        if command.cards > most:
            message = Text("Cards must be 1 to {most}, not {cards}.").filled(most=most, cards=command.cards)
            raise ProblemError(422, "bad_request", message, Text("Ask for fewer at a time."))
        return press_response(await service.eject(command.cards, SOURCE, request=command.id))

    eject.__annotations__["command"] = models.Eject.at_most(most)
    router.post("/eject", tags=["command"], status_code=202, response_class=Response, responses=_PRESS_ANSWERS)(eject)

    @router.post("/load", tags=["command"], response_class=Response, responses=_ENTRY)
    async def load(command: models.Load) -> Response:
        """Say how many cards are inside now. An empty launcher is then ready again."""
        return entry_response(await service.load(command.cards, request=command.id))

    @router.post("/reset", tags=["command"], response_class=Response, responses=_ENTRY)
    async def reset(command: models.Reset = _NO_RESET) -> Response:
        """Say that a jam or a fault has been seen to. The entry tells the state: what persists, stays."""
        return entry_response(await service.reset(request=command.id))

    @router.post("/count", tags=["command"], response_class=Response, responses={**_ENTRY, **problems(404)})
    async def count(command: models.Count) -> Response:
        """Say how many cards really came out at a press: without an exit sensor nobody else can."""
        return entry_response(await service.count(command.press, command.cards, request=command.id))
