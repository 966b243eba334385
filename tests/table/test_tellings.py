"""More or less is told from now on, in the middle of a round."""

from __future__ import annotations

from dispenser.rules.engine.phases import IN_ROUND
from dispenser.table import messages as m
from dispenser.table.match import Match
from tests.table.sitting import Sitting
from tests.table.test_traps import LEA, TOM, started

HANDS = [["red 7", "red 8"], ["blue 7", "blue 8"], ["green 7", "green 8"]]
STANDS = {"hands": HANDS, "first": "red 5", "turn": 1}


def match(sitting: Sitting) -> Match:
    assert sitting.table.match is not None
    return sitting.table.match


def test_what_was_wished_for_the_next_round_comes_at_once_when_somebody_says_how_this_one_stands() -> None:
    sitting = started()
    sitting.said(m.Act(["answer", None, "red 5"]), LEA)
    sitting.said(m.ChangeTelling(m.Telling.CARDS), LEA)
    assert sitting.refused(m.ChangeTelling(m.Telling.CARDS), TOM) == "same_telling"
    sitting.said(m.ChangeTelling(m.Telling.CARDS, STANDS), TOM)
    assert match(sitting).telling is m.Telling.CARDS
    assert sitting.table.wished is None
    assert sitting.refused(m.ChangeTelling(m.Telling.CARDS, STANDS), TOM) == "same_telling"


def test_a_bot_holds_no_real_cards_so_its_round_is_played_to_the_end_on_the_phones() -> None:
    for telling in (m.Telling.REFEREE, m.Telling.COUNTER):
        sitting = Sitting()
        sitting.said(m.Open("Léa"), owner=True)
        sitting.said(m.Bot(), LEA)
        sitting.said(m.Join("Zoé"))
        sitting.said(m.Start("uno", telling=m.Telling.CARDS), LEA)
        sitting.said(m.ChangeTelling(telling), LEA)
        assert match(sitting).telling is m.Telling.CARDS
        assert sitting.table.wished is telling


def test_who_has_no_cards_left_is_out_where_the_others_play_on() -> None:
    """Uno vache ends with the last who has cards: as the table played by itself, the engine saw nobody go out."""
    for stands in ({"sizes": [2, 0, 3]}, {"hands": [HANDS[0], [], HANDS[2]]}):
        telling = m.Telling.REFEREE if "sizes" in stands else m.Telling.CARDS
        sitting = started("uno-vache", m.Telling.COUNTER)
        sitting.said(m.ChangeTelling(telling, {**stands, "first": "red 5", "turn": 0}), LEA)
        game = match(sitting).game
        assert game.state.still_in() == [0, 2]
        assert game.phase in IN_ROUND


def test_who_was_out_may_have_been_given_a_hand_since() -> None:
    """V-16: a white card swaps any two hands, and the table that plays by itself was not told."""
    sitting = started("uno-vache", m.Telling.COUNTER)
    sitting.said(m.ChangeTelling(m.Telling.REFEREE, {"sizes": [2, 0, 3], "first": "red 5", "turn": 0}), LEA)
    sitting.said(m.ChangeTelling(m.Telling.COUNTER), LEA)
    sitting.said(m.ChangeTelling(m.Telling.REFEREE, {"sizes": [0, 2, 3], "first": "red 5", "turn": 1}), LEA)
    assert match(sitting).game.state.still_in() == [1, 2]


def test_so_nobody_is_where_the_first_without_cards_ends_the_round() -> None:
    sitting = started("uno", m.Telling.COUNTER)
    told = m.ChangeTelling(m.Telling.REFEREE, {"sizes": [2, 0, 3], "first": "red 5", "turn": 0})
    assert sitting.refused(told, LEA) == "bad_position"


def test_a_burst_that_nobody_owed_keeps_the_telling_until_it_has_ended() -> None:
    """Else its cards would be nobody's: a match begun anew knows no push of before."""
    sitting = started("uno", m.Telling.COUNTER)
    assert sitting.push()
    told = m.ChangeTelling(m.Telling.REFEREE, {"sizes": [2, 3, 3], "first": "red 5", "turn": 0})
    assert sitting.refused(told, LEA) == "pay_first"
    assert sitting.table.pushes
