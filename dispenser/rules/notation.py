"""Cards and moves as text, in English and French: written one way, read in many.

>>> from dispenser.rules import new_game
>>> game = new_game("uno", seats=3, seed=7)
>>> move = read_move(game, 0, "joker, vert")
>>> move_text(game, move, "en")
'wild naming green'

Reading does not mind capitals, accents, the order of colour and symbol, small words, nor the language. Words may be cut
short as long as only one legal move fits: ``r7``, ``7h``, ``7♥``, ``w g``. A move that is spelt out is read even if
it is against the rules, so that ``Game.play`` can name the rule. What a slip of the finger brings is no move: signs
that cannot be printed, as arrow keys send them, or a letter alone that is not the first of just one legal move.
"""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from dispenser.rules import reasons
from dispenser.rules.book.entry import LANGUAGES, Text
from dispenser.rules.card_words import Part, Words, card_part, words
from dispenser.rules.cards import CardSet
from dispenser.rules.errors import RulesError
from dispenser.rules.game import Game
from dispenser.rules.moves import CATCH, CATCH_RETRACT, Move, card_of, kind_of
from dispenser.rules.phrases import Name, Vocabulary, every_move, phrase_of, seat_text

__all__ = ["NotationError", "card_text", "every_move", "move_text", "read_card", "read_move", "seat_text"]

_SPELT_OUT, _SHORT, _CUT_OFF, _NOT_IT = 0, 1, 2, 3
"""How well words fit: whole words, shortened ones, some left out, not at all."""
_SUGGESTIONS: Final = 4
_LONGEST: Final = 60
"""Signs of what was typed that are said back."""
_FRENCH_WAYS: Final = ("piocher", "passer", "prendre", "appuyer")
_WAYS_NOT_TO_LAY: Final = ("press", "pass", "draw", "take", *_FRENCH_WAYS)
"""A letter alone that begins several of these is never one of them, whichever is legal: ``p``."""
_ALIKE: Final = 0.7
"""How like each other words must be, in [0, 1], for the one to be a slip of the other: two letters of six."""
_NEARLY_AS_ALIKE: Final = 0.1
_RUN_TOGETHER: Final = 4
"""Letters at most that are read as one word each, as in ``wg``."""


