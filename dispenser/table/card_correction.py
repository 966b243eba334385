"""Correct a card that was laid lately: the cards that it could have been, as buttons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from dispenser.i18n import isolated
from dispenser.rules.words.phrases import phrases_of
from dispenser.table.card_picker import Choice, card_of
from dispenser.table.choices import choices
from dispenser.table.match import Match
from dispenser.table.matches import laid_at

MOST_LAYS: Final = 3  # Lays offered, the newest first: an older mistake would have been noticed on the talon
MOST_STEPS: Final = 24  # Limit of actions that are searched


def other_cards(match: Match, language: str, names: Sequence[str]) -> list[Choice]:
    """Return a button for each of the newest lays, newest first, with the cards that could have been laid instead."""
    game = match.game
    lately = range(len(game.log))[: -MOST_STEPS - 1 : -1]
    places = [place for place in lately if laid_at(match, place)][:MOST_LAYS]
    found: list[Choice] = []
    back = 0
    try:
        for place in places:
            while len(game.log) > place:
                action = game.undo()
                back += 1
            seat, laid = action.seat or 0, action.value
            instead, _ = choices(game, seat, language, names, launcher_draws=True)
            ways = [way for each in instead if (way := _instead(each, place))]
            told = f"{isolated(names[seat])}: {phrases_of(game, names).text(laid)[language]}"
            found.append({"label": told, "card": card_of(game, laid.card, language), "next": ways})
    finally:
        for _ in range(back):
            game.redo()
    return found


def _instead(choice: Choice, place: int) -> dict[str, Any] | None:
    """Change the commands of a button and its subtree to ``card`` at ``place``; ``None`` if it lays no card."""
    if "next" in choice:
        ways = [way for each in choice["next"] if (way := _instead(each, place))]
        return {**choice, "next": ways} if ways else None
    send = choice.get("send")
    if send is None or send["action"][2].get("card") is None:
        return None
    return {**choice, "send": {"do": "card", "place": place, "action": send["action"]}}
