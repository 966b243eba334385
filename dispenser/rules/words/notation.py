"""Cards and moves as text, in English and French: one way to write them, many to read them.

>>> from dispenser.rules import new_game
>>> game = new_game("uno", seats=3, seed=7)
>>> move = read_move(game, 0, "joker, vert")
>>> move_text(game, move, "en")
'wild naming green'

Parsing ignores capitals, accents, the order of colour and symbol, fillers, and the language. Words may be abbreviated
if only one legal move fits: ``r7``, ``7h``, ``7♥``, ``w g``. A move in full words is parsed even if it is against the
rules, so that ``Game.play`` can name the rule. Typing errors are no move: characters that cannot be printed, as arrow
keys send them, or a single letter that is not the first of exactly one legal move.
"""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from dispenser.i18n import LANGUAGES, Text, worded
from dispenser.rules.engine.errors import RulesError
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import Act, Move, cancel
from dispenser.rules.words.cards import Part, Words, card_part, words
from dispenser.rules.words.phrases import Name, Phrases, phrases_of, vocabulary_of
from dispenser.rules.words.vocabulary import ANNOUNCEMENTS, SAY_UNO

Candidate = TypeVar("Candidate", bound=int | Move)
Fit = tuple[int, bool]  # how well words fit, and whether their order differs; less is better

_SPELT_OUT, _SHORT, _CUT_OFF, _NOT_IT = 0, 1, 2, 3
"""Whole words, abbreviated ones, some missing, no match."""
_SUGGESTIONS: Final = 4
_LONGEST: Final = 60  # characters of typed text repeated in an error
_ALIKE: Final = 0.7
"""Similarity, in [0, 1], from which words are taken for a typing error: two letters of six."""
_NEARLY_AS_ALIKE: Final = 0.1
_RUN_TOGETHER: Final = 4  # maximum length of letters read as one word each, as in `wg`
_ANNOUNCING: Final = frozenset(map(str.lower, ANNOUNCEMENTS))
_SAYING: Final = ("say", "dire")

_BETWEEN: Final = Text(", ")
_NO_CARD: Final = Text("cannot read “{said}” as a card")
_NO_MOVE: Final = Text("cannot read “{said}” as a move here")
_CAN_BE: Final = Text("“{said}” can be: {moves}")
_DO_YOU_MEAN: Final = Text("cannot read “{said}”; did you mean: {moves}?")
_NOT_WHOLE: Final = Text("“{said}” is not the whole of a move; write it out")
_SUCH_AS: Final = Text("{reason}, such as: {move}")
_NOBODY_FORGOT: Final = Text("say whom you catch; nobody has forgotten to say anything now")


class NotationError(RulesError, ValueError):
    """Error: the words are no card and no move, or more than one.

    :ivar nearest: the moves (or cards) that could be meant.
    :ivar begun: those of which the words are, or could be, the beginning; the others are only similar.
    """

    def __init__(self, text: Text, nearest: Sequence[Any] = (), begun: Sequence[Any] = ()) -> None:
        super().__init__(text)
        self.nearest = tuple(nearest)
        self.begun = tuple(begun)


def move_text(game: Game, move: Move, language: str, names: Sequence[Name] = ()) -> str:
    """Format a move: ``wild naming green``, ``8 de pique, cœur``, ``catch seat 2``.

    :param names: of the players, by seat, all different; without them seats are numbered from 1.
    """
    return phrases_of(game, names).text(move)[language]


def read_card(game: Game, text: str) -> int:
    """Parse a card.

    :raises NotationError: no card fits, or more than one.
    """
    _refuse_unprintable(text, _NO_CARD)
    parts = {card: (card_part(vocabulary_of(game).cards, card),) for card in range(game.state.cards.kinds)}
    found: list[int] = []
    for attempt in _attempts(words(text)):
        found = found or _best(attempt, parts)
        if len(found) == 1:
            return found[0]
    raise _unclear(text, {card: part.text for card, (part,) in parts.items()}, found, _NO_CARD)


