"""``dispenser rules play``: whole matches through a pipe, in 80 columns, and everything that a person can type."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

from dispenser.cli.match import keyboard, picture
from dispenser.cli.match.help import help_lines, rules_asked
from dispenser.cli.match.saved import ME
from dispenser.i18n import LANGUAGES
from dispenser.rules import GAMES, from_json, new_game
from dispenser.rules.bots import sensible_bot
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.moves import DRAW, Act, lay
from dispenser.rules.engine.phases import IDLE, MATCH_OVER
from dispenser.rules.library import BOOKS, RULES
from dispenser.rules.words.notation import move_text, read_card
from tests.cli.rules_at_terminal import HANDS, PROMPTS, Table, flat, run, uno
from tests.sampled import sampled


def person(table: Table, random: Random, language: str) -> Callable[[str], str]:
    """Types in words what the sensible bot would do, and now and then something else."""
    others = ["?", "h", "r", "r 1", "u", "xyzzy", ""]

    def answer(prompt: str) -> str:
        legal = table.game.legal_moves(ME)
        if random.random() < 0.1:
            return random.choice(others)
        if prompt in PROMPTS:
            move = sensible_bot(table.game.observe(ME), random)
            assert move is not None
            return move_text(table.game, move, language, table.names)
        if legal and random.random() < 0.5:
            return move_text(table.game, random.choice(legal), language, table.names)
        return ""

    return answer


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", sampled(GAMES, 4))
def test_a_whole_match_in_80_columns(game_id: str, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game(game_id, 4, {"uno-vache": {"white": 4}}.get(game_id, {}), seed=11)
    table = Table(game, language)
    random = Random(11)
    table.type(monkeypatch, person(table, random, language))
    assert table.match.play() is True
    assert game.phase == MATCH_OVER
    page = table.paper.getvalue()
    typed = re.compile(r"^(You>|Toi>|Press|Entrée|Enter)")
    assert [line for line in page.splitlines() if len(line) > 80 and not typed.match(line)] == []
    result = page.splitlines()[-game.seats :]
    assert sorted(line.split()[-1 if game_id == "uno-vache" else 0] for line in result) == sorted(table.shown)
    assert BOOKS[game_id].name[language] in page


def test_the_table_shows_the_seats_the_top_and_the_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Table(uno()).lines(monkeypatch)
    assert "▶You\u00a05  Bob\u00a05  Chloé\u00a05" in page
    assert "On top: ● red 5 · to the left ↻ · 92 to draw" in page
    assert re.search(r" \[1\] ● red 1 +\[2\] ● red 2 +\[3\] ● red 7 +4  ▲ yellow 2\n \[5\] ★ wild", page)


def test_the_picture_says_who_is_out_and_what_a_round_is_called() -> None:
    """In words without a gender: « Emma hors jeu »."""
    game = new_game("151", 3, seed=7)
    game.begin(dealer=2, hands=[[1, 2], [3, 4], [30, 31]], first=5)
    game.state.gone.add(1)
    seen = game.observe(ME)
    paper = Console(file=io.StringIO(), width=80)
    with paper.capture() as printed:
        paper.print(picture.table(game, seen, ("Toi", "Emma", "Bob"), "fr", 80))
        paper.print(picture.table(game, seen, ("You", "Emma", "Bob"), "en", 80))
    assert all(words in printed.get() for words in ("151 · donne 1", "Emma\u00a0hors\u00a0jeu"))
    assert all(words in printed.get() for words in ("151 · deal 1", "Emma\u00a0out"))


@pytest.mark.parametrize(
    ("typed", "event"),
    [
        ("1", "You play the red 1."),
        ("uno 1", "You play the red 1."),
        ("red 7", "You play the red 7."),
        ("r7", "You play the red 7."),
        ("5 g", "You play a wild and name green."),
        ("wild blue", "You play a wild and name blue."),
        ("draw", "You draw 1 card."),
    ],
)
def test_moves_in_numbers_and_words(typed: str, event: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert event in Table(uno()).lines(monkeypatch, typed)


def test_a_wild_by_its_number_asks_for_the_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Table(uno()).lines(monkeypatch, "5", "g")
    assert "wild: red, yellow, green, blue? g" in page
    assert "You play a wild and name green." in page


@pytest.mark.parametrize("typed", ["5 rouge", "5 red"])
def test_a_number_and_a_colour_that_are_a_card_mean_the_card(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Table(uno([[1, 2, 5, 7, 52], *HANDS[1:]], first=9), "fr").lines(monkeypatch, typed)
    assert "Tu poses le 5 rouge." in page


def test_what_can_be_both_a_card_and_a_choice_is_not_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = [[1, 2, 5, 7, 52], *HANDS[1:]]
    table = Table(uno(hands, first=9), "fr")
    page = table.lines(monkeypatch, "5 r")
    assert "ela peut être «\u00a05 rouge\u00a0» ou «\u00a0joker, rouge\u00a0»" in flat(page)
    assert table.game.state.sizes[ME] == 5


def test_an_illegal_card_names_the_rule_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(uno())
    page = table.lines(monkeypatch, "yellow 3", "4", "9")
    assert "Not allowed by G-04: the yellow 3 is not in your hand." in page
    assert "Not allowed by U-09: that card does not match the one on top (red 5). You can: red 1, red 2," in flat(page)
    assert table.game.state.sizes == [5, 5, 5]
    assert "Your hand has cards 1 to 5." in page


def test_uno_said_along_with_the_card(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(uno([[7, 2], *HANDS[1:]]))
    page = table.lines(monkeypatch, "red 7 uno")
    assert page.index("You say “UNO”.") < page.index("You play the red 7.")


def test_uno_is_not_said_with_a_card_that_may_not_be_laid(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Table(uno([[15, 30], *HANDS[1:]])).lines(monkeypatch, "yellow 2 uno")
    assert "Not allowed" in page
    assert "You say" not in page


def test_uno_can_be_said_along_with_several_cards_of_which_one_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game("uno-extreme", 3, seed=7)
    hands = (("red 2", "red 3", "red discard all", "blue 1"), ("red 4",), ("red 6",))
    game.begin(dealer=2, hands=[[read_card(game, name) for name in hand] for hand in hands], first=4)
    page = Table(game).lines(monkeypatch, "red discard all uno")
    assert page.index("You say “UNO”.") < page.index("You play the red discard all")


def test_undo_goes_back_to_the_last_own_move(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(uno())
    page = table.lines(monkeypatch, "u", "red 7", "u")
    assert "You have not made a move yet." in page
    assert "Taken back: red 7." in page
    assert (table.game.state.sizes[ME], table.game.turn) == (5, ME)


def test_undo_does_not_bring_another_press(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can shop for a better draw: the same press brings the same cards again."""

    def presses(*typed: str) -> list[str]:
        game = new_game("uno-extreme", 2, seed=3)
        game.begin(dealer=1, hands=[[0, 1, 2, 14], [3, 4, 5, 6]], first=7)
        page = Table(game, preset="wild").lines(monkeypatch, *typed)
        return re.findall(r"You press: .*", page)

    once = presses("press")
    assert len(once) == 1
    assert presses("press", "u", "press") == [once[0], once[0]]


