"""Cards and moves as text: what is written can be read, and so can what people type."""

from __future__ import annotations

from random import Random

import pytest

from dispenser.i18n import LANGUAGES
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import (
    ANNOUNCE,
    DRAW,
    RETRACT,
    TO_THE_RIGHT,
    Move,
    cancel,
    catch,
    catch_retract,
    effect,
    jump_in,
    lay,
    name,
    stand,
)
from dispenser.rules.engine.phases import IN_ROUND
from dispenser.rules.registry import GAMES, new_game
from dispenser.rules.words.notation import (
    NotationError,
    move_text,
    read_card,
    read_move,
    without_announcement,
)
from dispenser.rules.words.phrases import phrases_of
from tests.sampled import sampled

OPTIONS = {game_id: {option.name for option in folder.book.options} for game_id, folder in GAMES.items()}
NAMES = ("Ana", "Bob", "Chloé", "Bot 2", "Rose", "Ou Pas", "Maître Jacques", "王")


def card_text(game: Game, card: int, language: str) -> str:
    return game.state.cards.names[card][language]


def uno(*, names: int = 3) -> Game:
    """Seat 1 (0) is to play on a red 5: two red cards, a skip, a wild and a +4 fit."""
    game = new_game("uno", names, seed=7)
    hands = [[7, 7, 2, 12, 52, 53, 20], [1, 2, 3, 4, 6, 8, 9], [30, 31, 32, 33, 34, 35, 36]]
    game.begin(dealer=2, hands=hands, first=5)
    return game


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", GAMES)
def test_every_card_is_read_as_it_is_written(game_id: str, language: str) -> None:
    game = new_game(game_id, 3)
    for card in range(game.state.cards.kinds):
        text = card_text(game, card, language)
        for said in (text, text.upper(), f"  {text.replace(' ', '-')} ", text.replace("œ", "oe").replace("è", "e")):
            assert read_card(game, said) == card, said


@pytest.mark.parametrize("names", [(), NAMES], ids=["numbers", "names"])
@pytest.mark.parametrize("game_id", GAMES)
def test_every_move_is_read_as_it_is_written_in_either_language(game_id: str, names: tuple[str, ...]) -> None:
    game = new_game(game_id, 6, seed=1)
    game.begin()
    for move in phrases_of(game, names).every_move:
        for language in LANGUAGES:
            text = move_text(game, move, language, names)
            assert read_move(game, game.turn, text, names) == move, text
            assert read_move(game, game.turn, text.upper().replace(" ", "  "), names) == move, text


@pytest.mark.parametrize("seed", sampled(range(3), 3))
@pytest.mark.parametrize("game_id", GAMES)
def test_legal_moves_of_whole_rounds_are_read_as_they_are_written(game_id: str, seed: int) -> None:
    """What the games really offer is in the vocabulary, in every phase that a round comes to."""
    random = Random(seed)
    game = new_game(game_id, 4, seed=seed)
    game.begin()
    for _ in range(400):
        if game.phase not in IN_ROUND:
            break
        if game.demand:
            game.fulfil_by_chance()
            continue
        seat = random.choice(game.actors())
        legal = game.legal_moves(seat)
        for move in legal:
            for language in LANGUAGES:
                text = move_text(game, move, language, NAMES)
                assert read_move(game, seat, text, NAMES) == move, f"seed {seed}: {text}"
        game.play(seat, random.choice(legal))


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("r7", "red 7"),
        ("7 R", "red 7"),
        ("play the red 7", "red 7"),
        ("7 rouge", "red 7"),
        ("7", "red 7"),
        ("rs", "red skip"),
        ("passer rouge", "red skip"),
        ("skip", "red skip"),
        ("w g", "wild naming green"),
        ("wg", "wild naming green"),
        ("joker vert", "wild naming green"),
        ("Joker, VERT", "wild naming green"),
        ("wild blu", "wild naming blue"),
        ("+4b", "+4 naming blue"),
        ("plus 4 bleu", "+4 naming blue"),
        ("wild +4 yellow", "+4 naming yellow"),
        ("joker j", "wild naming yellow"),
        ("d", "draw"),
        ("pioche", "draw"),
    ],
)
def test_short_forms(text: str, move: str) -> None:
    game = uno()
    assert move_text(game, read_move(game, 0, text), "en") == move


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("7h", "7 of hearts"),
        ("7♥", "7 of hearts"),
        ("♠Q", "queen of spades"),
        ("dp", "queen of spades"),
        ("D de pique", "queen of spades"),
        ("as de coeur", "ace of hearts"),
        ("10 trefle", "10 of clubs"),
        ("vc", None),
        ("k", None),
        ("j", "joker"),
    ],
)
def test_short_forms_of_playing_cards(text: str, card: str | None) -> None:
    if card is None:
        with pytest.raises(NotationError, match="can be"):
            read_card(new_game("151", 3), text)
    else:
        game = new_game("151", 3)
        assert card_text(game, read_card(game, text), "en") == card


