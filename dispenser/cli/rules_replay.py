"""``dispenser rules replay``: play a recorded match again, and say at which move it breaks a rule."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from dispenser.cli.failures import FOUND_WRONG, IO_ERROR, fail
from dispenser.cli.rules_book import LanguageOption, language_in_force, rules_app
from dispenser.cli.rules_output import said, why

if TYPE_CHECKING:
    from dispenser.rules import Game

_COUNTED: Final = {
    "en": (("{} action", "{} actions"), ("{} round", "{} rounds")),
    "fr": (("{} action", "{} actions"), ("{} manche", "{} manches")),
}
_IN_FILE: Final = {"en": "{}: {}", "fr": "{}\u00a0: {}"}
_FINE: Final = {
    "en": "{}, {}: all by the rules",
    "fr": "{}, {}\u00a0: tout est selon les règles",
}


@rules_app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A match as `rules play` writes it down.", show_default=False)],
    lang: LanguageOption = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only say whether it is by the rules.")] = False,
) -> None:
    """Play a recorded match again and tell what happened, action by action.

    Exit code: 0 when all of it is by the rules, 1 when an action is not, 74 when the file cannot be read or is damaged.
    """
    from dispenser.cli.rules_saved import table_of
    from dispenser.rules import RecordError
    from dispenser.rules.record import check_end, open_document, parse
    from dispenser.rules.record import replay as play_again

    language = language_in_force(lang)
    try:
        document = parse(file.read_bytes())
        game, actions = open_document(document)
        table = table_of(document, game.seats)
    except OSError as error:
        fail(_IN_FILE[language].format(file, why(error, language)), IO_ERROR)
    except RecordError as error:
        fail(_IN_FILE[language].format(file, said(error, language)), IO_ERROR)
    try:
        for number, _ in enumerate(play_again(game, actions), start=1):
            if not quiet:
                _tell(game, number, language, table.names if table else ())
    except RecordError as error:
        fail(_IN_FILE[language].format(file, said(error, language)), FOUND_WRONG)
    try:
        check_end(game, document)
    except RecordError as error:
        fail(_IN_FILE[language].format(file, said(error, language)), IO_ERROR)
    counts = zip((len(actions), game.round), _COUNTED[language], strict=True)
    told = (words[number > 1 if language == "fr" else number != 1].format(number) for number, words in counts)
    typer.echo(_FINE[language].format(*told))


def _tell(game: Game, number: int, language: str, names: Sequence[str]) -> None:
    from dispenser.rules.telling import Telling

    for sentence in Telling(game, language, names).events(game.events):
        typer.echo(f"{number:5}  {sentence}")
