"""The headline of each phone: whose turn it is, what to do now, and what the game calls it."""

from __future__ import annotations

import pytest

from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table.errors import TableRefusal
from dispenser.table.views import Around, Viewer, view
from tests.table.evening import Sat, in_turn, referee, turn_up

MODE = e.TrackingMode

MODE = e.TrackingMode


@pytest.mark.parametrize(
    ("game", "laid", "sentence", "french"),
    [
        ("huit-americain", "ace of hearts", "Play an ace, or take 2", "Contre avec un as, ou prends 2 cartes"),
        (
            "huit-americain",
            "ace of hearts, ace of spades",
            "Play an ace, or take 4",
            "Contre avec un as, ou prends 4 cartes",
        ),
        ("uno", "+4", "Challenge, or take 4", "Conteste, ou prends 4 cartes"),
        ("uno-vache", "red +2", "Play a +2 or +4, or take 2", "Contre avec un +2 ou un +4, ou prends 2 cartes"),
        ("uno-vache", "red +2, +4", "Play a +4, or take 6", "Contre avec un +4, ou prends 6 cartes"),
    ],
)
def test_who_answers_a_card_reads_it_in_the_words_of_the_game(game: str, laid: str, sentence: str, french: str) -> None:
    sat = Sat()
    sat.execute(c.Start(game))
    if game == "uno-vache":
        dealer = sat.match.game.turn
        sat.act("play", dealer, {"act": "choose direction", "direction": 1}, person=sat.match.order[dealer])
    turn_up(sat, "9 of hearts" if game == "huit-americain" else "red 5")
    in_turn(sat, 0)
    cards = laid.split(", ")
    for seat, card in enumerate(cards):
        sat.lay(seat, card, **({"colour": "red"} if card == "+4" else {}))
    assert len(sat.view(None)["in_force"]) == (game != "uno"), "what a chain has come to"
    person = len(cards) + 1
    assert sat.view(person)["sentence"] == sentence
    assert sat.view(person, "fr")["sentence"] == french
    assert f"Take {sentence.rsplit(maxsplit=1)[-1]}" in [each["label"] for each in sat.view(person)["choices"]]
    name = sat.table.people.name(person)
    assert sat.view(None)["sentence"] == f"{name}: {sentence[0].lower()}{sentence[1:]}"
    assert sat.view(None, "fr")["sentence"] == f"{name}\u00a0: {french[0].lower()}{french[1:]}"


def test_where_a_round_is_called_a_deal_it_is_so_everywhere() -> None:
    """In French a « donne », which 151 and Huit américain say; the other games' word must not stand beside it."""
    sat = Sat()
    sat.execute(c.Start("151", tracking_mode=MODE.COUNTER))
    playing = sat.view(1, "fr")
    sat.execute(c.Out(0, [0, 1, 2]))
    sat.execute(c.ChangeTrackingMode(MODE.REFEREE))
    between = [sat.view(person, "fr") for person in (1, 2, None)]
    assert [each["sentence"] for each in between[:2]] == ["Tu gagnes la donne\u00a0!", "Léa gagne la donne\u00a0!"]
    assert between[0]["choices"][0]["label"] == "Donne suivante"
    assert playing["choices"][-1]["label"].startswith("Donne finie")
    assert "manche" not in f"{playing} {between}".lower()
    sat.execute(c.Deal())
    with pytest.raises(TableRefusal, match="The deal is not over yet"):
        sat.execute(c.Deal())


def test_whose_turn_it_is_stands_on_every_phone_and_calls_one() -> None:
    sat = in_turn(referee("uno-extreme", "red 5"), 1)
    tom, lea = sat.view(2), sat.view(1)
    assert (tom["sentence"], tom["tone"], tom["called"]) == (
        "Your turn: play a card and tap it, or press!",
        "you",
        True,
    )
    assert (lea["sentence"], lea["tone"], lea["called"]) == ("Tom’s turn", "wait", False)
    assert lea["aloud"] == "Tom, your turn."
    assert [each["turn"] for each in lea["seats"]] == [False, True, False]
    calls = lea["calls"]
    sat.execute(c.Guest("Mamie"))
    assert sat.view(2)["calls"] == calls, "nobody is called because somebody sits down"
    sat.lay(1, "red 7")
    assert sat.view(3)["calls"] > calls
    assert (tom["push"]["due"], sat.view(3)["push"]["due"]) == (False, False)
    assert sat.view(2)["push"] is None


def test_who_cannot_play_presses_on_the_phone_where_the_launcher_has_no_button_and_else_is_sent_to_it() -> None:
    sat = Sat()
    sat.execute(c.Start("uno-extreme", tracking_mode=e.TrackingMode.COUNTER))
    assert sat.view(2)["sentence"] == "Deal 7 cards each, load the rest. Tap only what makes someone draw."
    sat.press(1)
    assert sat.view(2)["news"][-1]["text"] == "Somebody pressed: 1 card."
    for by_phone, sentence in (
        (True, "Play on! Tap only what makes someone draw."),
        (False, "Can’t play? Press the launcher’s button."),
    ):
        seen = view(sat.table, Viewer(2, owner=False, language="en"), Around(sat.present, by_phone=by_phone))
        assert seen["sentence"] == sentence
        assert seen["push"] == {"label": "Can’t play: press!", "send": {"press": True}, "due": by_phone}


def test_a_customizable_card_is_carried_out_by_the_table_and_ticked_off_by_who_laid_it() -> None:
    sat = in_turn(referee("uno-extreme", "red 5"), 0)
    sat.lay(0, "customizable", colour="red")
    sentences = [sat.view(person)["sentence"] for person in sat.match.order[:2]]
    assert sentences == ["Do what the card says, then tap “Done”!", "Léa does what the card says"]


def test_after_the_round_the_headline_asks_whose_hand_is_to_be_counted() -> None:
    sat = in_turn(referee("uno-extreme", "red 5"), 0)
    sat.act("hand size", 0, 1)
    sat.lay(0, "red 7")
    sentences = [sat.view(person)["sentence"] for person in (None, sat.match.order[1])]
    assert sentences == ["Tom, count your hand.", "Count your hand."]


@pytest.mark.parametrize("tracking_mode", [MODE.COUNTER, MODE.REFEREE])
def test_where_the_launcher_deals_the_first_card_is_in_it_and_all_cards_go_back(tracking_mode: e.TrackingMode) -> None:
    sat = Sat()
    sat.execute(c.Start("uno-extreme", tracking_mode=tracking_mode, deals=True))
    while sat.match.dealing:
        sat.press()
    assert sat.view()["sentence"].startswith("Lift the lid")
    if tracking_mode is MODE.REFEREE:
        assert sat.view()["asks"]["text"] == sat.view()["sentence"]
        turn_up(sat, "red 5")
    sat.execute(c.Out(0, [0, 1, 2]))
    assert sat.view()["choices"][0]["hint"] == "First shuffle all the cards and put them into the launcher."


def test_who_plays_again_reads_so_and_names_a_suit_where_cards_have_suits() -> None:
    sat = in_turn(referee("huit-americain", "5 of clubs"), 1)
    sat.lay(1, "10 of clubs")
    assert sat.view(2)["sentence"] == "Your turn again: play a card, then tap it here!"
    assert sat.view(3)["sentence"] == "Tom’s turn again"
    clubs = next(each for each in sat.view(2)["choices"] if each["label"] == "Clubs")
    assert next(each for each in clubs["next"] if each["label"] == "8")["asks"] == "Which suit?"
