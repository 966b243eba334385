"""Moves of ``dispenser rules play`` that say less than all, or what cannot be: what is asked for, and what is said."""

from __future__ import annotations

import pytest

from dispenser.cli.match.help import help_lines
from dispenser.i18n import LANGUAGES
from dispenser.rules import Game, new_game
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.moves import (
    ANNOUNCE,
    DONE,
    DRAW,
    PASS,
    RETRACT,
    TAKE,
    TO_THE_LEFT,
    Act,
    catch,
    catch_retract,
    effect,
    lay,
)
from dispenser.rules.words.telling import Telling
from tests.cli.rules_at_terminal import HANDS, Table, uno

JOKER_HAND = [[52, 9, 10, 20], [1, 2, 3, 4], [14, 15, 16, 17]]


def plain(page: str) -> str:
    """In one line, without the spaces of printers."""
    return " ".join(page.replace("\u00a0", " ").split())


def with_joker() -> Game:
    """151 between three: seat 1, with a joker on number 4, is to play on a 4 of spades."""
    game = new_game("151", 3, seed=7)
    game.begin(dealer=2, hands=JOKER_HAND, first=42)
    return game


def extreme(hand: list[int], **options: str) -> Game:
    """Uno Extrême between three: seat 1 is to play on a red 8."""
    game = new_game("uno-extreme", 3, options, seed=3)
    game.begin(dealer=2, hands=[hand, [3, 4, 13], [5, 6, 13]], first=7)
    return game


def vache(hands: list[list[int]], first: int) -> Game:
    game = new_game("uno-vache", len(hands), seed=7)
    game.begin(dealer=len(hands) - 1, hands=hands, first=first)
    game.play(len(hands) - 1, TO_THE_LEFT)
    return game


# Choices that are still open


