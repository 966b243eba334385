"""``dispenser rules replay``: play a recorded match again, and say at which move it breaks a rule."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dispenser.cli.failures import FOUND_WRONG, IO_ERROR, CommandError
from dispenser.cli.rules.app import of_file, rules_app
from dispenser.cli.spoken import in_words, language
from dispenser.i18n import Text, why


@rules_app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A match as `rules play` writes it down.", show_default=False)],
) -> None:
    """Play a recorded match again and tell what happened, action by action.

    Example: dispenser rules replay match.json
    """
    from dispenser.rules import RecordError
    from dispenser.rules.record import check_end, open_document, parse
    from dispenser.rules.record import replay as play_again
    from dispenser.rules.words.phrases import vocabulary_of
    from dispenser.rules.words.telling import Telling

    wrong = IO_ERROR
    try:
        written = file.read_bytes()
    except OSError as error:  # and only here: what cannot be printed is not the file's fault
        raise CommandError(of_file(file, why(error)), IO_ERROR) from error
    try:
        document = parse(written)
        game, actions = open_document(document)
        telling = Telling(game, language())
        wrong = FOUND_WRONG
        for number, _ in enumerate(play_again(game, actions), start=1):
            for sentence in telling.events(game.events):
                typer.echo(f"{number:5}  {sentence}")
        wrong = IO_ERROR
        check_end(game, document)
    except RecordError as error:
        raise CommandError(of_file(file, error), wrong) from error
    played = Text("{number} action", plural="{number} actions").filled(number=len(actions))
    so_many = Text("{number} {things}", plural="{number} {things}s")
    rounds = so_many.filled(number=game.state.round, things=vocabulary_of(game).round)
    typer.echo(in_words(Text("{actions}, {rounds}: all by the rules").filled(actions=played, rounds=rounds)))
