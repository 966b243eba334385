"""The running launcher, as a command has it: which one it is, and what to say when it does not answer."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from dispenser.cli.failures import BAD_SETTINGS, FOUND_WRONG, UNAVAILABLE, USAGE, fail
from dispenser.cli.options import ConfigOption
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

UrlOption = Annotated[
    str | None, typer.Option(help="The launcher's address; else where the settings put its page.", show_default=False)
]
TokenOption = Annotated[
    str | None,
    typer.Option(envvar="DISPENSER_TOKEN", help="The launcher's token, if it wants one.", show_default=False),
]

_CODES = {404: FOUND_WRONG, 409: FOUND_WRONG}
"""Exit codes by HTTP status."""


def at_launcher(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command its launcher as ``client``, and the options that say which one it is."""

    @functools.wraps(command)
    def run(*, url: str | None, token: str | None, config: Path | None, **given: Any) -> None:
        try:
            command(open_client(url, token, config), **given)
        except ApiError as error:
            fail_on(error)

    which = {"url": UrlOption, "token": TokenOption, "config": ConfigOption}
    own = [each for each in inspect.signature(command, eval_str=True).parameters.values() if each.name != "client"]
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=which[name]) for name in which
    ]
    run.__signature__ = inspect.Signature([*own, *more])  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in (*own, *more)}
    return run


def open_client(url: str | None, token: str | None, config: Path | None) -> LauncherClient:
    """A client of the launcher at ``url``, else of the one that the settings describe, with its token."""
    if url is None:
        web = load_settings(config).web
        if web.port == 0:
            fail(
                _("the settings let the page take any free port: give --url with the address it printed"), BAD_SETTINGS
            )
        url, token = local_url(web.host, web.port), token or web.token
    try:
        return LauncherClient(url, token, language=language())
    except AddressError as error:
        fail(error, USAGE)


def fail_on(error: ApiError) -> NoReturn:
    """Say what is wrong, what to do, and end."""
    match error:
        case ProblemError(error="token_needed"):
            fail(_("this launcher wants its token: give it with --token or in $DISPENSER_TOKEN"), UNAVAILABLE)
        case ProblemError(error="wrong_token"):
            fail(_("that is not this launcher's token: it stands in its settings, under [web]"), UNAVAILABLE)
        case ProblemError():
            code = _CODES.get(error.status, UNAVAILABLE if error.status >= 500 else USAGE)
            fail(error, code)
        case UnreachableError():
            fail(
                _(
                    "{error}. Is a launcher running? 'dispenser demo' starts a simulated one, 'sudo systemctl start "
                    "dispenser' the real one; another address goes with --url",
                    error=error,
                ),
                UNAVAILABLE,
            )
        case OtherJournalError():
            fail(error, USAGE)
    fail(error, UNAVAILABLE)
