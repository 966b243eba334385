"""What one does to a running launcher: ``dispenser press``, ``eject``, ``load``, ``count``, ``reset``.

The same words are the names of the methods of :class:`dispenser.client.LauncherClient` and of the routes of the HTTP
API.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from dispenser.cli.failures import FOUND_WRONG, UNAVAILABLE, fail
from dispenser.cli.launcher import at_launcher
from dispenser.cli.options import JsonOption
from dispenser.cli.sentences import describe, remark, texts, was_cut_short
from dispenser.cli.spoken import _
from dispenser.client import ApiError, LauncherClient, RefusedError, UnreachableError
from dispenser.language import Text
from dispenser.launcher.messages import AWAITING_A_PERSON, BurstEnded, BurstLost, State

if TYPE_CHECKING:
    from dispenser.journal import Entry

PATIENCE_S = 15.0
"""How long a press waits for a launcher that went away in the middle, seconds: a restart takes a few."""

IdOption = Annotated[
    str | None, typer.Option("--id", help="Your own id for this: the same id again does nothing twice.")
]
WaitOption = Annotated[bool, typer.Option("--wait/--no-wait", help="Wait for what comes of it.")]


@at_launcher
def press(
    client: LauncherClient,
    request: IdOption = None,
    wait: WaitOption = True,
    as_json: JsonOption = False,
    cards: Annotated[int | None, typer.Option(min=1, hidden=True)] = None,
) -> None:
    """Press the running launcher's button, and say what came out. Luck decides.

    Exit code: 0 it counts and came to its end, 1 refused or cut short, 69 no launcher answers.
    """
    _press(client, cards, request, wait=wait, as_json=as_json)


@at_launcher
def eject(
    client: LauncherClient,
    cards: Annotated[int, typer.Argument(min=1, help="So many cards.", show_default=False)],
    request: IdOption = None,
    wait: WaitOption = True,
    as_json: JsonOption = False,
) -> None:
    """Let the running launcher throw exactly so many cards. Luck has no say.

    It takes 12 at a time, or what max_burst_cards in its settings says. Exit code: as of press.
    """
    _press(client, cards, request, wait=wait, as_json=as_json)


def _press(client: LauncherClient, cards: int | None, request: str | None, *, wait: bool, as_json: bool) -> None:
    try:
        accepted = client.press(request=request) if cards is None else client.eject(cards, request)
    except RefusedError as error:
        refused = error.entry
        typer.echo(refused.json().decode() if as_json else _("Refused. {why}", why=error))
        raise typer.Exit(FOUND_WRONG) from error
    if as_json:
        typer.echo(accepted.json().decode())
    if not wait:
        if not as_json:
            typer.echo(f"{describe(accepted)[0]}.")
        return
    try:
        ended = outcome(client, accepted)
    except ApiError as error:
        fail(
            _(
                "press {press} counts, but the launcher has gone ({error}). When it is back, 'dispenser log --type "
                "launcher.burst' tells what came out",
                press=accepted.data["press"],
                error=error,
            ),
            UNAVAILABLE,
        )
    typer.echo(ended.json().decode() if as_json else remark(ended))
    if was_cut_short(ended):
        raise typer.Exit(FOUND_WRONG)


def outcome(client: LauncherClient, accepted: Entry) -> Entry:
    """Wait for the end of an accepted press's burst.

    :raises ApiError: the launcher has gone, and does not come back.
    """
    with closing(client.events(accepted, patience_s=PATIENCE_S)) as entries:
        for entry in entries:
            if entry.type in (BurstEnded.type, BurstLost.type) and entry.data["press"] == accepted.data["press"]:
                return entry
    raise UnreachableError(Text("the stream of entries has ended"))


@at_launcher
def load(
    client: LauncherClient,
    cards: Annotated[int, typer.Argument(min=0, max=999, help="So many cards are inside.", show_default=False)],
    request: IdOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say how many cards are inside the running launcher now. An empty one is then ready again.

    On the simulated launcher, 'dispenser toy stack' puts them in.
    """
    _tell(client.load(cards, request), as_json=as_json)


@at_launcher
def count(
    client: LauncherClient,
    cards: Annotated[int, typer.Argument(min=0, max=999, help="So many cards came out.", show_default=False)],
    number: Annotated[
        int | None, typer.Option("--press", min=1, help="At the press of this number.", show_default="the last one")
    ] = None,
    request: IdOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say how many cards really came out at a press: without an exit sensor nobody else can.

    Exit code: 0, or 1 when no burst of such a press has ended.
    """
    last = int(client.snapshot()["presses"]) if number is None else number
    _tell(client.count(last, cards, request), as_json=as_json)


def _tell(entry: Entry, *, as_json: bool) -> None:
    typer.echo(entry.json().decode() if as_json else f"{describe(entry)[0]}.")


@at_launcher
def reset(client: LauncherClient, request: IdOption = None, as_json: JsonOption = False) -> None:
    """Say that a jam, an empty stack or a fault of the running launcher has been seen to.

    Exit code: 0 it is over, 1 it persists, 69 no launcher answers.
    """
    entry = client.reset(request)
    detail = client.snapshot()["detail"]
    state = State(entry.data["state"])
    persists = state in AWAITING_A_PERSON
    if as_json:
        typer.echo(entry.json().decode())
    else:
        words = texts()["state"][state.value]
        said = _("Still: {state}.", state=words) if persists else _("Done: {state}.", state=words)
        typer.echo(f"{said} {detail}".rstrip() if persists else said)
    if persists:
        raise typer.Exit(FOUND_WRONG)
