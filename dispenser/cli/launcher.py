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
    typer.Option(envvar="DISPENSER_TOKEN", help="The launcher's token, if it wants one.", show_default=False),
]
Answers = Iterator[tuple[Record | dict[str, Any], str]]
"""What came of a command, once for programs, once for people; no words where only programs want to know."""


def at_launcher(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command its launcher as ``client``, and the options that say which one it is."""

    @functools.wraps(command)
    def run(*, url: str | None, token: str | None, config: Path | None, **given: Any) -> None:
        try:
            command(_client(url, token, config), **given)
        except ApiError as error:
            _fail_on(error)

    return _with_options(run, url=UrlOption, token=TokenOption, config=ConfigOption)


def answering(command: Callable[..., Answers]) -> Callable[..., None]:
    """The same for a command that yields its answers: ``--json`` says for whom they are printed."""

    @functools.wraps(command)
    def run(client: LauncherClient, *, as_json: bool, **given: Any) -> None:
        for answer, words in command(client, **given):
            if as_json:
                typer.echo(answer.json() if isinstance(answer, Record) else json.dumps(answer))
            elif words:
                typer.echo(words)

    return at_launcher(_with_options(run, as_json=JsonOption))


def _with_options(run: Callable[..., None], **options: Any) -> Callable[..., None]:
    """Show these options after those of the command that ``run`` wraps, and never its ``client``."""
    own = inspect.signature(run, eval_str=True).parameters.values()
    keyword = inspect.Parameter.KEYWORD_ONLY
    more = [inspect.Parameter(name, keyword, default=None, annotation=each) for name, each in options.items()]
    shown = [*(each for each in own if each.name != "client"), *more]
    run.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in shown}
    return run


def _client(url: str | None, token: str | None, config: Path | None) -> LauncherClient:
    """A client of the launcher at ``url``, else of the one that the settings describe, with its token."""
    if url is None:
        web = load_settings(config).web
        if web.port == 0:
            no_port = _("the settings let the page take any free port: give --url with the address it printed")
            fail(no_port, BAD_SETTINGS)
        url, token = local_url(web.host, web.port), token or web.token
    return LauncherClient(url, token, language=language())


def _fail_on(error: ApiError) -> NoReturn:
    """Say what is wrong, what to do, and end."""
    match error:
        case ProblemError(error="token_needed"):
            fail(_("this launcher wants its token: give it with --token or in $DISPENSER_TOKEN"), UNAVAILABLE)
        case ProblemError(error="wrong_token"):
            fail(_("that is not this launcher's token: it is in its settings, under [web]"), UNAVAILABLE)
        case ProblemError(status=404 | 409):
            fail(error, FOUND_WRONG)
        case ProblemError(error="bad_request"):  # the remedy is for those who write programs
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
