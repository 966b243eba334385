"""``dispenser`` as typed in a terminal, in this process."""

from __future__ import annotations

from typer.testing import CliRunner, Result

from dispenser.cli import app


def run(*words: object, typed: str = "", language: str = "en", **environment: str | None) -> Result:
    """The command in a terminal of 80 columns.

    :param typed: what is typed while it runs.
    """
    terminal = {"COLUMNS": "80", "NO_COLOR": "1", "FORCE_COLOR": None, "DISPENSER_TOKEN": None}
    locale = {"LC_ALL": f"{language}_BE.UTF-8", "LANGUAGE": None}
    env = {**terminal, **locale, **environment}
    return CliRunner().invoke(app, list(map(str, words)), input=typed, env=env, catch_exceptions=False)