@pytest.mark.parametrize("begun", [("4", "8 de pique"), ("joker", "8 de pique"), ("joker en 8 de pique",), ("4 8p",)])
def test_a_joker_as_an_8_asks_for_the_suit(begun: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    page = Table(with_joker(), "fr").lines(monkeypatch, *begun, "cœur").replace("\u00a0", " ")
    assert "joker en 8 de pique : trèfle, carreau, cœur, pique ? cœur" in page
    assert "Tu poses un joker en 8 de pique et annonces cœur." in page
    assert "Interdit" not in page


@pytest.mark.parametrize("typed", ["5", "wild", "wi"])
def test_a_wild_asks_for_its_colour_by_number_and_by_name(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Table(uno()).lines(monkeypatch, typed, "g")
    assert "wild: red, yellow, green, blue? g" in page
    assert "You play a wild and name green." in page


def test_a_wild_is_no_wild_4(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever holds both says « joker » for the one and « joker +4 » for the other."""
    hands = [[1, 2, 7, 52, 53], *HANDS[1:]]
    page = plain(Table(uno(hands), "fr").lines(monkeypatch, "joker", "v"))
    assert "joker : rouge, jaune, vert, bleu ? v Tu poses un joker et annonces vert." in page
    page = plain(Table(uno(hands), "fr").lines(monkeypatch, "joker +4", "v"))
    assert "+4 : rouge, jaune, vert, bleu ? v Tu poses un +4 et annonces vert." in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hit_asks_for_what_was_not_said(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told = {
        "en": ("extreme hit naming blue: Bob, Chloé? ", "You play an extreme hit at Chloé and name blue."),
        "fr": ("coup extrême, bleu : Bob, Chloé ? ", "Tu poses un coup extrême contre Chloé et annonces bleu."),
    }[language]
    page = Table(extreme([53, 1, 2, 14]), language).lines(monkeypatch, "4 b", "chloé").replace("\u00a0", " ")
    assert all(words in page for words in told)


def test_who_chooses_nothing_has_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(uno())
    page = table.lines(monkeypatch, "wild", "", "5", "")
    assert page.count("can be: wild naming red") == 2
    assert table.game.state.sizes == [5, 5, 5]


@pytest.mark.parametrize("typed", ["1uno", "1 uno", "1UNO!", "red 7 uno", "uno 1"])
def test_uno_behind_a_number(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Table(uno([[7, 15], *HANDS[1:]])).lines(monkeypatch, typed)
    assert page.index("You say “UNO”.") < page.index("You play the red 7.")


@pytest.mark.parametrize("typed", ["uno", "say UNO", "dire uno", "announce"])
def test_uno_alone(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Table(uno([[7, 15], *HANDS[1:]])).lines(monkeypatch, "yellow 2", typed)
    assert "You can: red 7; draw; say UNO." in plain(page)
    assert "You say “UNO”." in page


# What cannot be


@pytest.mark.parametrize(
    ("typed", "english", "french"),
    [
        ("2 vert", "the green 2 is not in your hand.", "le 2 vert n’est pas dans ta main."),
        ("+4 vert", "your hand has no +4.", "tu n’as pas de +4."),
    ],
)
def test_a_card_that_is_not_there_is_said_back(
    typed: str, english: str, french: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody may have meant card 2 of the hand, and « vert » as its colour."""
    assert f"Not allowed by G-04: {english}" in Table(uno()).lines(monkeypatch, typed)
    assert f"Interdit par G-04\u00a0: {french}" in Table(uno(), "fr").lines(monkeypatch, typed)


@pytest.mark.parametrize(("typed", "language"), [("draw", "en"), ("piocher", "fr")])
def test_to_draw_again_is_not_to_pass(typed: str, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = uno([[7, 30, 31], *HANDS[1:]], first=6)  # the card drawn is a yellow 6
    table = Table(game, language)
    page = table.lines(monkeypatch, typed, typed)
    told = {
        "en": "one draws once in a turn. You can: yellow 6; pass.",
        "fr": "on ne pioche qu’une fois par tour. Tu peux : 6 jaune ; passer.",
    }[language]
    assert told in plain(page)
    assert Action(Deed.PLAY, 0, PASS) not in game.log


def test_to_draw_is_to_take_the_cards_of_a_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    game = vache([[1, 2, 3], [4, 5, 7], [10, 6, 8]], first=12)  # seat 1 is skipped
    game.play(1, lay(4))
    game.play(2, lay(10))
    Table(game).lines(monkeypatch, "draw")
    assert Action(Deed.PLAY, 0, TAKE) in game.log


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Not allowed by E-17: you must first press twice."),
        ("fr", "Interdit par E-17 : tu dois d’abord appuyer deux fois."),
    ],
)
def test_what_is_owed_comes_first_in_words(language: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game("uno-extreme", 2, seed=3)
    game.begin(dealer=0, hands=[[0, 1, 2, 14], [9, 4, 5, 6]], first=7)
    game.play(1, lay(9))
    assert told in plain(Table(game, language).lines(monkeypatch, "red 1"))


@pytest.mark.parametrize("typed", ["red 7", "draw", "distribue"])
def test_between_rounds_one_goes_on_by_enter(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Table(uno([[7], *HANDS[1:]], target=500), "fr").lines(monkeypatch, "red 7", typed, "")
    assert "La manche est finie\u00a0: Entrée pour la suivante." in page
    assert "distribue d’abord" not in page
    deal = new_game("huit-americain", 2, {"match": "points"}, seed=3)
    deal.begin(dealer=1, hands=[[2], [3, 4]], first=5)
    page = Table(deal, "fr").lines(monkeypatch, "1", typed, "")
    assert "La donne est finie\u00a0: Entrée pour la suivante." in page
    assert "Entrée pour la donne suivante" in page
    assert "Tu gagnes la donne 1." in page


@pytest.mark.parametrize("typed", ["bleu", "gauche", "10 vert", "+4 rouge Bob", "jaune vert"])
def test_no_suggestion_is_better_than_one_that_makes_no_sense(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = plain(Table(uno([[1, 2, 7, 15, 12], *HANDS[1:]]), "fr").lines(monkeypatch, typed))
    assert "Veux-tu dire" not in page
    assert "ainsi :" not in page
    assert f"« {typed} »" in page


def test_where_nobody_can_be_caught_no_name_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    page = plain(Table(uno(), "fr").lines(monkeypatch, "faute", "prendre"))
    assert "Dis qui tu prends en faute ; personne n’a rien oublié de dire pour l’instant." in page
    assert "Toi> faute Interdit" not in page


def test_a_slip_of_the_finger_brings_only_what_looks_most_like_it(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Table(uno([[1, 2, 7, 53, 12], *HANDS[1:]]), "fr").lines(monkeypatch, "+4 rougge", "pioccher")
    assert "Veux-tu dire\u00a0: +4, rouge\u00a0?" in page
    assert "Veux-tu dire\u00a0: piocher\u00a0?" in page


def test_whoever_forgot_ou_pas_is_caught_like_anybody(monkeypatch: pytest.MonkeyPatch) -> None:
    game = vache([[1, 12], [2, 20], [3, 22, 23]], first=9)
    game.play(0, lay(1))
    game.play(1, ANNOUNCE)
    game.play(1, lay(2))
    game.state.unsaid.add(1)  # type: ignore[attr-defined]
    game.state.exposed.clear()
    page = Table(game, "fr").lines(monkeypatch, "faute bob")
    assert "Tu prends Bob en faute\u00a0: «\u00a0OU PAS\u00a0» n’a pas été dit." in page


# Cards whose words nobody can know


@pytest.mark.parametrize("typed", ["", "fait", "done", "fini"])
def test_enter_goes_on_after_a_customizable_card(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = extreme([54, 1, 2, 14])
    page = plain(Table(game, "fr").lines(monkeypatch, "4 r", typed))
    assert "Cette table n’a pas encore de règle pour cette carte (--option custom-rule=…" in page
    assert "Fais ce que dit la carte, puis Entrée (fait)." in page
    assert "Tape « effet 2 Bob » : 2 appuis pour Bob." in page
    assert Action(Deed.PLAY, 0, DONE) in game.log


@pytest.mark.parametrize(
    "typed", ["effet 2 Bob", "effect 2 bob", "effet Bob 2", "effet : 2 appuis pour Bob", "effect: seat 2 presses 2"]
)
def test_presses_by_a_customizable_card(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = extreme([54, 1, 2, 14], **{"custom-rule": "Bob appuie."})
    page = Table(game, "fr").lines(monkeypatch, "4 r", typed)
    assert "La carte dit\u00a0: Bob appuie." in page
    assert "n’a pas encore de règle" not in page
    assert Action(Deed.PLAY, 0, effect(1, 2)) in game.log


def test_ou_pas_is_something_to_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has announced and gets cards says so; whoever does not is caught."""
    game = vache([[1, 12], [2, 20, 21], [3, 22, 23]], first=9)
    game.play(0, ANNOUNCE)
    game.play(0, lay(1))
    game.play(1, lay(2))
    game.play(2, lay(3))
    page = plain(Table(game, "fr").lines(monkeypatch, "piocher", "ou pas"))
    assert "Tu peux : dire OU PAS." in page
    assert "Tu dis « OU PAS »." in page
    game = new_game("uno-vache", 3)
    told = Telling(game, "fr", ("Ana", "Bob"), you=0).moves([RETRACT, catch_retract(1), catch(1)])
    assert told == ["dire OU PAS", "prendre Bob en faute (OU PAS oublié)", "prendre Bob en faute"]


# What one must have seen first


def test_nobody_is_asked_to_jump_in_before_having_seen_the_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    game = vache([[5, 12, 20], [5, 2, 20, 21], [4, 3, 22, 23]], first=8)
    game.play(0, DRAW)
    game.fulfil_by_chance()
    monkeypatch.setattr("dispenser.table.bots.OVERLOOKS", {Act.JUMP_IN: 1.0})
    game.play(1, lay(5))
    page = plain(Table(game, "fr").lines(monkeypatch))
    assert page.index("Ta main (4)") < page.index("Tu peux : court-circuiter avec le 5 rouge.")


def test_after_a_0_one_is_shown_the_new_hand_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = vache([[0, 12, 20], [2, 28, 21], [30, 31, 32, 33]], first=8)
    page = plain(Table(game, "fr").lines(monkeypatch, "0 rouge"))
    laid = page.index("Tu poses le 0 rouge.")
    assert page.index("Ta main (4) 1 ■ 4 vert 2 ■ 5 vert 3 ■ 6 vert 4 ■ 7 vert", laid) > laid


def test_a_bot_that_deals_tells_its_direction(monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game("uno-vache", 3, seed=7)
    game.begin(dealer=2, hands=[[1, 2], [3, 4], [30, 31]], first=7)
    assert "Chloé choisit le sens : on joue vers la " in plain(Table(game, "fr").lines(monkeypatch))


@pytest.mark.parametrize("answers", [("Bob", "vert"), ("vert", "Bob"), ("bob vert",), ("qui ça ?", "b", "Bob")])
def test_a_hit_that_is_answered_in_part_is_asked_on_and_not_lost(
    answers: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = plain(Table(extreme([53, 1, 2, 14]), "fr").lines(monkeypatch, "coup extrême", *answers))
    assert "Tu poses un coup extrême contre Bob et annonces" in page


@pytest.mark.parametrize(("game_id", "word"), [("151", "carte"), ("huit-americain", "carte"), ("uno", "uno")])
def test_help_says_what_is_announced_in_this_game(game_id: str, word: str) -> None:
    page = plain(" ".join(help_lines(new_game(game_id, 3), "fr", 80)))
    assert f"(3 {word})" in page
    assert ("uno" in page.lower()) == (word == "uno")


def test_who_presses_for_whom_and_where_the_launcher_points_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    page = plain(Table(extreme([53, 1, 2, 14]), "fr").lines(monkeypatch, "coup extrême vert Bob", "", ""))
    assert "Tu dois appuyer deux fois pour Bob." in page
    assert "lance-cartes" in page.partition("pour Bob.")[2].partition("Entrée")[0]
