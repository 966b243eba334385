"""What a step tells the table, and what can be told at all."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from typing import Final

from dispenser.language import LANGUAGES, Text
from dispenser.rules.engine.events import Event
from dispenser.rules.words import sentences
from dispenser.rules.words.telling import Telling
from dispenser.scenario.rules.words import Words

_OTHERWISE: Final = (
    sentences.LAID,
    sentences.JUMPED_IN,
    sentences.CANCELLED,
    sentences.UNDER_THE_PILE,
    sentences.NO_CARD,
    sentences.TAKES,
    sentences.DUD,
    sentences.BLUFF,
    sentences.NOBODY_DRAWS,
    sentences.ONLY_LOST,
)
_IN_PLACE: Final = re.compile(r"\[([^|\]]*)\|[^\]]*\]")
_NAMED: Final = re.compile(r"(?:\{[^}]*\})+")
_SUCH_AS: Final = Text("{told} (what can be told reads like this: {sentences})")


def can_be_told(of_the_game: Iterable[object] = ()) -> list[Text]:
    """The sentences, with ``…`` for what they name.

    :param of_the_game: those that a game has instead.
    """
    own = [each for each in of_the_game if isinstance(each, Text)]
    return [*_OTHERWISE, *sentences.EVENTS.values(), *own]


def plainly(sentence: Text, language: str) -> str:
    """A sentence with ``…`` for what it names: ``… draws ….``"""
    return _NAMED.sub("…", _IN_PLACE.sub(r"\1", sentence[language]))


def told_in(words: Words, events: Sequence[Event], language: str) -> str:
    """All that was told."""
    telling = Telling(words.game, language, words.names)
    return " ".join(telling.event(event) for event in events) or "–"


def is_told(words: Words, events: Sequence[Event], part: str) -> bool:
    """Whether these words are among what is told, in either language."""
    return any(_bare(part) in _bare(told_in(words, events, language)) for language in LANGUAGES)


def instead_of(words: Words, events: Sequence[Event], parts: Sequence[str]) -> Text:
    """What was told instead, and what is told in words like those."""
    known = can_be_told(words.game.state.words.events.values())
    listed = [plainly(sentence, language) for sentence in known for language in LANGUAGES]
    near = [each for part in parts for each in difflib.get_close_matches(part, listed, n=2, cutoff=0.0)]
    told = told_in(words, events, words.language)
    return _SUCH_AS.filled(told=told, sentences=" ".join(f"“{each}”" for each in dict.fromkeys(near)))


def _bare(text: str) -> str:
    return text.replace("\u00a0", " ").lower()
