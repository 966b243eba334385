"""``dispenser rules list|show``: print the rules of the five games."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Annotated, Final

import typer

from dispenser.cli.failures import FOUND_WRONG, CommandError
from dispenser.cli.rules.app import GAME_IDS, games_and_rules, rules_app
from dispenser.cli.spoken import _, in_words, language
from dispenser.i18n import Text

if TYPE_CHECKING:
    from dispenser.rules.book import GameBook, Rule

_RULE_ID: Final = re.compile(r"[A-Za-z]{1,2}-?[0-9]+")
_INDENT: Final = " " * 6
_WIDEST: Final = 92  # Maximum line length, characters, however wide the terminal is: longer lines are hard to read
_NARROWEST: Final = 20


@rules_app.command("list")
def list_games() -> None:
    """List the five games: how many can play, how many rules there are, what it is like."""
    from dispenser.rules.book import SHARED
    from dispenser.rules.library import BOOKS

    games = [line for book in BOOKS.values() for line in _about(book, whole=True)]
    more = _("{shared} more rules hold in every game. Read on with: dispenser rules show GAME", shared=len(SHARED[1]))
    print("\n".join([*games, "", *_paragraph(more, indent="")][1:]))  # without the first line, which is empty


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
    search: Annotated[
        str | None, typer.Option(metavar="WORD", help="Only rules with this word; accents and capitals do not matter.")
    ] = None,
) -> None:
    """Print the rules of a game, or some of them, with what the table may choose.

    Example: dispenser rules show uno-extreme E-18
    """
    if not names and not search:
        which = Text("which game? give one of: {games}; or a rule, such as E-18; or --search WORD")
        raise CommandError(which.filled(games=GAME_IDS))
    if not (lines := chosen(names or (), search or "")):
        nowhere = Text("no rule of any game has the word {word!r}")
        among = Text("no rule of {among} has the word {word!r}") if names else nowhere
        raise CommandError(among.filled(word=search, among=" ".join(names or ())), FOUND_WRONG)
    print("\n".join(lines[1:]))


def chosen(names: Collection[str], word: str) -> list[str]:
    """Return the lines of whole games, or, if rules are named, of these rules under their games.

    :param names: names of games and IDs of rules.
    :param word: only rules that contain it, in their own texts or in an option's.
    :raises SpokenError: a name is unknown, or a rule does not belong to the named games.
    """
    from dispenser.rules.book import SHARED
    from dispenser.rules.library import BOOKS, game_named, rule_id, rule_of

    ids = {name: rule_id(name) for name in names}
    for name, known in ids.items():
        if not known and _RULE_ID.fullmatch(name):
            raise CommandError(
                Text("there is no rule {rule}; the rules of a game: dispenser rules show GAME").filled(rule=name)
            )
    games = [game_named(name) for name, rule in ids.items() if not rule]
    rules = {rule_of(rule).id for rule in ids.values() if rule}
    for rule in rules:
        if games and not any(rule in {each.id for each in (*book.rules, *SHARED[1])} for book in games):
            owner = next(book.id for book in BOOKS.values() if rule_of(rule) in book.rules)
            wrong = Text("{rule} is a rule of {owner}, not of {named}")
            raise CommandError(wrong.filled(rule=rule, owner=owner, named=", ".join(book.id for book in games)))
    books = [book for book in BOOKS.values() if book in games or not games]
    return [line for book in (*books, None) for line in _page(book, rules, word)]


def _width() -> int:
    return max(min(shutil.get_terminal_size().columns, _WIDEST), _NARROWEST)


def _page(book: GameBook | None, ids: Collection[str], word: str) -> Iterator[str]:
    """Yield the lines of one game, or of the shared rules if ``book`` is ``None``."""
    from dispenser.rules.book import SHARED
    from dispenser.rules.library import folded, words_of

    options = {option.name: option for option in (book.options if book else ())}

    def is_shown(rule: Rule) -> bool:
        said = words_of(rule, options.values(), language())
        return (not ids or rule.id in ids) and any(folded(word) in folded(each) for each in said)

    sections = [(about, list(filter(is_shown, rules))) for about, rules in (book.sections if book else (SHARED,))]
    shown = [rule for _about_them, rules in sections for rule in rules]
    if book and shown:
        yield from _about(book, whole=not (ids or word))
    for about, rules in sections:
        if rules:
            yield from _heading(in_words(about))
        for rule in rules:
            yield from _heading(f"{rule.id}  {in_words(rule.title)}")
            yield from _paragraph(in_words(rule.text))
            if rule.reading:
                reading = f"{_('Reading:')} {in_words(rule.reading)}"
                yield from _paragraph(reading, f"{_INDENT}│ ")
            if rule.options:
                chosen = f"{_('The table may choose:')} {', '.join(rule.options)}"
                yield from _paragraph(chosen)
    named = [option for name, option in options.items() if any(name in rule.options for rule in shown)]
    if named:
        yield from _heading(_("What the table may choose"))
    for option in named:
        values = f"  {in_words(option.choices)}"
        yield from _heading(f"{option.rule}  {option.name}{values}")
        yield from _paragraph(f"{in_words(option.label)}. {in_words(option.text)}")


def _about(book: GameBook, *, whole: bool) -> Iterator[str]:
    about = Text("{id}, {seats} players, {rules} rules") if whole else Text("{id}, {seats} players")
    about = about.filled(id=book.id, seats=f"{book.seats[0]}–{book.seats[-1]}", rules=len(book.rules))
    yield from _heading(f"{in_words(book.name)}  {in_words(about)}")
    if whole:
        yield from _paragraph(in_words(book.summary), indent="")


def _heading(text: str) -> Iterator[str]:
    yield ""
    yield text


def _paragraph(text: str, indent: str = _INDENT) -> Iterator[str]:
    for line in textwrap.wrap(text, _width() - len(indent), break_on_hyphens=False):
        yield f"{indent}{line}"
