"""What is typed in a match of ``dispenser rules play`` beside plain moves, and how lines are broken there."""

from __future__ import annotations

import io
import os
import select
from collections.abc import Callable

import pytest
from rich.console import Console
from rich.text import Text

from dispenser.cli.match import keyboard, picture
from dispenser.cli.match.help import help_lines
from dispenser.cli.match.saved import ME
from dispenser.i18n import LANGUAGES
from dispenser.rules import GAMES, Game, new_game
from dispenser.rules.engine.moves import Act, lay
from tests.cli.rules_at_terminal import Table, uno


@pytest.mark.parametrize("typed", ["help", "aide", "HELP", "?"])
def test_help_in_words(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert help_lines(new_game("uno", 3), "en", 80)[0] in Table(uno()).lines(monkeypatch, typed)


@pytest.mark.parametrize("typed", ["undo", "annuler", "U"])
def test_undo_in_words(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Taken back: red 7." in Table(uno()).lines(monkeypatch, "red 7", typed)


@pytest.mark.parametrize("typed", ["q", "quit", "exit", "quitter", "Q"])
def test_leaving_in_words(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "The match is saved in not-saved.json." in Table(uno()).lines(monkeypatch, typed, "red 7")


def test_r_is_the_right_where_a_direction_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game("uno-vache", 2, seed=7)
    game.begin(dealer=0, hands=[[1, 2], [3, 4]], first=7)
    assert "You choose the direction: play goes to the right." in Table(game).lines(monkeypatch, "r")


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
    assert table.game.state.sizes == [5, 5, 5]
    assert page.count("annot read") == 3
    assert "Your hand has cards 1 to 5." in page


@pytest.mark.parametrize(("language", "told"), [("en", "or choose not to play: draw"), ("fr", "     sinon : piocher")])
def test_not_to_play_is_a_choice(language: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert told in Table(uno(), language).lines(monkeypatch).replace("\u00a0", " ")


def test_a_card_and_a_seat_stay_whole_when_lines_are_broken() -> None:
    game = new_game("uno", 10, seed=7)
    game.begin(dealer=9, hands=[list(range(20, 45)), *([card, card + 1] for card in range(1, 19, 2))], first=0)
    paper = io.StringIO()
    names = tuple(f"Jean Paul {number}" for number in "ABCDEFGHIJ")
    seen = game.observe(ME)
    for width in range(40, 93):
        console = Console(file=paper, width=width, highlight=False)
        console.print(picture.table(game, seen, names, "fr", width))
        console.print(picture.flow(Text(), picture.card_list(game.state.cards, seen.hand, "fr"), ", ", width))
        page = paper.getvalue()
        paper.seek(paper.truncate(0))
        assert max(map(len, page.splitlines())) <= width
        for name in names[1:]:
            assert f"{name} 2".replace(" ", "\u00a0") in page, f"{width}: {page}"
        for card in set(seen.hand):
            assert str(picture.card(game.state.cards, card, "fr")) in page, f"{width}: {page}"


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_help_fits_the_terminal(game_id: str, language: str) -> None:
    whole = "".join(help_lines(new_game(game_id, 3), language, 200)).replace(" ", "")
    for width in range(24, 100):
        lines = help_lines(new_game(game_id, 3), language, width)
        assert max(map(len, lines)) <= width
        assert "".join(lines).replace(" ", "") == whole, "nothing is lost and no word is cut"
    assert len(help_lines(new_game(game_id, 3), language, 80)) <= 16, "it stands on a screen with the prompt"


@pytest.mark.parametrize(("game_id", "words"), [("uno-extreme", ("fait", "effet 2 Bob")), ("uno-vache", ("ou pas",))])
def test_help_knows_the_words_of_the_game(game_id: str, words: tuple[str, ...]) -> None:
    page = " ".join(help_lines(new_game(game_id, 3), "fr", 80))
    assert all(word in page for word in words)
    assert not any(f"{word} " in " ".join(help_lines(new_game("uno", 3), "fr", 80)) for word in words)


def test_what_was_typed_ahead_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, line = os.openpty()
    with os.fdopen(terminal, "wb", buffering=0) as person, os.fdopen(line) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        board = keyboard.Keyboard(Console(file=io.StringIO()))
        assert board.is_person
        person.write(b"5\n\n")
        assert select.select([stdin], [], [], 10.0)[0], "it has arrived"
        board.forget_typed()
        assert select.select([stdin], [], [], 0.0)[0] == []
        person.write(b"red 7\n")
        assert select.select([stdin], [], [], 10.0)[0]
        assert stdin.readline() == "red 7\n"


def test_what_a_pipe_brings_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("red 7\n"))
    board = keyboard.Keyboard(Console(file=io.StringIO()))
    board.forget_typed()
    assert board.ask("> ") == "red 7"


def test_typing_ahead_counts_for_a_choice_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time the person may act the slate is clean; the colour of a wild may have been typed with it."""
    table = Table(uno())
    seen: list[str] = []
    typed = iter(["?", "5", "g"])

    def answer(prompt: str) -> str:
        seen.append(prompt)
        line = next(typed, None)
        if line is None:
            raise EOFError
        return line

    table.type(monkeypatch, answer)
    monkeypatch.setattr(keyboard.Keyboard, "forget_typed", lambda _: seen.append("forgotten"))
    assert table.match.play() is False
    assert seen[:5] == ["forgotten", "You> ", "You> ", "wild: red, yellow, green, blue? ", "forgotten"]


@pytest.mark.parametrize("typed", ["", "catch bob"])
def test_a_chance_to_speak_up_is_not_answered_beforehand(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = uno([[1, 2, 7, 15, 52], [8, 40], [30, 31, 32, 33, 34]])
    game.play(0, lay(7))
    game.play(1, lay(8))
    table = Table(game)
    seen: list[str] = []

    def answer(prompt: str) -> str:
        seen.append(prompt)
        if len(seen) > 2:
            raise EOFError
        return typed

    table.type(monkeypatch, answer)
    monkeypatch.setattr("dispenser.table.bots.OVERLOOKS", dict.fromkeys((Act.ANNOUNCE, Act.CATCH), 1.0))
    monkeypatch.setattr(keyboard.Keyboard, "forget_typed", lambda _: seen.append("forgotten"))
    assert table.match.play() is False
    assert seen[:2] == ["forgotten", "Enter lets it pass. "]


def pressing() -> Game:
    """Seat 1 owes two presses."""
    game = new_game("uno-extreme", 2, seed=3)
    game.begin(dealer=0, hands=[[0, 1, 2, 14], [9, 4, 5, 6]], first=7)
    game.play(1, lay(9))
    return game


def between_rounds() -> Game:
    game = uno([[7], [1, 2, 3, 4, 6], [30, 31, 32, 33, 34]], target=500)
    game.play(0, lay(7))
    return game


@pytest.mark.parametrize(
    ("make", "prompt"),
    [(pressing, "Press Enter to press the launcher… "), (between_rounds, "Enter for the next round… ")],
)
def test_no_enter_counts_before_it_is_asked_for(
    make: Callable[[], Game], prompt: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(make())
    seen: list[str] = []

    def answer(asked: str) -> str:
        seen.append(asked)
        if len(seen) > 3:
            raise EOFError
        return ""

    table.type(monkeypatch, answer)
    monkeypatch.setattr(keyboard.Keyboard, "forget_typed", lambda _: seen.append("forgotten"))
    assert table.match.play() is False
    assert seen[:3] == ["forgotten", prompt, "forgotten"]