def read_move(game: Game, seat: int, text: str, names: Sequence[Name] = ()) -> Move:
    """Parse a move: a legal one of ``seat`` if one fits, otherwise any.

    :param names: as for ``move_text``; numbers of seats are read as well.
    :raises NotationError: no move fits, or several do; the error suggests legal ones.
    """
    _refuse_unprintable(text, _NO_MOVE)
    phrases = phrases_of(game, names)
    legal = game.legal_moves(seat)
    said = words(text)
    texts = {move: phrases.text(move) for move in legal}
    if len(said) == 1 and len(said[0]) == 1 and said[0].isalpha():
        begun = [move for move in legal if said[0] in _first_letters(phrases.parts(move))]
        if len(begun) == 1:
            return begun[0]
        raise _unclear(text, texts, begun)
    written = phrases.written.get(said)
    if written is not None:
        return _as_it_counts(written, legal)
    for attempt in _attempts(said):
        move = _only_one(attempt, phrases, legal)
        if move is not None:
            return _as_it_counts(move, legal)
    could_be = _best(said, {move: phrases.parts(move) for move in legal}) if said else []
    if not could_be:
        _refuse_unfinished(text, phrases)
    raise _unclear(text, texts, could_be)


def without_announcement(game: Game, text: str) -> tuple[str, bool]:
    """Remove an announcement that goes with a card, as in ``red 3 uno``; return the rest, and whether there was one."""
    said = text.split()
    plain = [word.strip("!.,:").lower() for word in said]
    if len(said) > 1 and plain[-1] in _ANNOUNCING and " ".join(plain[:-1]) not in _SAYING:
        return " ".join(said[:-1]), True
    leads = {SAY_UNO.lower(), vocabulary_of(game).announcement.lower()}  # « carte à customiser » is a card
    if len(said) > 1 and plain[0] in leads:
        return " ".join(said[1:]), True
    return text, False


def _as_it_counts(move: Move, legal: Sequence[Move]) -> Move:
    """Convert a lay that is legal only as a cancel, which need not be named."""
    if move.act is Act.LAY and move.card is not None and move not in legal and cancel(move.card) in legal:
        return cancel(move.card)
    return move


def _refuse_unprintable(text: str, no_such_thing: Text) -> None:
    """Refuse control characters, which arrow keys and the like send.

    :raises NotationError: there are some.
    """
    never_typed = (unicodedata.category(sign) in {"Cc", "Cs", "Co", "Cn"} or sign == "\ufffd" for sign in text.strip())
    if any(never_typed):
        raise _unclear(text, {}, (), no_such_thing)


def _refuse_unfinished(text: str, phrases: Phrases) -> None:
    """Refuse a card or a suit without its choice, such as a joker that can stand for any card.

    :raises NotationError: it is the beginning of moves, none of them legal.
    """
    said = words(text)
    begun = _best(said, {move: phrases.parts(move) for move in phrases.every_move}) if said else []
    if begun and {move.act for move in begun} <= {Act.CATCH, Act.CATCH_RETRACT}:
        raise NotationError(_NOBODY_FORGOT)
    if len(begun) > 1:
        reason = _NOT_WHOLE.filled(said=_shown(text))
        if len({(move.act, move.card) for move in begun}) == 1:  # otherwise an example would be of another card
            reason = _SUCH_AS.filled(reason=reason, move=phrases.text(begun[0]))
        raise NotationError(reason)


def _first_letters(parts: Sequence[Part]) -> set[str]:
    """Return the first letters of a written move; if its verb is optional, those of what follows."""
    first = parts[1] if () in parts[0].spoken else parts[0]
    spelt = (words(first.text[language]) for language in LANGUAGES)
    return {each[each[0] in _SAYING][0] for each in spelt if each}


def _attempts(said: Words) -> list[Words]:
    """Return the words, and also their letters as words, if they may be run together: ``wg`` is ``w g``."""
    apart = tuple(
        part for word in said for part in (word if word.isalpha() and len(word) <= _RUN_TOGETHER else (word,))
    )
    return [said, apart] if apart != said else [said]


