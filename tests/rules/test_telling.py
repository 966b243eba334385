"""What is said at the table: whole sentences in both languages, for everything that can happen."""

from __future__ import annotations

import re
from random import Random

import pytest
from dispenser.rules.cards import JOKER
from dispenser.rules.moves import CANCEL, EFFECT, JUMP_IN, NAME, STAND, play
from dispenser.rules.notation import NotationError, read_move
from dispenser.rules.state import CARDS, COUNTING, IDLE, PRESSES, Demand, Question
from dispenser.rules.telling import Telling

from dispenser.rules import GAMES, Game, IllegalMove, events, new_game
from dispenser.rules.book import LANGUAGES

NAMES = ("Ana", "Bob", "Chloé", "Dimitri")
NO_BREAK = "\u00a0"
CODES = {name: code for name, code in vars(events).items() if name.isupper()}
WITHOUT_SEAT = {events.RESHUFFLED, events.REVERSED, events.TURNED_UP, events.PUT_BACK, events.RELOAD_ASKED}
WITHOUT_SEAT |= {events.RELOADED, events.PASSED_ON}


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
@pytest.mark.parametrize("you", [-1, 1])
@pytest.mark.parametrize("code", CODES.values(), ids=CODES)
def test_every_event_is_a_sentence(code: int, you: int, language: str) -> None:
    telling = Telling(new_game("uno", 4), language, NAMES, you)
    value = {events.STOOD: STAND | 11}.get(code, 0 if code == events.PENALISED else 1)
    seat = -1 if code in WITHOUT_SEAT else 1
    assert looks_whole(telling.event((code, seat, value)), language), telling.event((code, seat, value))


@pytest.mark.parametrize(
    ("event", "english", "french"),
    [
        ((events.PLAYED, 0, 7), "Ana plays the red 7.", "Ana pose le 7 rouge."),
        ((events.PLAYED, 0, play(52, 2)), "Ana plays a wild and names green.", "Ana pose un joker et annonce vert."),
        ((events.PLAYED, 1, play(52, 2)), "You play a wild and name green.", "Tu poses un joker et annonces vert."),
        ((events.PLAYED, 0, 11), "Ana plays the red reverse.", "Ana pose l’inversion rouge."),
        ((events.PLAYED, 0, play(54, 0, 1)), "Ana plays a white card.", "Ana pose une carte blanche."),
        ((events.PLAYED, 0, JUMP_IN | 7), "Ana jumps in with the red 7.", "Ana court-circuite avec le 7 rouge."),
        ((events.PLAYED, 0, CANCEL | 6), "Ana cancels with the red 6.", "Ana annule avec le 6 rouge."),
        ((events.DREW, 0, 1), "Ana draws 1 card.", "Ana pioche 1 carte."),
        ((events.DREW, 1, 2), "You draw 2 cards.", "Tu pioches 2 cartes."),
        ((events.DREW, 1, 0), "There is no card for you.", "Il n’y a aucune carte pour toi."),
        ((events.PRESSED, 0, 0), "Ana presses: nothing.", "Ana appuie : rien."),
        ((events.PRESSED, 1, 5), "You press: 5 cards!", "Tu appuies : 5 cartes !"),
        ((events.REVERSED, -1, -1), "Play now goes to the right.", "On joue maintenant vers la droite."),
        ((events.TURN, 0, -1), "It is Ana’s turn.", "C’est à Ana de jouer."),
        ((events.TURN, 1, -1), "It is your turn.", "C’est à toi de jouer."),
        ((events.OWES, 2, 2), "Chloé owes 2 cards.", "Chloé doit 2 cartes."),
        ((events.ANNOUNCED, 0, -1), "Ana says “UNO”.", "Ana dit « UNO »."),
        (
            (events.CAUGHT, 0, 2),
            "Chloé catches Ana, who forgot to say “UNO”.",
            "Chloé prend Ana en faute : « UNO » n’a pas été dit.",
        ),
        (
            (events.CAUGHT, 0, 1),
            "You catch Ana, who forgot to say “UNO”.",
            "Tu prends Ana en faute : « UNO » n’a pas été dit.",
        ),
        (
            (events.CAUGHT, 1, 0),
            "Ana catches you: you forgot to say “UNO”.",
            "Ana te prend en faute : tu n’as pas dit « UNO ».",
        ),
        (
            (events.PENALISED, 1, 0),
            "You are at fault: remarks and advice (U-18).",
            "Tu es en faute : remarques et conseils (U-18).",
        ),
        (
            (events.CHALLENGED, 0, 1),
            "Ana doubts the +4: it was a bluff!",
            "Ana conteste le +4 : c’était du bluff !",
        ),
        (
            (events.WENT_OUT, 0, 2),
            "Ana has no cards left and finishes second.",
            "Ana n’a plus de cartes et finit à la deuxième place.",
        ),
        (
            (events.WENT_OUT, 1, 10),
            "You have no cards left and finish tenth.",
            "Tu n’as plus de cartes et finis à la dixième place.",
        ),
        ((events.PASSED, 0, -1), "Ana’s turn is over.", "Ana a fini son tour."),
        ((events.PASSED, 1, -1), "Your turn is over.", "Tu as fini ton tour."),
        ((events.FROZEN, 0, 1), "The discard pile is frozen.", "Le talon est gelé."),
        ((events.FROZEN, 1, 0), "You thaw the discard pile.", "Tu dégèles le talon."),
        (
            (events.PUT_BACK, -1, 53),
            "A +4 may not be the first card: it goes back into the pile, and another is turned up.",
            "Un +4 ne peut pas commencer : la carte repart dans la pioche, et l’on en retourne une autre.",
        ),
        ((events.RULE_SHOWN, 0, -1), "The table does what the card says.", "La table fait ce que dit la carte."),
        ((events.SCORED, 0, -10), "Ana writes down −10 points.", "Ana marque −10 points."),
        ((events.SCORED, 0, 1), "Ana writes down 1 point.", "Ana marque 1 point."),
        ((events.CORRECTED, -1, 31), "Set right: the draw pile has 31 cards.", "Correction : la pioche a 31 cartes."),
        (
            (events.CANCELLED, 0, -1),
            "Who began the chain is out: nobody draws.",
            "Qui a commencé la chaîne ne joue plus : personne ne pioche.",
        ),
        (
            (events.CANCELLED, 0, 2),
            "The chain turns back on Chloé.",
            "La chaîne se retourne contre Chloé.",
        ),
        (
            (events.CANCELLED, 0, 1),
            "The chain turns back on you.",
            "La chaîne se retourne contre toi.",
        ),
        (
            (events.DEALER_DREW, 0, 55),
            "Ana draws a hidden card to see who deals.",
            "Ana tire une carte cachée pour savoir qui donne.",
        ),
    ],
)
def test_events_in_words(event: events.Event, english: str, french: str) -> None:
    game = new_game("uno", 4)
    assert Telling(game, "en", NAMES, you=1).event(event) == english
    assert Telling(game, "fr", NAMES, you=1).event(event) == in_french(french)


