"""``dispenser rules list|show``: the rules of the five games, to read at the table."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from dispenser.cli.failures import FOUND_WRONG, USAGE, fail
from dispenser.cli.rules.app import LanguageOption, language_in_force, new_console, rules_app
from dispenser.cli.rules.options import GAME_IDS, games_and_rules
from dispenser.language import Text

_WHICH_GAME: Final = Text("which game? give one of: {games}; or a rule, such as E-18; or --search WORD")
_NO_SUCH_WORD: Final = Text("no rule at all has the word {word!r}")
_NO_SUCH_WORD_AMONG: Final = Text("no rule of {among} has the word {word!r}")


@rules_app.command(name="list")
def list_games(lang: LanguageOption = None) -> None:
    """List the five games: how many can play, how many rules there are, what it is like."""
    from dispenser.cli.rules.list import print_games

    print_games(new_console(), language_in_force(lang))


@rules_app.command()
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

    Without a game, --search looks through all of them. Exit code: 0, or 1 when no rule has the word.
    """
    from dispenser.cli.match.page import Page, parts_named
    from dispenser.rules.book import BookError

    language = language_in_force(lang)
    if not names and not search:
        fail(_WHICH_GAME.filled(games=GAME_IDS)[language], USAGE)
    try:
        parts = parts_named(names or ())
    except BookError as error:
        fail(error.text[language], USAGE)
    if search:
        parts = [found for part in parts if (found := part.with_word(search, language)).sections]
        if not parts:
            wrong = _NO_SUCH_WORD_AMONG if names else _NO_SUCH_WORD
            fail(wrong.filled(word=search, among=" ".join(names or ()))[language], FOUND_WRONG)
    Page(new_console(), language, search or "").print(parts)
