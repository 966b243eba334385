"""``dispenser rules list|show``: the rules of the five games, to read at the table."""

from __future__ import annotations

from typing import Annotated

import typer

from dispenser.cli.failures import FOUND_WRONG
from dispenser.cli.rules.app import (
    GAME_IDS,
    CommandError,
    LanguageOption,
    command,
    games_and_rules,
    language_in_force,
    new_console,
)
from dispenser.i18n import Text


@command("list")
def list_games(lang: LanguageOption = None) -> None:
    """List the five games: how many can play, how many rules there are, what it is like."""
    from dispenser.cli.rules.page import print_games
    from dispenser.rules.book import SHARED

    language, console = language_in_force(lang), new_console()
    print_games(console, language)
    more = Text("{shared} more rules hold in every game. Read on with: dispenser rules show GAME")
    console.print(f"\n{more.filled(shared=len(SHARED[1]))[language]}", markup=False)


@command()
def show(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME] [RULE]...",
            help=f"{GAME_IDS}; rules such as E-18.",
            show_default=False,
            autocompletion=games_and_rules,
        ),
    ] = None,
    lang: LanguageOption = None,
    search: Annotated[
        str | None, typer.Option(metavar="WORD", help="Only rules with this word; accents and capitals do not matter.")
    ] = None,
) -> None:
    """Print the rules of a game, or some of them, with what the table may choose.

    Example: dispenser rules show uno-extreme E-18
    """
    from dispenser.cli.rules.page import print_rules

    language = language_in_force(lang)
    if not names and not search:
        which = Text("which game? give one of: {games}; or a rule, such as E-18; or --search WORD")
        raise CommandError(which.filled(games=GAME_IDS))
    if not print_rules(new_console(), names or (), language, search or ""):
        nowhere = Text("no rule at all has the word {word!r}")
        among = Text("no rule of {among} has the word {word!r}") if names else nowhere
        raise CommandError(among.filled(word=search, among=" ".join(names or ())), FOUND_WRONG)
