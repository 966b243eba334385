"""What is said differently from game to game, and what a whole action sounds like."""

from __future__ import annotations

import pytest
from dispenser.rules.moves import ANNOUNCE, CATCH_RETRACT, DIRECTION, DRAW, STAND, play
from dispenser.rules.telling import Telling

from dispenser.rules import IllegalMove, events, new_game
from tests.rules.test_telling import NAMES, in_french


@pytest.mark.parametrize(
    ("game_id", "event", "english", "french"),
    [
        ("151", (events.AGAIN, 0, -1), "Ana may play again.", "Ana peut rejouer."),
        ("151", (events.AGAIN, 1, -1), "You may play again.", "Tu peux rejouer."),
        ("huit-americain", (events.AGAIN, 0, -1), "Ana must play again.", "Ana doit rejouer."),
        (
            "huit-americain",
            (events.PUT_BACK, -1, 7),
            "The 8 of clubs may not be the first card: it goes back under the pile, and another is turned up.",
            "Le 8 de trèfle ne peut pas commencer : la carte repart sous la pioche, et l’on en retourne une autre.",
        ),
        ("uno-extreme", (events.DREW, 0, 6), "Ana takes 6 cards.", "Ana prend 6 cartes."),
        ("uno-extreme", (events.DREW, 1, 1), "You take 1 card.", "Tu prends 1 carte."),
        (
            "151",
            (events.CAUGHT, 0, 2),
            "Chloé catches Ana, who forgot to say “Carte”.",
            "Chloé prend Ana en faute : « Carte » n’a pas été dit.",
        ),
        (
            "151",
            (events.STOOD, 0, STAND | 37),
            "Ana says that the joker is the queen of hearts.",
            "Ana dit que le joker vaut la dame de cœur.",
        ),
    ],
)
def test_the_same_event_in_other_games(game_id: str, event: events.Event, english: str, french: str) -> None:
    game = new_game(game_id, 4)
    assert Telling(game, "en", NAMES, you=1).event(event) == english
    assert Telling(game, "fr", NAMES, you=1).event(event) == in_french(french)


def test_what_was_forgotten_is_told_by_the_move_that_caught_it() -> None:
    """V-22 and V-23 are one event; the second is only told so when the catch before it was one, too."""
    game = new_game("uno-vache", 3, seed=1)
    game.begin(dealer=2, hands=[[1, 28], [3, 5, 8], [4, 6, 9]], first=7)
    for seat, move in ((2, DIRECTION), (0, ANNOUNCE), (0, 1), (1, 3), (2, 4), (0, DRAW)):
        game.play(seat, move)
    game.fulfil()
    game.play(2, CATCH_RETRACT | 0)
    caught = (events.CAUGHT, 0, 2)
    assert Telling(game, "en", NAMES).event(caught) == "Chloé catches Ana, who forgot to say “OU PAS”."
    assert Telling(game, "fr", NAMES, you=0).event(caught) == in_french(
        "Chloé te prend en faute : tu n’as pas dit « OU PAS »."
    )
    assert Telling(game, "en", NAMES).event((events.CAUGHT, 0, 1)) == "Bob catches Ana, who forgot to say “UNO”."


@pytest.mark.parametrize(
    ("rule", "english", "french"),
    [
        ("Swap hands", "The card says: Swap hands.", "La carte dit : Swap hands."),
        ("Sing {who} [a|b]!", "The card says: Sing {who} [a|b]!", "La carte dit : Sing {who} [a|b]!"),
        ("Chante !", "The card says: Chante !", "La carte dit : Chante !"),
        ("  ", "The table does what the card says.", "La table fait ce que dit la carte."),
    ],
)
def test_the_rule_of_the_table_is_told_in_its_own_words(rule: str, english: str, french: str) -> None:
    game = new_game("uno-extreme", 3, {"custom-rule": rule})
    event = (events.RULE_SHOWN, 0, -1)
    assert Telling(game, "en", NAMES).event(event) == english
    assert Telling(game, "fr", NAMES).event(event) == in_french(french)


def test_cards_laid_along_are_one_sentence() -> None:
    game = new_game("uno-extreme", 2, seed=1)
    game.begin(dealer=1, hands=[[51, 45, 49, 50, 1, 2], [3, 4]], first=40)
    happened = game.play(0, 51)
    assert Telling(game, "en", NAMES).events(happened) == [
        "Ana plays the blue discard all.",
        "Ana lays the blue 7, the blue reverse and the blue skip along with it.",
    ]
    assert Telling(game, "fr", NAMES, you=0).events(happened) == [
        in_french("Tu poses la carte « poser tout » bleue."),
        in_french("Tu poses aussi le 7 bleu, l’inversion bleue et la carte « passer » bleue."),
    ]


def test_where_there_are_places_no_round_is_won() -> None:
    happened = [(events.WENT_OUT, 0, 1), (events.ROUND_ENDED, 0, 1), (events.MATCH_ENDED, 0, -1)]
    assert Telling(new_game("uno-vache", 3), "en", NAMES).events(happened) == [
        "Ana has no cards left and finishes first.",
        "Ana wins the match!",
    ]
    assert "Ana wins round 1." in Telling(new_game("uno", 3), "en", NAMES).events(happened)


@pytest.mark.parametrize(
    ("number", "english", "french"),
    [(0, "0 points", "0 point"), (-1, "−1 point", "−1 point"), (2, "2 points", "2 points")],
)
def test_points_agree_with_their_number(number: int, english: str, french: str) -> None:
    game, event = new_game("uno", 2), (events.SCORED, 0, number)
    assert Telling(game, "en", NAMES).event(event) == f"Ana writes down {english}."
    assert Telling(game, "fr", NAMES).event(event) == f"Ana marque {french}."


@pytest.mark.parametrize(
    ("card", "french"),
    [
        (2 * 13 + 9, "la carte « appuyer 2 fois » verte"),
        (3 * 13 + 11, "la carte « passer » bleue"),
        (3 * 13 + 10, "l’inversion bleue"),
        (2 * 13 + 5, "le 6 vert"),
        (55, "une carte « appuyer 4 fois »"),
        (54, "une carte à customiser"),
    ],
)
def test_french_cards_in_a_sentence(card: int, french: str) -> None:
    assert Telling(new_game("uno-extreme", 2), "fr").card(card) == in_french(french)


def test_a_card_that_does_not_match_is_told_with_the_one_on_top_and_the_colour_named() -> None:
    game = new_game("uno", 2, seed=1)
    game.begin(dealer=1, hands=[[52, 7, 8], [15, 30]], first=5)
    game.play(0, play(52, 2))
    with pytest.raises(IllegalMove) as refused:
        game.play(1, 15)
    assert "the one on top (wild, green)." in Telling(game, "en", NAMES).error(refused.value)
    assert "celle du dessus (joker, vert)." in Telling(game, "fr", NAMES).error(refused.value)
