"""The summary that everybody sees when an evening is over."""

from __future__ import annotations

from typing import Any, Final

from dispenser.i18n import Text
from dispenser.rules.library import book_of
from dispenser.rules.registry import new_game
from dispenser.rules.words.phrases import vocabulary_of
from dispenser.table.common import NO_BOARD, luck_row
from dispenser.table.evenings import EveningStory, MatchStory

LEAST_RUN: Final = 2  # Presses in a row without a card that are worth mentioning
_WON: Final = Text("{names} won {game}!")
_STOPPED: Final = Text("{game}: ended early, nobody won")
_RUN: Final = Text("Longest run without a card: {name}, {number} presses")
_BURST: Final = Text("Biggest burst: {name}, {number} card", plural="Biggest burst: {name}, {number} cards")


def ending(story: EveningStory, cards_per_press: float | None, language: str) -> dict[str, Any]:
    """Return the summary that a phone or screen draws.

    :returns: ``sentence``, ``title`` and ``board`` of the last match, ``round`` (its name for a round), ``luck``, and
        ``facts``: sentences, first the results of matches that ``sentence`` does not give.
    """
    last = story.matches[-1] if story.matches else None
    return {
        "sentence": (_outcome(last) if last and last.winners else Text("The evening is over."))[language],
        "title": book_of(last.game).name[language] if last else "",
        "round": vocabulary_of(new_game(last.game, book_of(last.game).seats[0])).round[language] if last else "",
        "board": _board(last) if last else NO_BOARD,
        "luck": [luck_row(each.name, each.presses, each.cards, cards_per_press) for each in story.luck],
        "facts": [text[language] for text in _facts(story)],
    }


def _outcome(match: MatchStory) -> Text:
    game = book_of(match.game).name
    return _WON.filled(names=", ".join(match.winners), game=game) if match.winners else _STOPPED.filled(game=game)


def _board(match: MatchStory) -> dict[str, Any]:
    rounds = [{each.name: each for each in played} for played in match.rounds]
    ended = [played for played in rounds if any(each.points is not None for each in played.values())]
    if not any(match.scores.values()):
        return {**NO_BOARD, "places": match.winners}
    return {
        **NO_BOARD,
        "names": match.players,
        "rounds": [[played[name].points or 0 if name in played else 0 for name in match.players] for played in ended],
        "scores": [[played[name].score or 0 if name in played else 0 for name in match.players] for played in ended],
        "totals": [match.scores.get(name, 0) for name in match.players],
        "winner": match.winners,
    }


def _facts(story: EveningStory) -> list[Text]:
    facts = [_outcome(match) for match in story.matches if match is not story.matches[-1] or not match.winners]
    run = max(story.luck, key=lambda each: each.longest_dud_run, default=None)
    if run is not None and run.longest_dud_run >= LEAST_RUN:
        facts.append(_RUN.filled(name=run.name, number=run.longest_dud_run))
    burst = max(story.luck, key=lambda each: each.biggest_burst, default=None)
    if burst is not None and burst.biggest_burst:
        facts.append(_BURST.filled(name=burst.name, number=burst.biggest_burst))
    return facts