@pytest.mark.parametrize(
    ("card", "english", "french"),
    [
        (37, "the queen of hearts", "la dame de cœur"),
        (13, "the ace of diamonds", "l’as de carreau"),
        (38, "the king of hearts", "le roi de cœur"),
        (JOKER, "a joker", "un joker"),
    ],
)
def test_cards_have_their_article(card: int, english: str, french: str) -> None:
    playing = Telling(_with_playing_cards(), "en"), Telling(_with_playing_cards(), "fr")
    assert tuple(telling.card(card) for telling in playing) == (english, french)


def test_a_joker_says_what_it_stands_for() -> None:
    move = play(JOKER, 46, 2)
    assert Telling(_with_playing_cards(), "en", NAMES).event((events.PLAYED, 0, move)) == (
        "Ana plays a joker as the 8 of spades and names hearts."
    )
    assert Telling(_with_playing_cards(), "fr", NAMES, you=0).event((events.PLAYED, 0, move)) == (
        "Tu poses un joker en 8 de pique et annonces cœur."
    )


def test_without_names_players_are_called_by_their_seats() -> None:
    game = new_game("uno", 4)
    assert Telling(game, "en").event((events.PLAYED, 2, 7)) == "Seat 3 plays the red 7."
    assert Telling(game, "fr").event((events.PLAYED, 2, 7)) == "La place 3 pose le 7 rouge."
    assert Telling(game, "fr").event((events.TURN, 2, -1)) == "C’est à la place 3 de jouer."


def test_an_extreme_hit_names_its_target() -> None:
    game = new_game("uno-extreme", 4)
    event = (events.PLAYED, 0, play(53, 3, 1))
    assert Telling(game, "en", NAMES).event(event) == "Ana plays an extreme hit at Bob and names blue."
    assert Telling(game, "fr", NAMES, you=1).event(event) == "Ana pose un coup extrême contre toi et annonce bleu."


