"""``dispenser press``, ``eject``, ``load``, ``reset``, ``count``: commands for a running launcher.

Each is generated from its struct in ``dispenser.launcher.commands``: required fields are arguments, others options.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import closing
from enum import StrEnum
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin, get_type_hints

import typer
from msgspec import UNSET, Meta, Struct
from msgspec.structs import FieldInfo, fields

from dispenser.cli.failures import FOUND_WRONG, UNAVAILABLE, fail
from dispenser.cli.launcher import Answers, answering
from dispenser.cli.options import finite
from dispenser.cli.sentences import describe, remark, texts, was_cut_short
from dispenser.cli.spoken import _
from dispenser.client import ApiError, LauncherClient, RefusedError
from dispenser.journal import Record
from dispenser.launcher.commands import COMMANDS, MAX_NUMBER, MOVING, Command, word_of
from dispenser.launcher.messages import AWAITING_A_PERSON, BurstEnded, BurstLost, State, WasReset

_Kind = TypeVar("_Kind", bound=Struct)
PATIENCE_S = 15.0  # Timeout for reconnecting during a press, seconds: a restart of the launcher takes a few


def _command_for(kind: type[Command]) -> Callable[..., None]:
    """Return the CLI command that sends a command of this type and prints the result."""

    def run(client: LauncherClient, command: Command) -> Answers:
        return _move(client, command) if isinstance(command, MOVING) else _send(client, command)

    return answering(taking(kind, run, f"dispenser {word_of(kind)}"))


def taking(kind: type[_Kind], run: Callable[[LauncherClient, _Kind], Answers], typed: str) -> Callable[..., Answers]:
    """Return a function for typer that makes a ``kind`` from one parameter per field and passes it to ``run``.

    Required fields and booleans (a choice of two words) are arguments, others options. ``typed`` begins the example.
    """
    parameters = [inspect.Parameter("client", inspect.Parameter.KEYWORD_ONLY)]
    for field, type_, limits in _fields(kind):
        default, example = field.default, limits.examples and limits.examples[0]
        shown: dict[str, Any] = {"help": limits.description}
        annotated: Any = type_
        if type_ is bool:
            example, other = (limits.extra or {})["words"]
            annotated = cast(Any, StrEnum)(field.name, (example, other))
            default = annotated(example) if default is True else default
            shown["metavar"] = f"{example}|{other}"
        elif type_ in (int, float):
            most = None if limits.le == MAX_NUMBER else limits.le
            shown |= {"min": limits.ge, "max": most, "callback": finite}
        if field.required:
            typed += f" {example}"
            default = inspect.Parameter.empty
        annotation: Any = Annotated[annotated, typer.Argument(**shown)]
        if not field.required and type_ is not bool:
            default = None if default is UNSET else default
            annotation = Annotated[annotated | None, typer.Option(f"--{field.name.replace('_', '-')}", **shown)]
        parameters.append(
            inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        )

    def with_fields(client: LauncherClient, **given: Any) -> Answers:
        fields_given = {
            name: value is next(iter(type(value))) if isinstance(value, StrEnum) else value
            for name, value in given.items()
            if value is not None
        }
        return run(client, kind(**fields_given))

    with_fields.__name__, with_fields.__doc__ = kind.__name__.lower(), f"Example: {typed}"
    with_fields.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return with_fields


def _fields(kind: type[Struct]) -> Iterator[tuple[FieldInfo, Any, Meta]]:
    """Yield each field with its type and ``Meta``, required ones first."""
    hints = get_type_hints(kind, include_extras=True)
    for field in sorted(fields(kind), key=lambda field: not field.required):
        hint = hints[field.name]
        annotated = hint if get_origin(hint) is Annotated else get_args(hint)[0]  # an optional field is a union
        yield field, *get_args(annotated)


def _move(client: LauncherClient, command: Command) -> Answers:
    """Send a press, wait for the end of its burst, and yield both."""
    try:
        accepted = client.send(command)
    except RefusedError as error:
        yield error.record, _("Refused. {why}", why=error)
        raise typer.Exit(FOUND_WRONG) from error
    yield accepted, ""
    ended = _outcome(client, accepted)
    yield ended, remark(ended)
    if was_cut_short(ended):
        raise typer.Exit(FOUND_WRONG)


def _outcome(client: LauncherClient, accepted: Record) -> Record:
    """Wait for the end of an accepted press's burst."""
    press = accepted.data["press"]
    with closing(client.events(accepted, patience_s=PATIENCE_S)) as records:
        try:
            ends = (each for each in records if each.type in {BurstEnded.type, BurstLost.type})
            return next(each for each in ends if each.data["press"] == press)
        except ApiError as error:
            gone = _(
                "press {press} counts, but the launcher has gone ({error}). When it is back, 'dispenser log --type "
                "launcher.burst' tells what came out",
                press=press,
                error=error,
            )
            fail(gone, UNAVAILABLE)


def _send(client: LauncherClient, command: Command) -> Answers:
    """Send a command that does not run the motor; exit with 1 if a reset did not help."""
    record = client.send(command)
    if record.type != WasReset.type:
        yield record, f"{describe(record)}."
        return
    state = State(record.data["state"])
    words = texts()["state"][state.value]
    if state not in AWAITING_A_PERSON:
        yield record, _("Done: {state}.", state=words)
        return
    detail = client.snapshot()["detail"]
    yield record, f"{_('Still: {state}.', state=words)} {detail}".rstrip()
    raise typer.Exit(FOUND_WRONG)


globals().update({word: _command_for(kind) for word, kind in COMMANDS.items()})
