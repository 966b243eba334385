"""What is said at the table: whole sentences in both languages, for everything that can happen."""

from __future__ import annotations

import re
from random import Random

import pytest

from dispenser.i18n import LANGUAGES
from dispenser.rules.engine.demands import Demand, Owed
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import TO_THE_LEFT, cancel, catch, catch_retract, effect, jump_in, lay, name, stand
from dispenser.rules.engine.phases import IN_ROUND
from dispenser.rules.engine.playing_cards import JOKER
from dispenser.rules.registry import GAMES, new_game
from dispenser.rules.words.narrator import Narrator
from dispenser.rules.words.notation import read_move
from tests.sampled import sampled

NAMES = ("Ana", "Bob", "Chloé", "Dimitri")
NO_BREAK = "\u00a0"
TWO_CARDS = Demand(Owed.CARDS, 0, 0, 2, "U-11")
TWO_PRESSES = Demand(Owed.PRESSES, 0, 0, 2, "E-17")
FOR_BOB = Demand(Owed.PRESSES, 0, 1, 2, "E-21")
PENALTY = Demand(Owed.CARDS, 0, 0, 2, "U-17", penalty=True)
DETAILS = {
    What.LAID: {"move": lay(7)},
    What.STOOD: {"move": stand(11)},
    What.CAUGHT: {"move": catch(1), "other": 2},
    What.SWAPPED: {"other": 2},
    What.CANCELLED: {"other": 2},
    What.PENALISED: {"offence": "advice"},
    What.NAMED: {"colour": 2},
    What.REVERSED: {"direction": -1},
    What.DIRECTION_CHOSEN: {"direction": 1},
    What.CHALLENGED: {"bluff": False},
    **{what: {"demand": TWO_CARDS, "number": 2} for what in (What.OWES, What.PRESSED, What.DREW, What.SHORT)},
    **{
        what: {"card": 7} for what in (What.DEALER_DREW, What.TURNED_UP, What.PUT_BACK, What.DISCARDED, What.TAKEN_BACK)
    },
}
"""What an event of that sort tells, beside a seat and a number."""
WITHOUT_SEAT = {What.RESHUFFLED, What.REVERSED, What.TURNED_UP, What.PUT_BACK, What.RELOAD_ASKED, What.RELOADED}
WITHOUT_SEAT |= {What.PASSED_ON}


def _with_playing_cards() -> Game:
    return new_game("151", 3)


def looks_whole(sentence: str, language: str) -> bool:
    """It begins and ends like a sentence, nothing of a template is left, and French signs stand as they should."""
    if not re.fullmatch(r"[A-ZÀ-Ý0-9“«].*[.!?)]", sentence) or re.search(r"[\[\]{}|]|(?<![A-Z])-1|  ", sentence):
        return False
    return language == "en" or not re.search(r"(?<!\u00a0)[:;!?»]|«(?!\u00a0)", sentence)


def in_french(text: str) -> str:
    """As typed here, with plain spaces, and as it must be."""
    return re.sub(r" (?=[:;!?»])|(?<=«) ", NO_BREAK, text)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("you", [None, 1])
@pytest.mark.parametrize("what", What)
def test_every_event_is_a_sentence(what: What, you: int | None, language: str) -> None:
    game = new_game("uno-extreme" if what is What.RULE_SHOWN else "uno", 4)
    details = {"number": 1} | DETAILS.get(what, {})
    told = Narrator(game, language, NAMES, you).event(Event(what, None if what in WITHOUT_SEAT else 1, **details))
    assert looks_whole(told, language), told


