"""What is said differently from game to game, and what a whole action sounds like."""

from __future__ import annotations

import pytest

from dispenser.rules import GAMES, IllegalMove, new_game
from dispenser.rules.engine.demands import Demand, Owed
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.moves import ANNOUNCE, DRAW, TO_THE_LEFT, Move, catch, catch_retract, lay, stand
from dispenser.rules.words.narrator import Narrator
from tests.rules.test_narrator import NAMES, in_french

HIT = Demand(Owed.PRESSES, 2, 0, 1, "E-21")


@pytest.mark.parametrize(
    ("game_id", "event", "english", "french"),
    [
        ("151", Event(What.AGAIN, 0), "Ana may play again.", "Ana peut rejouer."),
        ("151", Event(What.AGAIN, 1), "You may play again.", "Tu peux rejouer."),
        ("huit-americain", Event(What.AGAIN, 0), "Ana must play again.", "Ana doit rejouer."),
        (
            "huit-americain",
            Event(What.PUT_BACK, card=7),
            "The 8 of clubs may not be the first card: it goes back under the pile, and another is turned up.",
            "Le 8 de trèfle ne peut pas commencer : la carte repart sous la pioche, et on en retourne une autre.",
        ),
        ("uno-extreme", Event(What.DREW, 0, 6, demand=HIT), "Ana takes 6 cards.", "Ana prend 6 cartes."),
        ("uno-extreme", Event(What.DREW, 1, 1, demand=HIT), "You take 1 card.", "Tu prends 1 carte."),
        (
            "151",
            Event(What.CAUGHT, 0, other=2, move=catch(0)),
            "Chloé catches Ana, who forgot to say “Carte”.",
            "Chloé prend Ana en faute : « Carte » n’a pas été dit.",
        ),
        (
            "151",
            Event(What.STOOD, 0, move=stand(37)),
            "Ana says that the joker is the queen of hearts.",
            "Ana dit que le joker vaut la dame de cœur.",
        ),
    ],
)
def test_the_same_event_in_other_games(game_id: str, event: Event, english: str, french: str) -> None:
    game = new_game(game_id, 4)
    assert Narrator(game, "en", NAMES, you=1).event(event) == english
    assert Narrator(game, "fr", NAMES, you=1).event(event) == in_french(french)


def test_what_was_forgotten_is_told_by_the_move_that_caught_it() -> None:
    """V-22 and V-23 are one event."""
    game = new_game("uno-vache", 3, seed=1)
    game.begin(dealer=2, hands=[[1, 28], [3, 5, 8], [4, 6, 9]], first=7)
    for seat, move in ((2, TO_THE_LEFT), (0, ANNOUNCE), (0, lay(1)), (1, lay(3)), (2, lay(4)), (0, DRAW)):
        game.play(seat, move)
    game.fulfil_by_chance()
    caught = next(event for event in game.play(2, catch_retract(0)) if event.what is What.CAUGHT)
    assert Narrator(game, "en", NAMES).event(caught) == "Chloé catches Ana, who forgot to say “OU PAS”."
    assert Narrator(game, "fr", NAMES, you=0).event(caught) == in_french(
        "Chloé te prend en faute : tu n’as pas dit « OU PAS »."
    )
    caught = Event(What.CAUGHT, 0, other=1, move=catch(0))
    assert Narrator(game, "en", NAMES).event(caught) == "Bob catches Ana, who forgot to say “UNO”."


@pytest.mark.parametrize(
    ("rule", "english", "french"),
    [
        ("Swap hands", "The card says: Swap hands.", "La carte dit : Swap hands."),
        ("Sing {who} [a|b]!", "The card says: Sing {who} [a|b]!", "La carte dit : Sing {who} [a|b]!"),
        ("Chante !", "The card says: Chante !", "La carte dit : Chante !"),
        ("  ", "The table does what the card says.", "La table fait ce que dit la carte."),
    ],
)
def test_the_rule_of_the_table_is_told_in_its_own_words(rule: str, english: str, french: str) -> None:
    game = new_game("uno-extreme", 3, {"custom-rule": rule})
    event = Event(What.RULE_SHOWN, 0)
    assert Narrator(game, "en", NAMES).event(event) == english
    assert Narrator(game, "fr", NAMES).event(event) == in_french(french)


