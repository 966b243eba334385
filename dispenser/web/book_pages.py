"""The rules on the page: all games at ``/rules``, a game at ``/rules/uno``; ``/rules/E-14`` leads to that rule.

``?word=`` shows only rules with that word, as the page's script does while one types. ``?options=target:300,…`` says
what a table has chosen.
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
MOST_WORD: Final = 60  # Signs of a word that is looked for
MOST_OPTIONS: Final = 1000  # Signs of a table's options
_EMPTY: Final = Text("empty")
_BETWEEN_OPTIONS: Final = re.compile(r",(?=\s*[a-z-]+\s*:)")  # A table's own words may have commas, too
_KNOWN_ID: Final = re.compile(rf"\b(?:{'|'.join(RULES)})\b")


def add_book_pages(router: APIRouter) -> None:
    """The pages of the rules. To make one takes long, so it is done on another thread."""

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
    """The game that is meant, or that the rule belongs to; none when all games share it.

    :raises BookError: there is neither a game nor a rule of that name.
    """
    if (wanted := rule_id(name)) is None:
        return game_named(name)
    rule = rule_of(wanted)
    return next((book for book in BOOKS.values() if rule in book.rules), None)


def read_options(book: GameBook, given: str) -> dict[str, Value]:
    """A table's options, all of them: ``target:300, scoring:low-score`` and the others as usual.

    :raises OptionError: there is no such option, or not with that value.
    """
    known, typed = {option.name: option for option in book.options}, dict[str, Value]()
    for each in _BETWEEN_OPTIONS.split(given):
        name, _, value = (part.strip() for part in each.partition(":"))
        typed[name] = known[name].read(value) if name in known else value
    return new_game(book.id, book.seats[0], typed).state.options


@lru_cache(maxsize=4)
def index_page(language: str, word: str = "") -> str:
    """All games, and the rules that they share."""
    rules = [(book, rule) for book in (*BOOKS.values(), None) for rule in (book.rules if book else SHARED[1])]
    usual = _usual(language, PATH, _Shown(language, word, rules), SHARED[1])
    return render("book_index.html", language, **usual, books=BOOKS.values(), rules=rules, shared=SHARED)


@lru_cache(maxsize=16)
def game_page(language: str, game_id: str, word: str = "", options: str = "") -> tuple[str, bool]:
    """The rules of a game, and whether a table's options are options of it."""
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
    """There is no such game and no such rule."""
    usual = _usual(language, PATH, _Shown(language, "", []), ())
    return render("book_unknown.html", language, **usual, why=why, books=BOOKS.values())


def _usual(language: str, here: str, shown: _Shown, rules: Iterable[Rule]) -> dict[str, Any]:
    """What every template here asks for; ``rules`` are those that stand on the page."""
    on_page = {rule.id for rule in rules}

    def said(thing: Text | Value) -> str:
        """A text, or the value of an option."""
        text = thing if isinstance(thing, Text) else written(thing) or _EMPTY
        return text[language] if isinstance(text, Text) else text

    def linked(thing: Text | str) -> Markup:
        """The same for HTML; IDs of rules lead there, on the page itself where they stand on it."""

        def link(match: re.Match[str]) -> str:
            rule = match[0]
            return f'<a href="{f"#{rule}" if rule in on_page else f"{PATH}/{rule}"}">{rule}</a>'

        return Markup(_KNOWN_ID.sub(link, str(escape(said(thing)))))  # noqa: S704 - escaped just here

    examples = partial(_examples, language)
    return {"here": here, "shown": shown, "said": said, "linked": linked, "examples": examples}


class _Shown:
    """Which rules have the word that was looked for.

    :ivar words: all that is said of a rule, by its ID, as the script compares it.
    :ivar hidden: IDs of the rules that have it not.
    """

    def __init__(self, language: str, word: str, rules: list[tuple[GameBook | None, Rule]]) -> None:
        self.word = word
        said = {rule.id: words_of(rule, book.options if book else (), language) for book, rule in rules}
        self.words = {rule: "\n".join(map(folded, each)) for rule, each in said.items()}
        self.hidden = {rule for rule, each in self.words.items() if folded(word) not in each}
        self.number = len(self.words) - len(self.hidden)


@cache
def _examples(language: str, rule: str) -> Any:
    from dispenser.scenario.rules.examples import examples_of  # here, as with the player of scenarios it is large

    return examples_of(rule, language)