def _only_one(said: Words, phrases: Phrases, legal: Sequence[Move]) -> Move | None:
    """Return the best single match: a legal move, then any move in full, then a legal one in part."""
    if not said:
        return None
    of_legal = {move: phrases.parts(move) for move in legal}
    found = (
        _best(said, of_legal, worst=_SHORT)
        or _best(said, {move: phrases.parts(move) for move in phrases.every_move}, worst=_SHORT)
        or _best(said, of_legal)
    )
    return found[0] if len(found) == 1 else None


def _best(said: Words, candidates: Mapping[Candidate, tuple[Part, ...]], worst: int = _CUT_OFF) -> list[Candidate]:
    """Return the candidates that fit best; none if they fit worse than ``worst``."""
    fits = {candidate: _fit(said, parts, in_front=True) for candidate, parts in candidates.items()}
    best = min(fits.values(), default=(_NOT_IT, False))
    return [candidate for candidate, fit in fits.items() if fit == best] if best[0] <= worst else []


def _fit(said: Words, parts: tuple[Part, ...], *, in_front: bool = False) -> Fit:
    """Rate how well words fit the parts of a phrase.

    :param in_front: the first part must come first, as a card does; the others may be in any order.
    """
    if not parts:
        return _NOT_IT if said else _SPELT_OUT, False
    if not said:
        return _CUT_OFF, False
    best: Fit = (_NOT_IT, False)
    for place, part in enumerate(parts[:1] if in_front else parts):
        rest = parts[:place] + parts[place + 1 :]
        for spoken in part.spoken:
            for length, fit in _beginnings(said, spoken):
                behind, shuffled = _fit(said[length:], rest, in_front=in_front and not length)
                best = min(best, (max(fit, behind), shuffled or place > 0))
    return best


def _beginnings(said: Words, spoken: Words) -> Iterable[tuple[int, int]]:
    """Yield how many of the words can be (the beginning of) ``spoken``, and how well they fit."""
    if not spoken:
        yield 0, _CUT_OFF
    fit = _SPELT_OUT
    for length, (word, whole) in enumerate(zip(said, spoken, strict=False), start=1):
        if word != whole:
            if not (word.isalpha() and whole.startswith(word)):
                return
            fit = _SHORT
        yield length, fit if length == len(spoken) else _CUT_OFF


def _shown(text: str) -> str:
    """Make typed text safe to print: shortened, without control characters."""
    typed = text.strip()
    signs = (chr(0x2400 + ord(sign)) if ord(sign) < 0x20 else sign for sign in typed[:_LONGEST])  # ␛ for Escape
    told = "".join(sign if sign.isprintable() or sign in "\u00a0\u202f" else "\ufffd" for sign in signs)
    return told + ("…" if len(typed) > _LONGEST else "")


def _unclear(
    text: str, texts: Mapping[Candidate, Text], could_be: Sequence[Candidate], no_such_thing: Text = _NO_MOVE
) -> NotationError:
    """Make an error that suggests the moves that fit equally well, or else similar ones."""
    wanted = _shown(text)
    near = list(could_be) or _alike(wanted, texts)
    if not near:
        return NotationError(no_such_thing.filled(said=wanted))
    told = worded(_near, texts=tuple(texts[each] for each in near))
    return NotationError((_CAN_BE if could_be else _DO_YOU_MEAN).filled(said=wanted, moves=told), near, could_be)


def _near(language: str, texts: Sequence[Text]) -> str:
    shown = _BETWEEN[language].join(text[language] for text in texts[:_SUGGESTIONS])
    return shown + ("…" if len(texts) > _SUGGESTIONS else "")


def _alike(wanted: str, texts: Mapping[Candidate, Text]) -> list[Candidate]:
    spelt = " ".join(words(wanted))
    by_words = {" ".join(words(text[language])): each for each, text in texts.items() for language in LANGUAGES}
    close = difflib.get_close_matches(spelt, by_words, n=2 * _SUGGESTIONS, cutoff=_ALIKE)
    likeness = {one: difflib.SequenceMatcher(None, one, spelt).ratio() for one in close}
    best = [one for one in close if likeness[one] > max(likeness.values()) - _NEARLY_AS_ALIKE]
    return list(dict.fromkeys(by_words[one] for one in best))
