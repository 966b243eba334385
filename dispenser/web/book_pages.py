"""The rules on the page: all games at ``/rules``, a game at ``/rules/uno``; ``/rules/E-14`` leads to that rule.

``?word=`` shows only rules that contain the word, as the page's script does while somebody types.
``?options=target:300,…`` are the options that a table has chosen.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from functools import cache, lru_cache, partial
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup, escape

from dispenser.i18n import Text
from dispenser.rules.book import SHARED, BookError, GameBook, Rule, Value, written
from dispenser.rules.engine.errors import OptionError
from dispenser.rules.library import BOOKS, RULES, folded, game_named, rule_id, rule_of, words_of
from dispenser.rules.registry import new_game
from dispenser.web.languages import language_of
from dispenser.web.pages import html_response, render

PATH: Final = "/rules"
MOST_WORD: Final = 60  # Maximum length of the search word, characters
MOST_OPTIONS: Final = 1000  # Maximum length of the options, characters
_EMPTY: Final = Text("empty")
_BETWEEN_OPTIONS: Final = re.compile(r",(?=\s*[a-z-]+\s*:)")  # Free-text values of options may contain commas, too
_KNOWN_ID: Final = re.compile(rf"\b(?:{'|'.join(RULES)})\b")


def add_book_pages(router: APIRouter) -> None:
    """Add the routes of the rules. Rendering is slow, so it runs on another thread."""

    @router.get(PATH)
    async def all_games(request: Request, word: str = "") -> Response:
        page = await asyncio.to_thread(index_page, language_of(request), word.strip()[:MOST_WORD])
        return html_response(request, page)

    @router.get(PATH + "/{name}")
    async def one(request: Request, name: str, word: str = "", options: str = "") -> Response:
        language, word, options = language_of(request), word.strip()[:MOST_WORD], options.strip()[:MOST_OPTIONS]
        try:
            book = _book_of(name)
        except BookError as error:
            return HTMLResponse(await asyncio.to_thread(unknown_page, language, error.text), 404)
        if book is None or name != book.id:
            query = urlencode({key: value for key, value in (("word", word), ("options", options)) if book and value})
            path, rule = f"{PATH}/{book.id}" if book else PATH, rule_id(name)
            return RedirectResponse(f"{path}{query and '?'}{query}" + (f"#{rule}" if rule else ""), 303)
        page, options_fit = await asyncio.to_thread(game_page, language, book.id, word, options)
        return html_response(request, page) if options_fit else HTMLResponse(page, 400)


def _book_of(name: str) -> GameBook | None:
    """Return the game of that name or of that rule; ``None`` for a rule that all games share.

    :raises BookError: no game and no rule has that name.
    """
    if (wanted := rule_id(name)) is None:
        return game_named(name)
    rule = rule_of(wanted)
    return next((book for book in BOOKS.values() if rule in book.rules), None)


def read_options(book: GameBook, given: str) -> dict[str, Value]:
    """Parse a table's options, such as ``target:300, scoring:low-score``; missing ones get their defaults.

    :raises OptionError: an option does not exist, or does not take that value.
    """
    known, typed = {option.name: option for option in book.options}, dict[str, Value]()
    for each in _BETWEEN_OPTIONS.split(given):
        name, _, value = (part.strip() for part in each.partition(":"))
        typed[name] = known[name].read(value) if name in known else value
    return new_game(book.id, book.seats[0], typed).state.options


@lru_cache(maxsize=4)
def index_page(language: str, word: str = "") -> str:
    """Render the page with all games and the rules that they share."""
    rules = [(book, rule) for book in (*BOOKS.values(), None) for rule in (book.rules if book else SHARED[1])]
    usual = _usual(language, PATH, _Shown(language, word, rules), SHARED[1])
    return render("book_index.html", language, **usual, books=BOOKS.values(), rules=rules, shared=SHARED)


@lru_cache(maxsize=16)
def game_page(language: str, game_id: str, word: str = "", options: str = "") -> tuple[str, bool]:
    """Render the rules of a game; return the page, and whether the options in the URL were valid."""
    book, chosen, wrong = BOOKS[game_id], dict[str, Value](), None
    try:
        chosen = read_options(book, options) if options else {}
    except OptionError as error:
        wrong = error.text
    facts = {
        "book": book,
        "named": {option.name: option for option in book.options},
        "options": options,
        "wrong": wrong,
        "chosen": chosen,
        "other": [option for option in book.options if chosen.get(option.name, option.default) != option.default],
    }
    shown = _Shown(language, word, [(book, rule) for rule in book.rules])
    usual = _usual(language, f"{PATH}/{book.id}", shown, book.rules)
    return render("book_game.html", language, **usual, **facts), wrong is None


def unknown_page(language: str, why: Text) -> str:
    """Render the page for a name that is neither a game nor a rule."""
    usual = _usual(language, PATH, _Shown(language, "", []), ())
    return render("book_unknown.html", language, **usual, why=why, books=BOOKS.values())


def _usual(language: str, here: str, shown: _Shown, rules: Iterable[Rule]) -> dict[str, Any]:
    """Return the variables that all these templates use; ``rules`` are the rules on this page."""
    on_page = {rule.id for rule in rules}

    def said(thing: Text | Value) -> str:
        """Return a text, or the value of an option, as a string."""
        text = thing if isinstance(thing, Text) else written(thing) or _EMPTY
        return text[language] if isinstance(text, Text) else text

    def linked(thing: Text | str) -> Markup:
        """Return the same as HTML in which rule IDs are links, within the page if the rule is on it."""

        def link(match: re.Match[str]) -> str:
            rule = match[0]
            return f'<a href="{f"#{rule}" if rule in on_page else f"{PATH}/{rule}"}">{rule}</a>'

        return Markup(_KNOWN_ID.sub(link, str(escape(said(thing)))))  # noqa: S704 - escaped just here

    examples = partial(_examples, language)
    return {"here": here, "shown": shown, "said": said, "linked": linked, "examples": examples}


class _Shown:
    """The result of a search for a word in the rules.

    :ivar words: the searchable text of each rule, by its ID, folded as the script folds it.
    :ivar hidden: IDs of the rules that do not contain the word.
    """

    def __init__(self, language: str, word: str, rules: list[tuple[GameBook | None, Rule]]) -> None:
        self.word = word
        said = {rule.id: words_of(rule, book.options if book else (), language) for book, rule in rules}
        self.words = {rule: "\n".join(map(folded, each)) for rule, each in said.items()}
        self.hidden = {rule for rule, each in self.words.items() if folded(word) not in each}
        self.number = len(self.words) - len(self.hidden)


@cache
def _examples(language: str, rule: str) -> Any:
    from dispenser.scenario.rules.examples import examples_of  # imported here: large, as it needs the scenario runner

    return examples_of(rule, language)