def test_forced_presses_wait_for_enter(monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game("uno-extreme", 2, seed=3)
    game.begin(dealer=0, hands=[[0, 1, 2, 14], [9, 4, 5, 6]], first=7)
    table = Table(game)
    page = table.lines(monkeypatch, "", "")
    assert "You must press twice and miss a turn." in page
    assert "Turn the launcher to you." in page
    assert page.count("Press Enter to press the launcher…") == 2
    assert len(re.findall("You press: ", page)) == 2


def test_somebody_who_forgot_can_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    game = uno([HANDS[0], [8, 40], HANDS[2]])
    game.play(0, lay(7))
    game.play(1, lay(8))
    table = Table(game)
    monkeypatch.setattr("dispenser.table.bots.OVERLOOKS", dict.fromkeys((Act.ANNOUNCE, Act.CATCH), 1.0))
    page = table.lines(monkeypatch, "catch bob")
    assert "You can: catch Bob." in page
    assert "You catch Bob, who forgot to say “UNO”." in page
    assert "Bob draws 2 cards as a penalty." in page


def test_a_chance_that_was_let_go_by_does_not_come_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    game = uno([HANDS[0], [8, 40], HANDS[2]])
    game.play(0, lay(7))
    game.play(1, lay(8))
    monkeypatch.setattr("dispenser.table.bots.OVERLOOKS", dict.fromkeys((Act.ANNOUNCE, Act.CATCH), 1.0))
    assert Table(game).lines(monkeypatch, "", "").count("You can: catch Bob.") == 1


def test_nobody_is_reminded_to_say_uno(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(uno([[7, 2], *HANDS[1:]]))
    page = table.lines(monkeypatch, "red 7")
    assert "You play the red 7." in page
    assert "You can" not in page


def test_enter_does_the_only_thing_that_can_be_done(monkeypatch: pytest.MonkeyPatch) -> None:
    game = uno([[15, 30, 32], *HANDS[1:]])
    table = Table(game)
    page = table.lines(monkeypatch, "")
    assert "Enter: draw" in page
    assert Action(Deed.PLAY, ME, DRAW) in game.log
    assert "Your move?" in Table(uno()).lines(monkeypatch, "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_and_rules(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Table(uno(), language).lines(monkeypatch, "?", "r", "r 5", "r u-16", "r +4", "r zzz", "r U-99", "r 6", "r ²")
    assert "\n".join(help_lines(new_game("uno", 3), language, 80)) in page
    for rule in ("U-09", "U-14", "U-15", "U-16"):
        assert f"{rule}  {RULES[rule].title[language]}" in page
    for told in {
        "en": (
            "no card and no rule “zzz”",
            "no rule 'U-99'; the rules are: G-01 to G-06, E-01 to",
            "cards 1 to 5",
            "“²”",
        ),
        "fr": (
            "ni carte ni règle ne s’appelle «\u00a0zzz\u00a0»",
            "pas de règle «\u00a0U-99\u00a0»",
            "cartes 1 à 5",
            "«\u00a0²\u00a0»",
        ),
    }[language]:
        assert told.lower() in flat(page).lower()


def test_every_card_of_every_game_has_rules_of_that_game() -> None:
    for game_id, book in BOOKS.items():
        game = new_game(game_id, 3)
        asked = [rules_asked(game, ME, name.en) for name in game.state.cards.names]
        told = {tuple(rules) for rules in asked}
        assert {rule for each in told for rule in each} <= {rule.id for rule in book.rules}
        assert len(told) > 4


def test_names_and_options(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    names = ("--name", "Ana", "--name", "Zoé")
    done = run("uno", "--seats", "4", *names, "-o", "target=100", "--save", str(file), typed="q\n")
    assert done.exit_code == 0, done.output
    assert re.search(r"Ana.*Zoé.*Chloé.*Dimitri", done.stdout)
    assert from_json(file.read_text()).state.options["target"] == 100


def test_the_rule_of_the_table_is_shown_with_its_card_and_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "match.json"
    rule = "Échange ta main avec qui tu veux = oui\u00a0!"
    done = run("uno-extreme", "-o", f"custom-rule={rule}", "--save", str(file), typed="q\n")
    assert done.exit_code == 0, done.output
    assert from_json(file.read_text()).state.options["custom-rule"] == rule
    game = new_game("uno-extreme", 2, {"custom-rule": "Red cards count twice"}, seed=3)
    game.begin(dealer=1, hands=[[54, 1, 2, 14], [9, 4, 5, 6]], first=7)
    assert "The card says: Red cards count twice." in Table(game).lines(monkeypatch, "customizable red")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("bridge",), "there is no game 'bridge'"),
        (("uno", "--seats", "11"), "--seats 11: uno is for 2 to 10 players"),
        (("huit-americain", "--seats", "7"), "give --option packs=2"),
        (("uno", "-o", "target=1"), "--option target=1: option 'target'"),
        (("uno", "-o", "target"), "NAME=VALUE"),
        (("uno", "-o", "nothing=1"), "nothing"),
        (("uno-extreme", "-o", f"custom-rule={'x' * 201}"), "any text of up to 200 characters"),
        (("uno", "--odds", "tame"), "--odds tame: there are no such odds; there are toy"),
        (("uno", "--name", "Bob", "--name", "bob"), "--name bob: sits there twice"),
        (("uno", *("--name", "A", "--name", "B", "--name", "C", "--name", "D")), "--name: 4 names for 3 players"),
        (("uno", "--name", "A\x1b[31m"), "can be seen, on one line"),
        (("uno", "--name", "A\nB"), "can be seen, on one line"),
        (("uno", "--name", "A" * 21), "1 to 20 characters"),
        (("uno", "--save", "/"), "--save /: that is a folder"),
        (("uno", "--save", "/nowhere/match.json"), "there is no folder /nowhere"),
        (("match.json", "--seats", "3"), "keeps its seats"),
    ],
)
def test_what_cannot_be_is_one_line_and_exit_code_2(arguments: tuple[str, ...], told: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2, done.output
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_file_that_is_no_match_is_exit_code_74(tmp_path: Path) -> None:
    assert run(str(tmp_path / "missing.json")).exit_code == 74
    (tmp_path / "broken.json").write_text("{}")
    assert run(str(tmp_path / "broken.json")).exit_code == 74


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[list[str], bool], keyboard.Keyboard]:
    """A keyboard with a person at it, who types in time or not."""

    def make(typed: list[str], in_time: bool) -> keyboard.Keyboard:
        monkeypatch.setattr("sys.stdin", type("Terminal", (io.StringIO,), {"isatty": lambda _: True})())
        monkeypatch.setattr("builtins.input", lambda: typed.pop(0))
        monkeypatch.setattr("select.select", lambda reading, *_: (reading if in_time else [], [], []))
        return keyboard.Keyboard(Console(file=io.StringIO()))

    return make


def test_a_chance_passes_when_nobody_types_in_time(
    terminal: Callable[[list[str], bool], keyboard.Keyboard],
) -> None:
    assert terminal(["catch bob"], True).ask("> ", 5.0) == "catch bob"
    assert terminal(["catch bob"], False).ask("> ", 5.0) == ""
    assert terminal([" red 7 "], False).ask("> ") == "red 7"


def test_rounds_follow_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    game = uno([[7], HANDS[1], HANDS[2]], target=500)
    table = Table(game)
    page = table.lines(monkeypatch, "red 7", "")
    assert "You win round 1." in page
    assert "Enter for the next round…" in page
    assert (game.state.round, game.phase != IDLE) == (2, True)


def test_the_card_that_a_joker_turned_up_stands_for_needs_no_verb(monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game("151", 2, seed=1)
    game.begin(dealer=ME, hands=[[1, 2, 3], [14, 15, 16]], first=52)
    page = Table(game).lines(monkeypatch, "qh")
    assert "You can" not in page
    assert "You say that the joker is the queen of hearts." in page


def test_a_seed_is_a_word_or_a_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    first, again, other = (run("uno", "--seed", seed, typed="q\n").stdout for seed in ("tonight", "tonight", "7"))
    assert first.splitlines()[:9] == again.splitlines()[:9]
    assert first.splitlines()[0] != other.splitlines()[0] == "Seed 7: the same seed deals the same cards."