@pytest.mark.parametrize(
    ("event", "english", "french"),
    [
        (Event(What.LAID, 0, move=lay(7)), "Ana plays the red 7.", "Ana pose le 7 rouge."),
        (
            Event(What.LAID, 1, move=lay(52, colour=2)),
            "You play a wild and name green.",
            "Tu poses un joker et annonces vert.",
        ),
        (Event(What.LAID, 0, move=lay(11)), "Ana plays the red reverse.", "Ana pose l’inversion rouge."),
        (Event(What.DREW, 0, number=1, demand=TWO_CARDS), "Ana draws 1 card.", "Ana pioche 1 carte."),
        (
            Event(What.DREW, 1, number=0, demand=TWO_CARDS),
            "No card came.",
            "Aucune carte n’est sortie.",
        ),
        (Event(What.PRESSED, 0, number=0, demand=TWO_PRESSES), "Ana presses: nothing.", "Ana appuie : rien."),
        (Event(What.PRESSED, 1, number=5, demand=TWO_PRESSES), "You press: 5 cards!", "Tu appuies : 5 cartes !"),
        (Event(What.TURN, 0), "It is Ana’s turn.", "C’est à Ana de jouer."),
        (Event(What.TURN, 1), "It is your turn.", "C’est à toi de jouer."),
        (
            Event(What.CAUGHT, 0, other=2, move=catch(0)),
            "Chloé catches Ana, who forgot to say “UNO”.",
            "Chloé prend Ana en faute : « UNO » n’a pas été dit.",
        ),
        (
            Event(What.CAUGHT, 0, other=1, move=catch(0)),
            "You catch Ana, who forgot to say “UNO”.",
            "Tu prends Ana en faute : « UNO » n’a pas été dit.",
        ),
        (
            Event(What.CAUGHT, 1, other=0, move=catch(1)),
            "Ana catches you: you forgot to say “UNO”.",
            "Ana te prend en faute : tu n’as pas dit « UNO ».",
        ),
        (
            Event(What.PENALISED, 1, offence="advice"),
            "You are at fault: remarks and advice (U-18).",
            "Tu es en faute : remarques et conseils (U-18).",
        ),
        (
            Event(What.CHALLENGED, 0, bluff=True),
            "Ana challenges the +4: it was a bluff!",
            "Ana conteste le +4 : c’était du bluff !",
        ),
        (
            Event(What.WENT_OUT, 0, number=2),
            "Ana has no cards left and finishes second.",
            "Ana n’a plus de cartes et finit à la deuxième place.",
        ),
        (
            Event(What.WENT_OUT, 1, number=10),
            "You have no cards left and finish tenth.",
            "Tu n’as plus de cartes et finis à la dixième place.",
        ),
        (
            Event(What.PUT_BACK, card=53),
            "A +4 may not be the first card: it goes back into the pile, and another is turned up.",
            "Un +4 ne peut pas commencer : la carte repart dans la pioche, et on en retourne une autre.",
        ),
        (Event(What.SCORED, 0, number=-10), "Ana scores −10 points.", "Ana marque −10 points."),
        (Event(What.DREW, 0, 2, demand=PENALTY), "Ana draws 2 cards as a penalty.", "Ana pioche 2 cartes en pénalité."),
        (
            Event(What.PRESSED, 0, 3, demand=FOR_BOB),
            "Ana presses for you: 3 cards!",
            "Ana appuie pour toi : 3 cartes !",
        ),
        (Event(What.DREW, 1, 3, demand=FOR_BOB), "You take 3 cards.", "Tu prends 3 cartes."),
        (
            Event(What.CANCELLED, 0, other=1),
            "The chain turns back on you.",
            "La chaîne se retourne contre toi.",
        ),
    ],
)
def test_events_in_words(event: Event, english: str, french: str) -> None:
    """One of each form; the README of the scenarios has the wording of all."""
    game = new_game("uno", 4)
    assert Narrator(game, "en", NAMES, you=1).event(event) == english
    assert Narrator(game, "fr", NAMES, you=1).event(event) == in_french(french)


def test_a_joker_says_what_it_stands_for() -> None:
    event = Event(What.LAID, 0, move=lay(JOKER, stands_for=46, colour=2))
    assert Narrator(_with_playing_cards(), "en", NAMES).event(event) == (
        "Ana plays a joker as the 8 of spades and names hearts."
    )
    assert Narrator(_with_playing_cards(), "fr", NAMES, you=0).event(event) == (
        "Tu poses un joker en 8 de pique et annonces cœur."
    )


