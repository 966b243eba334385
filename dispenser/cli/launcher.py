"""Find the running launcher for a command, print its answers and its errors."""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from dispenser.cli.failures import BAD_SETTINGS, FOUND_WRONG, UNAVAILABLE, USAGE, fail
from dispenser.cli.options import ConfigOption, JsonOption
from dispenser.cli.settings import load_settings
from dispenser.cli.spoken import _, language
from dispenser.client import (
    AddressError,
    ApiError,
    LauncherClient,
    OtherJournalError,
    ProblemError,
    UnreachableError,
    local_url,
)
from dispenser.journal import Record

UrlOption = Annotated[
    str | None, typer.Option(help="The launcher's address; else where the settings put its page.", show_default=False)
]
TokenOption = Annotated[
    str | None,
    typer.Option(envvar="DISPENSER_TOKEN", help="The launcher's token, if it requires one.", show_default=False),
]
Answers = Iterator[tuple[Record | dict[str, Any], str]]
"""Results of a command: one form for programs, one text for people; an empty text is not printed."""


def at_launcher(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with the options for the launcher's address; it gets the ``client`` made from them."""

    @functools.wraps(command)
    def run(*, url: str | None, token: str | None, config: Path | None, **given: Any) -> None:
        try:
            command(_client(url, token, config), **given)
        except ApiError as error:
            _fail_on(error)

    return _with_options(run, url=UrlOption, token=TokenOption, config=ConfigOption)


def answering(command: Callable[..., Answers]) -> Callable[..., None]:
    """Like ``at_launcher``, for a command that yields ``Answers``; ``--json`` selects the form to print."""

    @functools.wraps(command)
    def run(client: LauncherClient, *, as_json: bool, **given: Any) -> None:
        for answer, words in command(client, **given):
            if as_json:
                typer.echo(answer.json() if isinstance(answer, Record) else json.dumps(answer))
            elif words:
                typer.echo(words)

    return at_launcher(_with_options(run, as_json=JsonOption))


def _with_options(run: Callable[..., None], **options: Any) -> Callable[..., None]:
    """Set the signature that typer reads: that of the wrapped command without ``client``, and these options."""
    own = inspect.signature(run, eval_str=True).parameters.values()
    keyword = inspect.Parameter.KEYWORD_ONLY
    more = [inspect.Parameter(name, keyword, default=None, annotation=each) for name, each in options.items()]
    shown = [*(each for each in own if each.name != "client"), *more]
    run.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in shown}
    return run


def _client(url: str | None, token: str | None, config: Path | None) -> LauncherClient:
    """Return a client for ``url``, else for the launcher that the settings describe, with its token."""
    if url is None:
        web = load_settings(config).web
        if web.port == 0:
            no_port = _("the settings let the page take any free port: give --url with the address it printed")
            fail(no_port, BAD_SETTINGS)
        url, token = local_url(web.host, web.port), token or web.token
    return LauncherClient(url, token, language=language())


def _fail_on(error: ApiError) -> NoReturn:
    """Print an API error and its remedy, and exit."""
    match error:
        case ProblemError(error="token_needed"):
            fail(_("this launcher wants its token: give it with --token or in $DISPENSER_TOKEN"), UNAVAILABLE)
        case ProblemError(error="wrong_token"):
            fail(_("that is not this launcher's token: it is in its settings, under [web]"), UNAVAILABLE)
        case ProblemError(status=404 | 409):
            fail(error, FOUND_WRONG)
        case ProblemError(error="bad_request"):  # its remedy is for programmers
            fail(error.message, USAGE)
        case AddressError() | OtherJournalError():
            fail(error, USAGE)
        case ProblemError() if error.status < 500:
            fail(error, USAGE)
        case UnreachableError():
            remedy = _(
                "{error}. Is a launcher running? 'dispenser demo' starts a simulated one, 'sudo systemctl start "
                "dispenser' the real one; another address goes with --url",
                error=error,
            )
            fail(remedy, UNAVAILABLE)
    fail(error, UNAVAILABLE)