@pytest.mark.parametrize(
    ("game_id", "move", "english", "french"),
    [
        ("uno-extreme", lay(53, colour=2, seat=2), "extreme hit naming green at Chloé", "Coup Extrême, vert, Chloé"),
        ("uno-extreme", lay(12), "red discard all", "poser tout rouge"),
        ("uno-extreme", DRAW, "press", "appuyer"),
        ("uno-extreme", effect(1, 3), "effect: 3 presses for Bob", "effet\u00a0: 3 appuis pour Bob"),
        ("uno-extreme", catch(1), "catch Bob", "prendre Bob en faute"),
        ("uno-extreme", ANNOUNCE, "say UNO", "dire UNO"),
        ("151", lay(46, colour=2), "8 of spades naming hearts", "8 de pique, cœur"),
        ("151", lay(52, stands_for=37), "joker as queen of hearts", "joker en dame de cœur"),
        ("151", stand(46, colour=2), "stand for 8 of spades naming hearts", "valoir 8 de pique, cœur"),
        ("151", name(2), "name hearts", "nommer cœur"),
        ("uno-vache", lay(54, seat=0, other=2), "white swapping Ana and Chloé", "blanche, échanger Ana et Chloé"),
        ("uno-vache", jump_in(lay(7)), "jump in with the red 7", "court-circuiter avec le 7 rouge"),
        ("uno-vache", cancel(45), "cancel with the blue 6", "annuler avec le 6 bleu"),
        ("uno-vache", RETRACT, "say OU PAS", "dire OU PAS"),
        ("uno-vache", catch_retract(1), "catch Bob (OU PAS forgotten)", "prendre Bob en faute (OU PAS oublié)"),
        ("uno-vache", TO_THE_RIGHT, "direction right", "tourner vers la droite"),
    ],
)
def test_moves_in_words(game_id: str, move: Move, english: str, french: str) -> None:
    game = new_game(game_id, 4)
    assert (move_text(game, move, "en", NAMES), move_text(game, move, "fr", NAMES)) == (english, french)


def test_a_short_form_that_fits_several_moves_is_not_guessed() -> None:
    game = uno()
    with pytest.raises(NotationError) as caught:
        read_move(game, 0, "red")
    assert [move_text(game, move, "en") for move in caught.value.nearest] == ["red 2", "red 7", "red skip"]
    assert "red 2, red 7, red skip" in str(caught.value)
    assert "2 rouge" in caught.value.text.fr


def test_a_mistyped_move_brings_up_the_legal_ones_that_look_like_it() -> None:
    game = uno()
    with pytest.raises(NotationError, match="did you mean: red 7") as caught:
        read_move(game, 0, "redd 7")
    assert set(caught.value.nearest) <= set(game.legal_moves(0))


@pytest.mark.parametrize("text", ["yellow 7", "y7", "7 jaune", "challenge", "contester", "catch seat 2", "joker as 3"])
def test_a_move_against_the_rules_is_read_so_that_the_game_can_name_the_rule(text: str) -> None:
    game = uno()
    if text == "joker as 3":
        with pytest.raises(NotationError):
            read_move(game, 0, text)
    else:
        assert read_move(game, 0, text) not in game.legal_moves(0)


def test_players_are_called_by_their_names_or_their_numbers() -> None:
    game = uno()
    for text in ("catch Chloé", "catch chloe", "catch seat 3", "prendre en faute chloé", "catch 3", "faute c"):
        assert read_move(game, 0, text, NAMES[:3]) == catch(2), text
    assert move_text(game, catch(2), "fr", NAMES) == "prendre Chloé en faute"