def test_without_names_players_are_called_by_their_seats() -> None:
    game = new_game("uno", 4)
    assert Narrator(game, "en").event(Event(What.LAID, 2, move=lay(7))) == "Seat 3 plays the red 7."
    assert Narrator(game, "fr").event(Event(What.LAID, 2, move=lay(7))) == "La place 3 pose le 7 rouge."
    assert Narrator(game, "fr").event(Event(What.TURN, 2)) == "C’est à la place 3 de jouer."


def test_an_extreme_hit_names_its_target() -> None:
    game = new_game("uno-extreme", 4)
    event = Event(What.LAID, 0, move=lay(53, colour=3, seat=1))
    assert Narrator(game, "en", NAMES).event(event) == "Ana plays an Extreme Hit at Bob and names blue."
    assert Narrator(game, "fr", NAMES, you=1).event(event) == "Ana pose un Coup Extrême contre toi et annonce bleu."


@pytest.mark.parametrize(
    ("demand", "english", "french"),
    [
        (Demand(Owed.PRESSES, 0, 0, 1, "E-14"), "Ana must press once.", "Ana doit appuyer une fois."),
        (Demand(Owed.PRESSES, 1, 1, 2, "E-17"), "You must press twice.", "Tu dois appuyer deux fois."),
        (
            Demand(Owed.PRESSES, 0, 2, 2, "E-21"),
            "Ana must press twice for Chloé.",
            "Ana doit appuyer deux fois pour Chloé.",
        ),
        (Demand(Owed.PRESSES, 0, 1, 4, "E-21"), "Ana must press 4 times for you.", "Ana doit appuyer 4 fois pour toi."),
        (
            Demand(Owed.PRESSES, 0, 0, 2, "E-24", True),
            "Ana must press twice as a penalty.",
            "Ana doit appuyer deux fois en pénalité.",
        ),
        (Demand(Owed.PRESSES, 0, 0, 4, "E-22", True), "Ana must press 4 times.", "Ana doit appuyer 4 fois."),
        (Demand(Owed.CARDS, 0, 0, 4, "U-15"), "Ana must draw 4 cards.", "Ana doit piocher 4 cartes."),
        (Demand(Owed.CARDS, 1, 1, 1, "U-10"), "You must draw 1 card.", "Tu dois piocher 1 carte."),
    ],
)
def test_demands_in_words(demand: Demand, english: str, french: str) -> None:
    game = new_game("uno-extreme", 4)
    assert Narrator(game, "en", NAMES, you=1).demand(demand) == english
    assert Narrator(game, "fr", NAMES, you=1).demand(demand) == french


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", sampled(range(4), 4))
@pytest.mark.parametrize("game_id", GAMES)
def test_whole_matches_are_told_in_sentences(game_id: str, seed: int, language: str) -> None:
    """Whatever really happens: events, demands, questions and refusals in the course of play."""
    random = Random(seed)
    game = new_game(game_id, 4, seed=seed)
    narrator = Narrator(game, language, NAMES, you=0)
    told = [narrator.event(event) for event in game.begin()]
    for _ in range(250):
        if game.phase not in IN_ROUND:
            break
        if game.demand:
            told.append(narrator.demand(game.demand))
            happened = game.fulfil_by_chance()
        else:
            seat = random.choice(game.actors())
            with pytest.raises(IllegalMove) as refused:
                game.play(seat, effect(200, 9))
            told.append(narrator.error(refused.value))
            happened = game.play(seat, random.choice(game.legal_moves(seat)))
        told += [narrator.event(event) for event in happened]
    assert [sentence for sentence in told if not looks_whole(sentence, language)] == [], f"seed {seed}"


def test_a_refusal_names_the_rule_the_reason_and_what_would_be_legal_in_groups() -> None:
    game = new_game("uno", 3, seed=7)
    hands = [[7, 7, 2, 12, 52, 53, 20], [1, 2, 3, 4, 6, 8, 9], [30, 31, 32, 33, 34, 35, 36]]
    game.begin(dealer=2, hands=hands, first=5)
    with pytest.raises(IllegalMove) as refused:
        game.play(0, read_move(game, 0, "yellow 7"))
    assert Narrator(game, "en", NAMES).error(refused.value) == (
        "Not allowed by U-09: that card does not match the one on top (red 5). "
        "Ana can: red 2, red 7, red skip; wild or +4 (any colour); draw."
    )
    assert Narrator(game, "fr", NAMES, you=0).error(refused.value) == in_french(
        "Interdit par U-09 : cette carte ne va pas sur celle du dessus (5 rouge). "
        "Tu peux : 2 rouge, 7 rouge, passer rouge ; joker ou +4 (couleur au choix) ; piocher."
    )


