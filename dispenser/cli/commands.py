"""What one asks of a running launcher: ``dispenser press``, ``eject``, ``load``, ``reset``, ``count``.

Each is made from its struct in ``dispenser.launcher.commands``: a required field is an argument, another an option.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Annotated, Any, get_args, get_type_hints

import typer
from msgspec import Struct
from msgspec.structs import FieldInfo, fields

from dispenser.cli.failures import FOUND_WRONG, UNAVAILABLE, fail
from dispenser.cli.launcher import Answers, answering
from dispenser.cli.sentences import describe, remark, texts, was_cut_short
from dispenser.cli.spoken import _
from dispenser.client import ApiError, LauncherClient, RefusedError
from dispenser.journal import Record
from dispenser.launcher.commands import COMMANDS, MAX_NUMBER, MOVING, Command, word_of
from dispenser.launcher.messages import AWAITING_A_PERSON, BurstEnded, BurstLost, State, WasReset

PATIENCE_S = 15.0
"""How long a press waits for a launcher that went away in the middle, seconds: a restart takes a few."""


def _command_for(kind: type[Command]) -> Callable[..., None]:
    """The terminal's command that sends a ``kind`` and says what came of it."""

    def run(client: LauncherClient, **given: Any) -> Answers:
        command = kind(**given)
        return _move(client, command) if isinstance(command, MOVING) else _tell(client, command)

    parameters = [inspect.Parameter("client", inspect.Parameter.KEYWORD_ONLY)]
    example = f"dispenser {word_of(kind)}"
    for field, type_, limits in _fields(kind):
        most = None if limits.le == MAX_NUMBER else limits.le
        shown: dict[str, Any] = {"help": limits.description, "min": limits.ge, "max": most}
        if field.required:
            annotation, default = Annotated[type_, typer.Argument(**shown)], inspect.Parameter.empty
            example += f" {limits.examples[0]}"
        else:
            annotation, default = Annotated[type_ | None, typer.Option(f"--{field.name}", **shown)], field.default
        parameters.append(
            inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        )
    run.__name__, run.__doc__ = word_of(kind), f"{kind.__doc__}\n\nExample: {example}"
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return answering(run)


def _fields(kind: type[Struct]) -> Iterator[tuple[FieldInfo, Any, Any]]:
    """Each field with its type and its ``Meta``, those that may be left out last."""
    hints = get_type_hints(kind, include_extras=True)
    for field in sorted(fields(kind), key=lambda field: not field.required):
        annotated = hints[field.name] if field.required else get_args(hints[field.name])[0]  # else ... | None
        yield field, *get_args(annotated)


def _move(client: LauncherClient, command: Command) -> Answers:
    """Send a press, and wait for what it brings."""
    try:
        accepted = client.send(command)
    except RefusedError as error:
        yield error.entry, _("Refused. {why}", why=error)
        raise typer.Exit(FOUND_WRONG) from error
    yield accepted, ""
    ended = _outcome(client, accepted)
    yield ended, remark(ended)
    if was_cut_short(ended):
        raise typer.Exit(FOUND_WRONG)


def _outcome(client: LauncherClient, accepted: Record) -> Record:
    """Wait for the end of an accepted press's burst."""
    press = accepted.data["press"]
    with closing(client.events(accepted, patience_s=PATIENCE_S)) as entries:
        try:
            ends = (each for each in entries if each.type in {BurstEnded.type, BurstLost.type})
            return next(each for each in ends if each.data["press"] == press)
        except ApiError as error:
            gone = _(
                "press {press} counts, but the launcher has gone ({error}). When it is back, 'dispenser log --type "
                "launcher.burst' tells what came out",
                press=press,
                error=error,
            )
            fail(gone, UNAVAILABLE)


def _tell(client: LauncherClient, command: Command) -> Answers:
    """Send what moves nothing; a reset that did not help is a failure."""
    entry = client.send(command)
    if entry.type != WasReset.type:
        yield entry, f"{describe(entry)[0]}."
        return
    state = State(entry.data["state"])
    words = texts()["state"][state.value]
    if state not in AWAITING_A_PERSON:
        yield entry, _("Done: {state}.", state=words)
        return
    detail = client.snapshot()["detail"]
    yield entry, f"{_('Still: {state}.', state=words)} {detail}".rstrip()
    raise typer.Exit(FOUND_WRONG)


globals().update({word: _command_for(kind) for word, kind in COMMANDS.items()})
