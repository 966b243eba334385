"""Check and carry out commands and queries from the broker, and answer them.

The answer, a JSON object, goes to the response topic of the message, with its correlation data (MQTT 5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from dispenser.i18n import SpokenError, Text
from dispenser.journal import JournalReader
from dispenser.launcher import messages as m
from dispenser.launcher.commands import COMMANDS
from dispenser.mqtt.outbox import as_message, first_public
from dispenser.web.texts import REFUSED

if TYPE_CHECKING:
    from collections.abc import Collection

    from dispenser.service.service import Service

SOURCE: Final = "mqtt"  # Source of these commands in the journal
MOST_BYTES: Final = 1024  # Of a command or a question
MOST_RECORDS: Final = 200  # Of one answer
_NOT_ALLOWED: Final = Text("the settings do not allow {command} by MQTT: commands in [mqtt] says what is allowed")
_NO_ID: Final = Text("give it an id of your own: the same id again moves nothing twice")
_TOO_LONG: Final = Text("the message has {number} bytes; {most} are allowed")
_NO_EVENING: Final = Text("no evening is under way")
_OTHER_JOURNAL: Final = Text("the journal has changed and is now {journal}: ask for its records from the first on")


class RefusedError(SpokenError):
    """A message was refused; nothing was done. The text says why."""


class JournalQuestion(Struct, forbid_unknown_fields=True):
    """A query for the records after a seq; the answer has at most ``MOST_RECORDS``.

    :ivar journal: id of the journal.
    """

    journal: str
    after: Annotated[int, Meta(ge=0, le=2**53)]


async def carry_out(service: Service, allowed: Collection[str], word: str, payload: bytes) -> dict[str, Any]:
    """Carry out a command to the launcher; return the answer.

    :param word: key of ``COMMANDS``.
    """
    try:
        if word not in allowed or word not in COMMANDS:
            raise RefusedError(_NOT_ALLOWED.filled(command=word))
        command = _decoded(payload, COMMANDS[word])
        if command.id is None:
            raise RefusedError(_NO_ID)
        record = await service.handle(command, SOURCE)
    except (SpokenError, ValueError) as error:
        return {"accepted": False, "error": str(error)}
    answer = {"id": command.id, "accepted": record.type != m.PressRefused.type, "record": record.public()}
    if record.type == m.PressRefused.type:
        answer["error"] = REFUSED[str(record.data["reason"])].en
    return answer


async def records_after(service: Service, payload: bytes) -> dict[str, Any]:
    """Return the records of the evening under way that a subscriber has missed."""
    try:
        question = _decoded(payload, JournalQuestion)
        journal, evening = service.journal.id, service.evening
        if question.journal != journal:
            raise RefusedError(_OTHER_JOURNAL.filled(journal=journal))
        if evening is None or not evening.is_open:
            raise RefusedError(_NO_EVENING)
        last = service.journal.last_seq

        def read(reader: JournalReader) -> list[Any]:
            first = first_public(reader)
            return list(reader.read(after=max(question.after, first - 1), before=last + 1, limit=MOST_RECORDS))

        records = await service.ask_journal(read)
    except (SpokenError, ValueError) as error:
        return {"error": str(error)}
    return {"journal": journal, "last": last, "records": [as_message(journal, each) for each in records]}


def _decoded(payload: bytes, kind: Any) -> Any:
    """:raises RefusedError: the message is too long, or not a valid object of that type."""
    if len(payload) > MOST_BYTES:
        raise RefusedError(_TOO_LONG.filled(number=len(payload), most=MOST_BYTES))
    try:
        return msgspec.json.decode(payload or b"{}", type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RefusedError(str(error)) from error