def test_36_ways_to_aim_are_one_group() -> None:
    game = new_game("uno-extreme", 10)
    hits = [lay(53, colour=colour, seat=seat) for colour in range(4) for seat in range(1, 10)]
    assert Narrator(game, "en").moves(hits) == ["extreme hit (any colour, any other player)"]
    assert Narrator(game, "en", NAMES).moves(hits[:1]) == ["extreme hit (red, Bob)"]
    effects = [effect(seat, presses) for seat in range(10) for presses in range(1, 5)]
    assert Narrator(game, "fr").moves(effects) == ["effet\u00a0: des appuis pour quelqu’un"]
    assert Narrator(game, "en").moves([name(colour) for colour in range(4)]) == ["name a colour"]


def test_cards_out_of_turn_have_their_article() -> None:
    moves = [jump_in(lay(7)), *(jump_in(lay(52, colour=colour)) for colour in range(4)), cancel(11)]
    game = new_game("uno-vache", 3)
    assert Narrator(game, "en").moves(moves) == [
        "jump in with the red 7",
        "jump in with a wild (any colour)",
        "cancel with the red reverse",
    ]
    assert Narrator(game, "fr").moves(moves) == [
        "court-circuiter avec le 7 rouge",
        "court-circuiter avec un joker (couleur au choix)",
        "annuler avec l’inversion rouge",
    ]


@pytest.mark.parametrize(
    ("you", "english", "french"),
    [
        (None, "Bob and Chloé swap hands.", "Bob et Chloé échangent leurs mains."),
        (1, "Chloé and you swap hands.", "Chloé et toi échangez vos mains."),
        (2, "Bob and you swap hands.", "Bob et toi échangez vos mains."),
    ],
)
def test_hands_are_swapped_with_the_listener_or_without(you: int | None, english: str, french: str) -> None:
    game, event = new_game("uno-vache", 4), Event(What.SWAPPED, 1, other=2)
    assert Narrator(game, "en", NAMES, you).event(event) == english
    assert Narrator(game, "fr", NAMES, you).event(event) == french


def test_what_the_next_sentence_says_anyway_is_left_out() -> None:
    game = new_game("uno", 3, seed=7)
    game.begin(dealer=2, hands=[[10, 7], [1, 2], [30, 31]], first=5)
    assert Narrator(game, "en", NAMES).events(game.play(0, lay(10))) == [
        "Ana plays the red +2.",
        "Bob must draw 2 cards and misses a turn.",
    ]


def test_what_costs_the_turn_is_told_in_its_order_with_the_turn() -> None:
    game = new_game("uno-extreme", 3, seed=7)
    game.begin(dealer=2, hands=[[9, 7], [1, 2], [30, 31]], first=5)
    assert Narrator(game, "fr", NAMES, you=1).events(game.play(0, lay(9))) == [
        in_french("Ana pose la carte « appuyer 2 fois » rouge."),
        "Tu dois appuyer deux fois et perds ton tour.",
    ]


def test_a_catch_that_fails_is_told_of_that_player_and_not_of_all() -> None:
    """V-23: Bob can be caught for one thing and not for the other."""
    game = new_game("uno-vache", 3, seed=1)
    game.begin(dealer=0, hands=[[3, 5, 8], [1, 28], [4, 6, 9]], first=7)
    for seat, move in ((0, TO_THE_LEFT), (1, lay(1))):
        game.play(seat, move)
    with pytest.raises(IllegalMove) as refused:
        game.play(0, catch_retract(1))
    assert Narrator(game, "fr", NAMES, you=0).error(refused.value) == in_french(
        "Interdit par V-23 : ce joueur n’a pas oublié de dire « OU PAS ». Tu peux : prendre Bob en faute."
    )
