"""``dispenser rules list|show``: the rules of the five games, to read at the table."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

import typer

from dispenser.cli.failures import FOUND_WRONG, USAGE, fail
from dispenser.cli.rules.output import RulesGroup, new_console, said

GAMES = "uno-extreme, uno, huit-americain, 151, uno-vache"
"""For the help, which must not wait for the rule book to be read in."""
_WHICH_GAME = {
    "en": "which game? give one of: {}; or a rule, such as E-18; or --search WORD",
    "fr": "quel jeu\u00a0? Donne l’un de\u00a0: {}\u00a0; ou une règle, comme E-18\u00a0; ou --search MOT",
}
_NO_SUCH_WORD = {
    "en": ("no rule at all has the word {word!r}", "no rule of {among} has the word {word!r}"),
    "fr": (
        "aucune règle ne contient le mot {mot}",
        "parmi les règles de {among}, aucune ne contient le mot {mot}",
    ),
}

rules_app = typer.Typer(
    cls=RulesGroup,
    help="Five card games: their rules, and playing, replaying, checking and simulating them.",
    no_args_is_help=True,
)


class Language(StrEnum):
    """A language that the rules are written in."""

    EN = "en"
    FR = "fr"


LanguageOption = Annotated[
    Language | None,
    typer.Option("--lang", help="Language of the texts; else the one of LC_ALL, LC_MESSAGES or LANG, else English."),
]


def language_in_force(wanted: Language | None, environment: Mapping[str, str] = os.environ) -> str:
    """The language that somebody asked for, else the one of the locale, else English."""
    if wanted is not None:
        return wanted.value
    locale = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    return "fr" if re.split(r"[_.@-]", locale)[0].lower() == "fr" else "en"


@rules_app.command(name="list")
def list_games(lang: LanguageOption = None) -> None:
    """List the five games: how many can play, how many rules there are, what it is like."""
    from dispenser.cli.rules.list import print_games

    print_games(new_console(), language_in_force(lang))


@rules_app.command()
def show(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME] [RULE]...", help=f"{GAMES}; rules such as E-18.", show_default=False),
    ] = None,
    lang: LanguageOption = None,
    search: Annotated[
        str | None, typer.Option(metavar="WORD", help="Only rules with this word; accents and capitals do not matter.")
    ] = None,
) -> None:
    """Print the rules of a game, or some of them, with what the table may choose.

    Without a game, --search looks through all of them. Exit code: 0, or 1 when no rule has the word.
    """
    from dispenser.cli.rules.page import Page, parts_named
    from dispenser.rules.book import BookError
    from dispenser.rules.book.errors import in_quotes

    language = language_in_force(lang)
    if not names and not search:
        fail(_WHICH_GAME[language].format(GAMES), USAGE)
    try:
        parts = parts_named(names or ())
    except BookError as error:
        fail(said(error, language), USAGE)
    if search:
        parts = [found for part in parts if (found := part.with_word(search, language)).sections]
        if not parts:
            said_of = _NO_SUCH_WORD[language][bool(names)]
            fail(said_of.format(word=search, mot=in_quotes(search), among=" ".join(names or ())), FOUND_WRONG)
    Page(new_console(), language, search or "").print(parts)
