"""``dispenser rules replay``: play a recorded match again, and say at which move it breaks a rule."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from dispenser.cli.failures import FOUND_WRONG, IO_ERROR, fail
from dispenser.cli.file_errors import why
from dispenser.cli.rules.app import IN_FILE, LanguageOption, language_in_force, rules_app
from dispenser.language import Text

_SO_MANY: Final = Text("{number} {things}", plural="{number} {things}s")
_ACTIONS: Final = Text("{number} action", plural="{number} actions")
_FINE: Final = Text("{actions}, {rounds}: all by the rules")


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
    from dispenser.cli.match.saved import seating_of
    from dispenser.rules import RecordError
    from dispenser.rules.record import check_end, open_document, parse
    from dispenser.rules.record import replay as play_again
    from dispenser.rules.words.phrases import vocabulary_of
    from dispenser.rules.words.telling import Telling

    language, wrong = language_in_force(lang), IO_ERROR
    try:
        document = parse(file.read_bytes())
        game, actions = open_document(document)
        seating = seating_of(document, game.seats)
        telling = Telling(game, language, names_for_others(seating.names) if seating else ())
        wrong = FOUND_WRONG
        for number, _ in enumerate(play_again(game, actions), start=1):
            for sentence in () if quiet else telling.events(game.events):
                typer.echo(f"{number:5}  {sentence}")
        wrong = IO_ERROR
        check_end(game, document)
    except OSError as error:
        fail(IN_FILE.filled(file=file, what=why(error))[language], IO_ERROR)
    except RecordError as error:
        fail(IN_FILE.filled(file=file, what=error)[language], wrong)
    played = _ACTIONS.filled(number=len(actions))
    rounds = _SO_MANY.filled(number=game.state.round, things=vocabulary_of(game).round)
    typer.echo(_FINE.filled(actions=played, rounds=rounds)[language])
