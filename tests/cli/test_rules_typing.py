"""What is typed in a match of ``dispenser rules play`` beside plain moves, and how lines are broken there."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.text import Text

from dispenser.cli import rules_table
from dispenser.cli.rules_help import HELP
from dispenser.cli.rules_typed import ME
from dispenser.rules import new_game
from dispenser.rules.observation import observe
from tests.cli.rules_at_terminal import Table, uno


@pytest.mark.parametrize("typed", ["help", "aide", "HELP", "?"])
def test_help_in_words(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert HELP["en"].splitlines()[0] in Table(uno()).lines(monkeypatch, typed)


@pytest.mark.parametrize("typed", ["undo", "annuler", "U"])
def test_undo_in_words(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Taken back: red 7." in Table(uno()).lines(monkeypatch, "red 7", typed)


@pytest.mark.parametrize("typed", ["q", "quit", "exit", "quitter", "Q"])
def test_leaving_in_words(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "The match is in not-saved.json." in Table(uno()).lines(monkeypatch, typed, "red 7")


def test_r_is_the_right_where_a_direction_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game("uno-vache", 2, seed=7)
    game.begin(dealer=0, hands=[[1, 2], [3, 4]], first=7)
    assert "Play now goes to the right." in Table(game).lines(monkeypatch, "r")


@pytest.mark.parametrize(("language", "told"), [("en", "red, yellow, green, blue"), ("fr", "rouge, jaune, vert, bleu")])
def test_a_prompt_for_a_choice_lists_the_choices(language: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert told in Table(uno(), language).lines(monkeypatch, "5", "g")
    game = new_game("uno-extreme", 3, seed=3)
    game.begin(dealer=2, hands=[[53, 1, 2, 14], [3, 4], [5, 6]], first=7)
    assert f"{told}{(' ; et qui : ', '; and who: ')[language == 'en']}Bob, Chloé" in Table(game, language).lines(
        monkeypatch, "4", "b bob"
    ).replace("\u00a0", " ")


def test_arrow_keys_and_endless_numbers_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(uno())
    page = table.lines(monkeypatch, "\x1b[A", "9" * 5000, f"r {'9' * 5000}", "²")
    assert table.game.sizes == [5, 5, 5]
    assert page.count("annot read") == 3
    assert "Your hand has cards 1 to 5." in page


@pytest.mark.parametrize(
    ("language", "told"), [("en", "or choose not to play: draw"), ("fr", "ou choisis de ne pas jouer : piocher")]
)
def test_not_to_play_is_a_choice(language: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert told in Table(uno(), language).lines(monkeypatch).replace("\u00a0", " ")


def test_a_card_and_a_seat_stay_whole_when_lines_are_broken() -> None:
    game = new_game("uno", 10, seed=7)
    game.begin(dealer=9, hands=[list(range(20, 45)), *([card, card + 1] for card in range(1, 19, 2))], first=0)
    paper = io.StringIO()
    names = tuple(f"Jean Paul {number}" for number in "ABCDEFGHIJ")
    seen = observe(game, ME)
    for width in range(40, 93):
        console = Console(file=paper, width=width, highlight=False)
        console.print(rules_table.table(game, seen, names, "fr", width))
        console.print(rules_table.flow(Text(), rules_table.card_list(game.cards, seen.hand, "fr"), ", ", width))
        page = paper.getvalue()
        paper.seek(paper.truncate(0))
        assert max(map(len, page.splitlines())) <= width
        for name in names[1:]:
            assert f"{name} 2".replace(" ", "\u00a0") in page, f"{width}: {page}"
        for card in set(seen.hand):
            assert str(rules_table.card(game.cards, card, "fr")) in page, f"{width}: {page}"
