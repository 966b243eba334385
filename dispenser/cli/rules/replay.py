"""``dispenser rules replay``: play a recorded match again, and say at which move it breaks a rule."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from dispenser.cli.failures import FOUND_WRONG, IO_ERROR, fail
from dispenser.cli.rules.book import LanguageOption, language_in_force, rules_app
from dispenser.cli.rules.output import said, why

if TYPE_CHECKING:
    from dispenser.rules import Game
    from dispenser.rules.phrases import Name

_IN_FILE: Final = {"en": "{}: {}", "fr": "{}\u00a0: {}"}
_FINE: Final = {
    "en": "{}, {}: all by the rules",
    "fr": "{}, {}\u00a0: tout est conforme aux règles",
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
    from dispenser.cli.match.names import names_for_others
    from dispenser.cli.match.saved import table_of
    from dispenser.rules import RecordError
    from dispenser.rules.record import check_end, open_document, parse
    from dispenser.rules.record import replay as play_again
    from dispenser.rules.sentences import ROUND

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
                _tell(game, number, language, names_for_others(table.names) if table else ())
    except RecordError as error:
        fail(_IN_FILE[language].format(file, said(error, language)), FOUND_WRONG)
    try:
        check_end(game, document)
    except RecordError as error:
        fail(_IN_FILE[language].format(file, said(error, language)), IO_ERROR)
    counts = (len(actions), "action"), (game.round, ROUND[game.game_id][language])
    typer.echo(_FINE[language].format(*(_counted(number, word, language) for number, word in counts)))


def _counted(number: int, word: str, language: str) -> str:
    many = number > 1 if language == "fr" else number != 1
    return f"{number} {word}{'s' * many}"


def _tell(game: Game, number: int, language: str, names: Sequence[Name]) -> None:
    from dispenser.rules.telling import Telling

    for sentence in Telling(game, language, names).events(game.events):
        typer.echo(f"{number:5}  {sentence}")