@pytest.mark.parametrize(
    ("demand", "english", "french"),
    [
        (Demand(PRESSES, 0, 0, 1, "E-14"), "Ana must press once.", "Ana doit appuyer une fois."),
        (Demand(PRESSES, 1, 1, 2, "E-17"), "You must press twice.", "Tu dois appuyer deux fois."),
        (Demand(PRESSES, 0, 2, 2, "E-21"), "Ana must press twice for Chloé.", "Ana doit appuyer deux fois pour Chloé."),
        (Demand(PRESSES, 0, 1, 4, "E-21"), "Ana must press 4 times for you.", "Ana doit appuyer 4 fois pour toi."),
        (
            Demand(PRESSES, 0, 0, 2, "E-24", True),
            "Ana must press twice as a penalty.",
            "Ana doit appuyer deux fois en pénalité.",
        ),
        (Demand(CARDS, 0, 0, 4, "V-14", True), "Ana must draw 4 cards.", "Ana doit piocher 4 cartes."),
        (Demand(CARDS, 0, 0, 4, "U-15"), "Ana must draw 4 cards.", "Ana doit piocher 4 cartes."),
        (Demand(CARDS, 1, 1, 1, "U-10"), "You must draw 1 card.", "Tu dois piocher 1 carte."),
    ],
)
def test_demands_in_words(demand: Demand, english: str, french: str) -> None:
    game = new_game("uno-extreme", 4)
    assert Telling(game, "en", NAMES, you=1).demand(demand) == english
    assert Telling(game, "fr", NAMES, you=1).demand(demand) == french


@pytest.mark.parametrize(
    ("demand", "english", "french"),
    [
        (Demand(PRESSES, 0, 0, 1, "E-17"), "Ana must press once more.", "Ana doit encore appuyer une fois."),
        (
            Demand(PRESSES, 0, 1, 2, "E-21"),
            "Ana must press twice more for you.",
            "Ana doit encore appuyer deux fois pour toi.",
        ),
        (Demand(PRESSES, 1, 1, 3, "E-20"), "You must press 3 more times.", "Tu dois encore appuyer 3 fois."),
        (Demand(CARDS, 0, 0, 1, "U-11"), "Ana must draw 1 more card.", "Ana doit encore piocher 1 carte."),
        (Demand(CARDS, 0, 0, 2, "U-15"), "Ana must draw 2 more cards.", "Ana doit encore piocher 2 cartes."),
    ],
)
def test_the_rest_of_a_demand_in_words(demand: Demand, english: str, french: str) -> None:
    game = new_game("uno-extreme", 4)
    assert Telling(game, "en", NAMES, you=1).demand(demand, more=True) == english
    assert Telling(game, "fr", NAMES, you=1).demand(demand, more=True) == french


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seat", [-1, 0, 1])
@pytest.mark.parametrize("kind", ["turn-up", "discarded", "bluff", "points"])
def test_every_question_is_a_sentence(kind: str, seat: int, language: str) -> None:
    if (kind == "turn-up") == (seat < 0):
        sentence = Telling(new_game("uno", 4), language, NAMES, you=1).question(Question(kind, seat, "U-03"))
        assert looks_whole(sentence, language), sentence
        assert sentence.endswith("?")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game_id", GAMES)
def test_whole_matches_are_told_in_sentences(game_id: str, seed: int, language: str) -> None:
    """Whatever really happens: events, demands, questions and refusals in the course of play."""
    random = Random(seed)
    game = new_game(game_id, 4, seed=seed)
    telling = Telling(game, language, NAMES, you=0)
    told = [telling.event(event) for event in game.begin()]
    for _ in range(250):
        if not IDLE < game.phase < COUNTING:
            break
        if game.demand:
            told.append(telling.demand(game.demand))
            happened = game.fulfil()
        else:
            seat = random.choice(game.actors())
            with pytest.raises(IllegalMove) as refused:
                game.play(seat, EFFECT | 200)
            told.append(telling.error(refused.value))
            happened = game.play(seat, random.choice(game.legal_moves(seat)))
        told += [telling.event(event) for event in happened]
    assert [sentence for sentence in told if not looks_whole(sentence, language)] == [], f"seed {seed}"


