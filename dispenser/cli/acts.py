"""What one does to a running launcher: ``dispenser press``, ``eject``, ``load``, ``count``, ``reset``.

The same words are the names of the methods of :class:`dispenser.client.LauncherClient` and of the routes of the HTTP
API.
"""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer

from dispenser.cli.failures import FOUND_WRONG, UNAVAILABLE, fail
from dispenser.cli.launcher import Answers, answering
from dispenser.cli.sentences import describe, remark, texts, was_cut_short
from dispenser.cli.spoken import _
from dispenser.client import ApiError, LauncherClient, RefusedError
from dispenser.journal import Record
from dispenser.launcher.messages import AWAITING_A_PERSON, BurstEnded, BurstLost, State

PATIENCE_S = 15.0
"""How long a press waits for a launcher that went away in the middle, seconds: a restart takes a few."""

IdOption = Annotated[
    str | None, typer.Option("--id", help="Your own id for this: the same id again does nothing twice.")
]


@answering
def press(
    client: LauncherClient,
    request: IdOption = None,
    cards: Annotated[int | None, typer.Option(min=1, hidden=True)] = None,
) -> Answers:
    """Press the running launcher's button, and say what came out. Luck decides.

    Exit code: 0 it counts and came to its end, 1 refused or cut short, 69 no launcher answers.
    """
    return _pressed(client, cards, request)


@answering
def eject(
    client: LauncherClient,
    cards: Annotated[int, typer.Argument(min=1, help="So many cards.", show_default=False)],
    request: IdOption = None,
) -> Answers:
    """Let the running launcher throw exactly so many cards. Luck has no say.

    It takes 12 at a time, or what max_burst_cards in its settings says. Exit code: as of press.
    """
    return _pressed(client, cards, request)


def _pressed(client: LauncherClient, cards: int | None, request: str | None) -> Answers:
    try:
        accepted = client.press(cards, request)
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


@answering
def load(
    client: LauncherClient,
    cards: Annotated[int, typer.Argument(min=0, max=999, help="So many cards are inside.", show_default=False)],
    request: IdOption = None,
) -> Answers:
    """Say how many cards are inside the running launcher now. An empty one is then ready again.

    On the simulated launcher, 'dispenser toy stack' puts them in.
    """
    entry = client.load(cards, request)
    yield entry, f"{describe(entry)[0]}."


@answering
def count(
    client: LauncherClient,
    cards: Annotated[int, typer.Argument(min=0, max=999, help="So many cards came out.", show_default=False)],
    number: Annotated[
        int | None, typer.Option("--press", min=1, help="At the press of this number.", show_default="the last one")
    ] = None,
    request: IdOption = None,
) -> Answers:
    """Say how many cards really came out at a press: without an exit sensor nobody else can.

    Exit code: 0, or 1 when no burst of such a press has ended.
    """
    entry = client.count(number or int(client.snapshot()["presses"]), cards, request)
    yield entry, f"{describe(entry)[0]}."


@answering
def reset(client: LauncherClient, request: IdOption = None) -> Answers:
    """Say that a jam, an empty stack or a fault of the running launcher has been seen to.

    Exit code: 0 it is over, 1 it persists, 69 no launcher answers.
    """
    entry = client.reset(request)
    state = State(entry.data["state"])
    words = texts()["state"][state.value]
    if state not in AWAITING_A_PERSON:
        yield entry, _("Done: {state}.", state=words)
        return
    detail = client.snapshot()["detail"]
    yield entry, f"{_('Still: {state}.', state=words)} {detail}".rstrip()
    raise typer.Exit(FOUND_WRONG)
