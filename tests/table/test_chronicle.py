"""The journal's entries of an evening in sentences, with the names of people."""

from __future__ import annotations

from dispenser.table.replay import Chronicle, seeds_in
from tests.table.played import PlayedEvening, evening


def told(played: PlayedEvening, language: str = "en", *, revealed: bool = True) -> dict[int, str]:
    chronicle = Chronicle(seeds_in(played.lines) if revealed else {})
    return {line.seq: chronicle.words(line, language) for line in played.lines}


def test_moves_are_told_with_names_and_cards() -> None:
    words = list(told(evening("told", "uno", steps=30)).values())
    assert "Tom sits down" in words
    assert any(text.startswith("Léa plays the ") for text in words)
    assert any(text.endswith(" makes a move") for text in words), "to draw, which is no news to phones"


def test_what_is_secret_still_is_not_told() -> None:
    """The hands of a match that is not over follow from nothing in the journal, so nobody guesses them here."""
    played = evening("secret", "uno", steps=30, close=False)
    words = told(played, revealed=False)
    moves = {
        words[line.seq] for line in played.lines if line.type == "table.acted" and line.data["action"][1] is not None
    }
    assert moves <= {f"{name} makes a move" for name in ("Léa", "Tom", "Robo")}