def test_a_refusal_names_the_rule_the_reason_and_what_would_be_legal_in_groups() -> None:
    game = new_game("uno", 3, seed=7)
    hands = [[7, 7, 2, 12, 52, 53, 20], [1, 2, 3, 4, 6, 8, 9], [30, 31, 32, 33, 34, 35, 36]]
    game.begin(dealer=2, hands=hands, first=5)
    with pytest.raises(IllegalMove) as refused:
        game.play(0, read_move(game, 0, "yellow 7"))
    assert Telling(game, "en", NAMES).error(refused.value) == (
        "Not allowed by U-09: that card does not match the one on top (red 5). "
        "Ana can: red 2, red 7, red skip; wild or +4 (any colour); draw."
    )
    assert Telling(game, "fr", NAMES, you=0).error(refused.value) == in_french(
        "Interdit par U-09 : cette carte ne va pas sur celle du dessus (5 rouge). "
        "Tu peux : 2 rouge, 7 rouge, passer rouge ; joker ou +4 (couleur au choix) ; piocher."
    )


def test_words_that_cannot_be_read_are_an_error_told_the_same_way() -> None:
    game = new_game("uno", 3, seed=7)
    game.begin()
    with pytest.raises(NotationError) as unread:
        read_move(game, game.turn, "xyzzy")
    for language in LANGUAGES:
        told = Telling(game, language).error(unread.value)
        assert "xyzzy" in told
        assert looks_whole(told, language)


def test_36_ways_to_aim_are_one_group() -> None:
    game = new_game("uno-extreme", 10)
    hits = [play(53, colour, seat) for colour in range(4) for seat in range(1, 10)]
    assert Telling(game, "en").moves(hits) == ["extreme hit (any colour, any other player)"]
    assert Telling(game, "en", NAMES).moves(hits[:1]) == ["extreme hit (red, Bob)"]
    effects = [EFFECT | play(seat, presses) for seat in range(10) for presses in range(1, 5)]
    assert Telling(game, "fr").moves(effects) == ["effet\u00a0: des appuis pour quelqu’un"]
    assert Telling(game, "en").moves([NAME | colour for colour in range(4)]) == ["name a colour"]


def test_what_a_joker_can_stand_for_is_counted_when_it_is_much() -> None:
    telling = Telling(_with_playing_cards(), "en")
    assert telling.moves([play(JOKER, card) for card in range(12)]) == ["joker (as any of 12 cards)"]
    eights = [play(JOKER, 7, suit) for suit in range(4)]
    assert telling.moves([play(JOKER, 0), *eights]) == ["joker (as ace of clubs or 8 of clubs)"]
    french = Telling(_with_playing_cards(), "fr")
    assert french.moves([play(JOKER, card) for card in range(12)]) == ["joker (12 cartes possibles)"]


def test_cards_out_of_turn_have_their_article() -> None:
    moves = [JUMP_IN | 7, *(JUMP_IN | play(52, colour) for colour in range(4)), CANCEL | 11]
    game = new_game("uno-vache", 3)
    assert Telling(game, "en").moves(moves) == [
        "jump in with the red 7",
        "jump in with a wild (any colour)",
        "cancel with the red reverse",
    ]
    assert Telling(game, "fr").moves(moves) == [
        "court-circuiter avec le 7 rouge",
        "court-circuiter avec un joker (couleur au choix)",
        "annuler avec l’inversion rouge",
    ]


@pytest.mark.parametrize(
    ("you", "english", "french"),
    [
        (-1, "Bob and Chloé swap hands.", "Bob et Chloé échangent leurs mains."),
        (1, "Chloé and you swap hands.", "Chloé et toi échangez vos mains."),
        (2, "Bob and you swap hands.", "Bob et toi échangez vos mains."),
    ],
)
def test_hands_are_swapped_with_the_listener_or_without(you: int, english: str, french: str) -> None:
    game, event = new_game("uno-vache", 4), (events.SWAPPED, 1, 2)
    assert Telling(game, "en", NAMES, you).event(event) == english
    assert Telling(game, "fr", NAMES, you).event(event) == french


@pytest.mark.parametrize("game_id", ["huit-americain", "151"])
def test_where_the_rules_speak_of_deals_deals_are_won(game_id: str) -> None:
    game, event = new_game(game_id, 3), (events.ROUND_ENDED, 0, 2)
    assert Telling(game, "en", NAMES).event(event) == "Ana wins deal 2."
    assert Telling(game, "fr", NAMES).event(event) == "Ana gagne la donne 2."


def test_what_the_next_sentence_says_anyway_is_left_out() -> None:
    game = new_game("uno", 3, seed=7)
    game.begin(dealer=2, hands=[[10, 7], [1, 2], [30, 31]], first=5)
    assert Telling(game, "en", NAMES).events(game.play(0, 10)) == ["Ana plays the red +2.", "Bob misses a turn."]
