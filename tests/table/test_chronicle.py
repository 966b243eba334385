"""The journal's entries of an evening in sentences, with the names of people."""

from __future__ import annotations

from dispenser.table import commands as c
from dispenser.table.chronicle import Chronicle
from dispenser.table.replay import seeds_in
from tests.table.played import PlayedEvening, evening


def told(played: PlayedEvening, language: str = "en", *, revealed: bool = True) -> dict[int, str]:
    chronicle = Chronicle(seeds_in(played.lines) if revealed else {})
    return {line.seq: chronicle.words(line, language) for line in played.lines}


def test_moves_are_told_with_names_and_cards() -> None:
    words = list(told(evening("told", "uno", steps=30)).values())
    assert "Tom sits down" in words
    assert any(text.startswith("Léa plays the ") for text in words)
    assert any(text.endswith(" makes a move") for text in words), "to draw, which is no news to phones"


def test_in_french() -> None:
    assert "Tom s’installe" in told(evening("told", "uno", steps=30), "fr").values()


def test_what_is_secret_still_is_not_told() -> None:
    """The hands of a match that is not over follow from nothing in the journal, so nobody guesses them here."""
    played = evening("secret", "uno", steps=30, close=False)
    words = told(played, revealed=False)
    moves = {
        words[line.seq] for line in played.lines if line.type == "table.acted" and line.data["action"][1] is not None
    }
    assert moves <= {f"{name} makes a move" for name in ("Léa", "Tom", "Robo")}


def test_people_are_called_as_they_were_then() -> None:
    played = evening("renamed", "uno", steps=4, close=False)
    played.say(c.Rename("Thomas", person=2))
    played.say(c.EndMatch())
    played.say(c.LetGo(2))
    words = list(told(played).values())
    assert "Tom sits down" in words
    assert words[-1] == "Thomas has gone"


def test_an_entry_that_cannot_be_is_told_as_others_are() -> None:
    played = evening("hurt", "uno", steps=10)
    assert Chronicle({}).words(played.lines[5], "en") == ""
