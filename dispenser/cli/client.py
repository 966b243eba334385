"""``dispenser press``, ``reset`` and ``watch``: the running launcher from a terminal, through its HTTP API."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from dispenser.cli.failures import BAD_SETTINGS, FOUND_WRONG, UNAVAILABLE, USAGE, fail
from dispenser.cli.remarks import remark, was_cut_short
from dispenser.cli.settings import ConfigOption, load_settings
from dispenser.client import (
    AddressError,
    ApiError,
    LauncherClient,
    OtherJournalError,
    ProblemError,
    RefusedError,
    UnreachableError,
    local_url,
)
from dispenser.launcher.messages import AWAITING_A_PERSON, MAX_BURST_CARDS, BurstEnded, BurstLost, State

if TYPE_CHECKING:
    from dispenser.journal import Entry

PATIENCE_S = 15.0
"""How long a press waits for a launcher that went away in the middle, seconds: a restart takes a few."""

UrlOption = Annotated[
    str | None, typer.Option(help="The launcher's address; else where the settings put its page.", show_default=False)
]
TokenOption = Annotated[
    str | None,
    typer.Option(envvar="DISPENSER_TOKEN", help="The launcher's token, if it wants one.", show_default=False),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print each entry as one line of JSON.")]

_START_ONE = "'dispenser demo' starts a simulated launcher, 'sudo systemctl start dispenser' the real one"


def press(
    cards: Annotated[
        int | None, typer.Option(min=1, max=MAX_BURST_CARDS, help="Exactly so many cards; else luck decides.")
    ] = None,
    url: UrlOption = None,
    token: TokenOption = None,
    request: Annotated[
        str | None,
        typer.Option("--id", help="Your own id for this press: the same id again presses nothing twice."),
    ] = None,
    as_json: JsonOption = False,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait for what comes of it.")] = True,
    config: ConfigOption = None,
) -> None:
    """Press the running launcher's button and say what came out.

    Exit code: 0 it counts and came to its end, 1 refused or cut short, 69 no launcher answers.
    """
    client = open_client(url, token, config)
    try:
        accepted = client.press(cards, request)
    except RefusedError as error:
        typer.echo(error.entry.json().decode() if as_json else f"Refused. {error}")
        raise typer.Exit(FOUND_WRONG) from error
    except ApiError as error:
        fail_on(error)
    if as_json:
        typer.echo(accepted.json().decode())
    if not wait:
        if not as_json:
            typer.echo(f"Press {accepted.data['press']} counts.")
        return
    try:
        ended = outcome(client, accepted)
    except ApiError as error:
        fail(
            f"press {accepted.data['press']} counts, but the launcher has gone ({error}). When it is back, "
            "'dispenser log --type launcher.burst' tells what came out",
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
    raise UnreachableError("the stream of entries has ended")


def reset(
    url: UrlOption = None, token: TokenOption = None, as_json: JsonOption = False, config: ConfigOption = None
) -> None:
    """Say that a jam, an empty stack or a fault of the running launcher has been seen to.

    Exit code: 0 it is over, 1 it persists, 69 no launcher answers.
    """
    client = open_client(url, token, config)
    try:
        entry = client.reset()
        detail = client.snapshot()["detail"]
    except ApiError as error:
        fail_on(error)
    state = State(entry.data["state"])
    persists = state in AWAITING_A_PERSON
    if as_json:
        typer.echo(entry.json().decode())
    elif persists:
        typer.echo(" ".join(filter(None, [f"Still: {state.value}.", detail])))
    else:
        typer.echo(f"Done: {state.value}.")
    if persists:
        raise typer.Exit(FOUND_WRONG)


def watch(
    url: UrlOption = None,
    token: TokenOption = None,
    as_json: JsonOption = False,
    after: Annotated[
        int | None, typer.Option(min=0, help="With --json: begin after this entry; else with the next one.")
    ] = None,
    config: ConfigOption = None,
) -> None:
    """See the running launcher live in the terminal, until Ctrl-C.

    Goes on by itself after a lost connection: no entry is missed, none comes twice.
    """
    if after is not None and not as_json:
        raise typer.BadParameter("goes with --json only", param_hint="--after")
    client = open_client(url, token, config)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the terminal is put right then, too
    try:
        _watch(client, after, as_json=as_json)
    except KeyboardInterrupt:  # the way to end it
        return
    except ApiError as error:
        fail_on(error)


def _watch(client: LauncherClient, after: int | None, *, as_json: bool) -> None:
    if as_json:
        for entry in all_entries(client, after):
            typer.echo(entry.json().decode())
        return
    from rich.console import Console

    console = Console()
    if console.is_terminal:
        from dispenser.cli.watching import watch_in_terminal

        watch_in_terminal(client, console)
        return
    from dispenser.cli.log import TextWriter

    write = TextWriter(console)
    for entry in all_entries(client, after):
        write(entry)
        console.file.flush()


def all_entries(client: LauncherClient, after: int | None) -> Generator[Entry, None, None]:
    """Entries for ever; when the launcher begins another journal, that one from its first entry on."""
    start = client.snapshot()["seq"] if after is None else after
    while True:
        try:
            yield from client.events(start)
        except OtherJournalError as error:
            typer.echo(f"dispenser: {error}; here is all of the new one", err=True)
            start = 0
        else:
            return


# --- which launcher, and what when it does not answer ---------------------------------------------------------------


def open_client(url: str | None, token: str | None, config: Path | None) -> LauncherClient:
    """A client of the launcher at ``url``, else of the one that the settings describe, with its token."""
    if url is None:
        web = load_settings(config).web
        if web.port == 0:
            fail("the settings let the page take any free port: give --url with the address it printed", BAD_SETTINGS)
        url, token = local_url(web.host, web.port), token or web.token
    try:
        return LauncherClient(url, token)
    except AddressError as error:
        fail(error, USAGE)


def fail_on(error: ApiError) -> NoReturn:
    """Say what is wrong, what to do, and end."""
    if isinstance(error, ProblemError):
        if error.error == "token_needed":
            fail("this launcher wants its token: give it with --token or in $DISPENSER_TOKEN", UNAVAILABLE)
        fail(error, UNAVAILABLE if error.status >= 500 else USAGE)
    if isinstance(error, UnreachableError):
        fail(f"{error}. Is a launcher running? {_START_ONE}; another address goes with --url", UNAVAILABLE)
    fail(error, UNAVAILABLE)