def test_cards_laid_along_are_one_sentence() -> None:
    game = new_game("uno-extreme", 2, seed=1)
    game.begin(dealer=1, hands=[[51, 45, 49, 50, 1, 2], [3, 4]], first=40)
    happened = game.play(0, lay(51))
    assert Narrator(game, "en", NAMES).events(happened) == [
        "Ana plays the blue discard all.",
        "Ana plays the blue 7, the blue reverse and the blue skip along with it.",
    ]
    assert Narrator(game, "fr", NAMES, you=0).events(happened) == [
        in_french("Tu poses la carte « poser tout » bleue."),
        in_french("Tu poses aussi le 7 bleu, l’inversion bleue et la carte « passer » bleue."),
    ]


def test_where_there_are_places_no_round_is_won() -> None:
    happened = [Event(What.WENT_OUT, 0, 1), Event(What.ROUND_ENDED, 0, 1), Event(What.MATCH_ENDED, 0)]
    assert Narrator(new_game("uno-vache", 3), "en", NAMES).events(happened) == [
        "Ana has no cards left and finishes first.",
        "Ana wins the match!",
    ]
    assert "Ana wins round 1." in Narrator(new_game("uno", 3), "en", NAMES).events(happened)


def test_a_card_that_does_not_match_is_told_with_the_one_on_top_and_the_colour_named() -> None:
    game = new_game("uno", 2, seed=1)
    game.begin(dealer=1, hands=[[52, 7, 8], [15, 30]], first=5)
    game.play(0, lay(52, colour=2))
    with pytest.raises(IllegalMove) as refused:
        game.play(1, lay(15))
    assert "the one on top (wild, green)." in Narrator(game, "en", NAMES).error(refused.value)
    assert "celle du dessus (joker, vert)." in Narrator(game, "fr", NAMES).error(refused.value)


def what_holds(game_id: str, hands: list[list[int]], first: int, *moves: Move) -> list[str]:
    """What stands in the French picture of the table, beside the card on top."""
    game = new_game(game_id, len(hands))
    game.begin(dealer=len(hands) - 1, hands=hands, first=first, pile=[])
    for move in moves:
        game.play(game.turn, move)
    return [text.fr for text in game.state.words.in_force(game.observe(0))]


def test_what_is_in_force_on_the_table_is_told() -> None:
    plus = [TO_THE_LEFT, lay(10), lay(23)]
    assert what_holds("uno-vache", [[10, 1], [23, 2], [3, 4]], 5, *plus) == [
        in_french("chaîne de « + » : 4 cartes à piocher")
    ]
    assert what_holds("uno-vache", [[10, 1], [23, 2], [3, 4]], 5, *plus[:1]) == []
    assert what_holds("huit-americain", [[0, 1], [13, 14], [3, 4]], 5, lay(0)) == [in_french("as : 2 cartes à piocher")]
    assert what_holds("151", [[0, 1, 2], [13, 14], [3, 4]], 5, lay(0)) == [
        in_french("gelé : seulement un as, un 8 ou un joker")
    ]
    assert what_holds("151", [[0, 1, 2], [13, 14], [3, 4]], 5, lay(2)) == []
    assert what_holds("uno", [[10, 1], [23, 2], [3, 4]], 5, lay(10)) == []


@pytest.mark.parametrize("game_id", GAMES)
def test_the_help_on_each_card_names_rules_of_its_game(game_id: str) -> None:
    vocabulary, book = GAMES[game_id].rules.words, GAMES[game_id].book
    own = {rule.id for rule in book.rules}
    of_cards = [vocabulary.rules_of(card) for card in range(vocabulary.cards.cards.kinds)]
    assert all(rules and own.issuperset(rules) for rules in of_cards)
    assert len(set(of_cards)) > 5