@pytest.mark.parametrize("text", ["\x1b[A", "\x1b[D", "\x1bOA", "red 7\x00", "\x7f", "\ufffd", "²", "s", "r", "\x01d"])
def test_what_a_slip_of_the_finger_brings_is_no_move(text: str) -> None:
    """Arrow keys, control characters, ² on a French keyboard, a letter that begins no legal move."""
    with pytest.raises(NotationError) as caught:
        read_move(uno(), 0, text)
    assert all(sign.isprintable() for sign in str(caught.value))


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("r", "direction right"),
        ("d", "direction right"),
        ("L", "direction left"),
        ("tourner gauche", "direction left"),
    ],
)
def test_a_side_alone_is_the_direction_when_one_is_asked_for(text: str, move: str) -> None:
    game = new_game("uno-vache", 3, seed=7)
    game.begin(dealer=0, hands=[[1, 2], [3, 4], [5, 6]], first=7)
    assert move_text(game, read_move(game, 0, text), "en") == move


def test_a_joker_or_a_suit_without_the_rest_brings_an_example() -> None:
    game = new_game("151", 3, seed=3)
    game.begin(dealer=2, hands=[[52, 1, 2, 7], [3, 4, 5], [6, 8, 9]], first=14)
    with pytest.raises(NotationError, match="not the whole of a move; write it out, such as: joker as ace of clubs"):
        read_move(game, 0, "joker")
    with pytest.raises(NotationError) as caught:
        read_move(game, 0, "joker en")
    assert "ainsi\u00a0: joker en as de trèfle" in caught.value.text.fr
    with pytest.raises(NotationError) as caught:
        read_move(game, 0, "cœur")
    assert caught.value.text.fr.endswith("n’est pas un coup entier\u00a0; écris-le jusqu’au bout")


def test_a_colour_and_a_player_may_be_said_in_either_order_or_one_of_them_alone() -> None:
    game = new_game("uno-extreme", 3, seed=7)
    game.begin(dealer=2, hands=[[53, 1, 2], [3, 4], [5, 6]], first=0)
    for text in ("extreme hit red Bob", "extreme hit Bob red", "coup extrême Bob rouge", "hit bob r"):
        assert move_text(game, read_move(game, 0, text, NAMES), "en", NAMES) == "extreme hit naming red at Bob", text
    with pytest.raises(NotationError) as unfinished:
        read_move(game, 0, "extreme hit  Bob", NAMES)
    assert unfinished.value.begun == tuple(lay(53, colour=colour, seat=1) for colour in range(4))


def test_in_turn_a_number_that_only_cancels_need_not_be_called_so() -> None:
    """V-14: the chain has come to 2 with a blue +2; a blue 2 cannot be laid on it, only cancel it."""
    game = new_game("uno-vache", 3)
    game.begin(dealer=2, hands=[[49, 1], [41, 5], [2, 3]], first=40, pile=[])
    game.play(2, read_move(game, 2, "left"))
    game.play(0, lay(49))
    assert read_move(game, 1, "blue 2") == read_move(game, 1, "cancel with blue 2") == cancel(41)
    assert read_move(game, 1, "red 6") == lay(5 + 1)


@pytest.mark.parametrize(
    ("game_id", "typed", "rest", "announced"),
    [
        ("uno-extreme", "red discard all uno", "red discard all", True),
        ("uno-vache", "jump in with red 3 uno", "jump in with red 3", True),
        ("uno", "red 3 UNO!", "red 3", True),
        ("uno", "uno red 3", "red 3", True),
        ("151", "carte 7 of hearts", "7 of hearts", True),
        ("151", "7 of hearts, carte", "7 of hearts,", True),
        ("uno-extreme", "carte à customiser", "carte à customiser", False),
        ("uno", "say uno", "say uno", False),
        ("uno", "uno", "uno", False),
        ("uno", "red 3", "red 3", False),
    ],
)
def test_an_announcement_goes_with_a_card(game_id: str, typed: str, rest: str, announced: bool) -> None:
    assert without_announcement(new_game(game_id, 3), typed) == (rest, announced)