class NotationError(RulesError, ValueError):
    """Words that are no card and no move, or more than one.

    :ivar reason: what is wrong, in both languages, with what could be meant.
    :ivar nearest: the moves (or cards) that could be meant.
    :ivar begun: the words are the beginning of each of these, or could be; the others merely look alike.
    """

    def __init__(self, reason: Text, nearest: Sequence[int] = (), begun: Sequence[int] = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.nearest = tuple(nearest)
        self.begun = tuple(begun)


def card_text(game: Game | CardSet, card: int, language: str) -> str:
    """A card as it is written: ``red 7``, ``7 rouge``, ``queen of hearts``.

    :param game: the game, or its card set.
    """
    cards = game if isinstance(game, CardSet) else game.cards
    return card_part(cards, card).text[language]


def move_text(game: Game, move: Move, language: str, names: Sequence[Name] = ()) -> str:
    """A move as it is written: ``wild naming green``, ``8 de pique, cœur``, ``catch seat 2``.

    :param names: of the players, by seat, all different; without them seats are numbered from 1.
    """
    return phrase_of(Vocabulary.of(game, names), move).write(language)


def read_card(cards: CardSet, text: str) -> int:
    """The card that is meant.

    :raises NotationError: no card is, or more than one.
    """
    _refuse_unprintable(text)
    every = range(cards.kinds)
    found: list[int] = []
    for attempt in _attempts(words(text)):
        found = found or _best(attempt, {card: (card_part(cards, card),) for card in every})
        if len(found) == 1:
            return found[0]
    texts = {card: card_part(cards, card).text for card in every}
    raise _unclear(text, texts, found, Text("as a card", "n’est pas une carte de ce jeu"))


def read_move(game: Game, seat: int, text: str, names: Sequence[Name] = ()) -> Move:
    """The move that is meant: one that is legal now for ``seat``, if there is one that fits.

    :param names: as for ``move_text``; numbers of seats are read as well.
    :raises NotationError: no move is meant, or several could be; it suggests legal ones.
    """
    _refuse_unprintable(text)
    vocabulary = Vocabulary.of(game, names)
    legal = game.legal_moves(seat)
    said = words(text)
    texts = {move: _texts(vocabulary, move) for move in legal}
    if len(said) == 1 and len(said[0]) == 1 and said[0].isalpha():
        begun = [move for move in legal if said[0] in _first_letters(vocabulary, move)]
        if len(begun) == 1:
            _refuse_several_ways(said[0], texts[begun[0]])
            return begun[0]
        raise _unclear(text, texts, begun)
    written = _written(vocabulary).get(said)
    if written is not None:
        return written
    for attempt in _attempts(said):
        move = _only_one(attempt, vocabulary, legal)
        if move is not None:
            return move
    could_be = _best(said, {move: phrase_of(vocabulary, move).parts for move in legal}) if said else []
    if not could_be:
        _refuse_unfinished(text, vocabulary)
    raise _unclear(text, texts, could_be)


def _refuse_unprintable(text: str) -> None:
    """Arrow keys and their like send signs that nobody has typed.

    :raises NotationError: there are some.
    """
    never_typed = (unicodedata.category(sign) in {"Cc", "Cs", "Co", "Cn"} or sign == "\ufffd" for sign in text.strip())
    if any(never_typed):
        raise _unclear(text, {}, ())


def _refuse_unfinished(text: str, vocabulary: Vocabulary) -> None:
    """A card or a suit without the rest, such as a joker that can mean anything.

    :raises NotationError: it is the beginning of moves, none of them legal.
    """
    said = words(text)
    begun = _best(said, {move: phrase_of(vocabulary, move).parts for move in every_move(vocabulary)}) if said else []
    if begun and {kind_of(move) for move in begun} <= {CATCH, CATCH_RETRACT}:  # whoever is named, nobody can be caught
        raise NotationError(reasons.NOTHING_TO_SAY)
    if len(begun) > 1:
        wanted = _shown(text)
        english = f"“{wanted}” is not the whole of a move; write it out"
        french = f"«\u00a0{wanted}\u00a0» n’est pas un coup entier\u00a0; écris-le jusqu’au bout"
        if len({(kind_of(move), card_of(move)) for move in begun}) == 1:  # any other example would be another card
            example = _texts(vocabulary, begun[0])
            english, french = f"{english}, such as: {example.en}", f"{french}, ainsi\u00a0: {example.fr}"
        raise NotationError(Text(english, french))


def _first_letters(vocabulary: Vocabulary, move: Move) -> set[str]:
    """What a move begins with as it is written; where its verb may be left out, what comes after that."""
    parts = phrase_of(vocabulary, move).parts
    first = parts[1] if () in parts[0].spoken and len(parts) > 1 else parts[0]
    return {spelt[0][0] for language in LANGUAGES if (spelt := words(first.text[language]))}


def _refuse_several_ways(letter: str, text: Text) -> None:
    """A letter that can as well be another way not to lay a card: to press or to pass.

    :raises NotationError: it can.
    """
    ways = [name for name in _WAYS_NOT_TO_LAY if name.startswith(letter)]
    if {text.en, text.fr} & set(ways) and not {text.en, text.fr} >= set(ways):
        english = " or ".join(ways)
        french = " ou ".join(name for name in ways if name in _FRENCH_WAYS)
        raise NotationError(
            Text(
                f"“{letter}” can be {english}: write out “{text.en}”",
                f"«\u00a0{letter}\u00a0» peut être {french}\u00a0: écris «\u00a0{text.fr}\u00a0» en entier",
            )
        )


def _attempts(said: Words) -> list[Words]:
    """The words, and what they are when letters were run together: ``wg`` is ``w g``."""
    apart = tuple(
        part for word in said for part in (word if word.isalpha() and len(word) <= _RUN_TOGETHER else (word,))
    )
    return [said, apart] if apart != said else [said]


def _only_one(said: Words, vocabulary: Vocabulary, legal: Sequence[Move]) -> Move | None:
    """The move that fits best: a legal one, then any that is fully said, then a legal one that is partly said."""
    if not said:
        return None
    legal_phrases = {move: phrase_of(vocabulary, move).parts for move in legal}
    found = _best(said, legal_phrases, worst=_SHORT)
    if not found:
        found = _best(said, {move: phrase_of(vocabulary, move).parts for move in every_move(vocabulary)}, worst=_SHORT)
    if not found:
        found = _best(said, legal_phrases)
    return found[0] if len(found) == 1 else None


@lru_cache(maxsize=16)
def _written(vocabulary: Vocabulary) -> Mapping[Words, Move]:
    """Every move by its written words, in both languages."""
    return MappingProxyType(
        {words(text[language]): move for move, text in _all_texts(vocabulary) for language in LANGUAGES}
    )


def _all_texts(vocabulary: Vocabulary) -> Iterable[tuple[Move, Text]]:
    return ((move, _texts(vocabulary, move)) for move in every_move(vocabulary))


def _texts(vocabulary: Vocabulary, move: Move) -> Text:
    phrase = phrase_of(vocabulary, move)
    return Text(phrase.write("en"), phrase.write("fr"))


def _best(said: Words, candidates: Mapping[int, tuple[Part, ...]], worst: int = _CUT_OFF) -> list[int]:
    """The candidates that the words fit best, none when they fit worse than ``worst``."""
    fits = {candidate: _fit(said, parts) for candidate, parts in candidates.items()}
    best = min(fits.values(), default=_NOT_IT)
    return [candidate for candidate, fit in fits.items() if fit == best] if best <= worst else []


def _fit(said: Words, parts: tuple[Part, ...]) -> int:
    """How well words fit the parts of a phrase, in their order."""
    if not parts:
        return _NOT_IT if said else _SPELT_OUT
    if not said:
        return _CUT_OFF
    best = _NOT_IT
    for spoken in parts[0].spoken:
        for length, fit in _beginnings(said, spoken):
            if fit < best:
                best = min(best, max(fit, _fit(said[length:], parts[1:])))
    return best


def _beginnings(said: Words, spoken: Words) -> Iterable[tuple[int, int]]:
    """How many of the words can be (the beginning of) ``spoken``, and how well they fit."""
    if not spoken:
        yield 0, _CUT_OFF
    fit = _SPELT_OUT
    for length, (word, whole) in enumerate(zip(said, spoken, strict=False), start=1):
        if word != whole:
            if not (word.isalpha() and whole.startswith(word)):
                return
            fit = _SHORT
        yield length, fit if length == len(spoken) else _CUT_OFF


_AS_A_MOVE: Final = Text("as a move here", "n’est pas un coup connu ici")


def _shown(text: str) -> str:
    """What was typed, so that it can be said back: no sign that moves the cursor, and not all of a book."""
    typed = text.strip()
    signs = (chr(0x2400 + ord(sign)) if ord(sign) < 0x20 else sign for sign in typed[:_LONGEST])  # ␛ for Escape
    told = "".join(sign if sign.isprintable() or sign in "\u00a0\u202f" else "\ufffd" for sign in signs)
    return told + ("…" if len(typed) > _LONGEST else "")


def _unclear(text: str, texts: Mapping[int, Text], could_be: Sequence[int], what: Text = _AS_A_MOVE) -> NotationError:
    """Say what could be meant: those that fit equally well, else those that look alike."""
    wanted = _shown(text)
    near = list(could_be) or _alike(wanted, texts)
    if not near:
        return NotationError(Text(f"cannot read “{wanted}” {what.en}", f"«\u00a0{wanted}\u00a0» {what.fr}"))
    shown = near[:_SUGGESTIONS]
    more = "…" if len(near) > len(shown) else ""
    english = ", ".join(texts[each].en for each in shown) + more
    french = "\u00a0; ".join(texts[each].fr for each in shown) + more
    if could_be:
        reason = Text(f"“{wanted}” can be: {english}", f"«\u00a0{wanted}\u00a0» peut être\u00a0: {french}")
    else:
        reason = Text(
            f"cannot read “{wanted}”; did you mean: {english}?",
            f"«\u00a0{wanted}\u00a0»\u00a0? Veux-tu dire\u00a0: {french}\u00a0?",
        )
    return NotationError(reason, near, could_be)


def _alike(wanted: str, texts: Mapping[int, Text]) -> list[int]:
    spelt = " ".join(words(wanted))
    by_words = {" ".join(words(text[language])): each for each, text in texts.items() for language in LANGUAGES}
    close = difflib.get_close_matches(spelt, by_words, n=2 * _SUGGESTIONS, cutoff=_ALIKE)
    likeness = {one: difflib.SequenceMatcher(None, one, spelt).ratio() for one in close}
    best = [one for one in close if likeness[one] > max(likeness.values()) - _NEARLY_AS_ALIKE]
    return list(dict.fromkeys(by_words[one] for one in best))
