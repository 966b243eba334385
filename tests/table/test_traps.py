"""What others learnt with phones at tables, as far as a pure table can fall for it."""

from __future__ import annotations

import pytest

from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table.people import LONGEST_NAME, MOST_PEOPLE, clean_name
from tests.table.evening import Sat
from tests.table.sitting import Sitting, hash_of

LEA, TOM, ZOE = 1, 2, 3


def sat(*names: str, present: bool = True) -> Sitting:
    """An evening that Léa has opened, the others have joined, and all their phones listen."""
    sitting = Sitting()
    sitting.said(c.Open("Léa"), owner=True)
    for name in names or ("Tom", "Zoé"):
        sitting.said(c.Join(name))
    if present:
        sitting.present = set(sitting.table.people.order)
    return sitting


def started(game: str = "uno", telling: e.TrackingMode = e.TrackingMode.REFEREE, **more: object) -> Sitting:
    sitting = sat()
    sitting.said(c.Start(game, telling=telling, **more), LEA)  # type: ignore[arg-type]
    return sitting


def playing(game: str = "uno", first: str = "red 5") -> Sitting:
    """A card is turned up, and somebody is in turn."""
    sitting = started(game)
    sitting.said(c.Act(["answer", None, first]), LEA)
    return sitting


def turn(sitting: Sitting) -> int:
    """The person in turn."""
    match = sitting.table.match
    assert match is not None
    return match.order[match.game.turn]


# --- the connection ---------------------------------------------------------------------------------------------


def test_a_seat_is_not_given_up_because_a_phone_is_away() -> None:
    sitting = sat()
    sitting.present.clear()
    assert sitting.table.people.order == [LEA, TOM, ZOE]
    sitting.dies()
    assert sitting.table.people.order == [LEA, TOM, ZOE]


def test_a_double_tap_does_not_seat_one_person_twice() -> None:
    sitting = sat()
    assert sitting.refused(c.Join("Tom")) == "name_taken"
    assert sitting.refused(c.Join("Tom again"), TOM) == "seated"
    assert len(sitting.table.people.order) == 3


def test_a_new_phone_ends_the_old_ones_secret() -> None:
    sitting = sat()
    old = sitting.table.people[TOM].secret
    assert old is not None
    sitting.said(c.Claim(TOM))
    assert sitting.table.people.of_secret(old) == TOM
    sitting.said(c.Confirm(TOM), LEA)
    assert sitting.table.people.of_secret(old) is None


def test_a_move_for_a_turn_that_has_passed_comes_too_late_and_moves_nothing() -> None:
    sitting = playing()
    meant_for, who = sitting.table.at, turn(sitting)
    seat = sitting.table.seat_of(who)
    sitting.said(c.Act(["play", seat, {"act": "lay", "card": "red 7"}]), who, at=meant_for)
    assert sitting.refused(c.Act(["play", seat, {"act": "lay", "card": "red 8"}]), who, at=meant_for) == "too_late"


def test_what_was_said_for_an_older_state_of_the_people_is_not_too_late() -> None:
    sitting = playing()
    meant_for, who = sitting.table.at, turn(sitting)
    sitting.said(c.Guest("Mia"), LEA)
    seat = sitting.table.seat_of(who)
    assert sitting.said(c.Act(["play", seat, {"act": "lay", "card": "red 7"}]), who, at=meant_for)


def test_with_the_cards_on_the_phones_nothing_is_taken_back_that_somebody_has_seen() -> None:
    table = Sat()
    table.say(c.Start("uno-extreme", telling=e.TrackingMode.CARDS))
    match = table.match
    seat = match.game.turn
    assert table.refused(c.Undo()) == "cards_seen", "the deal"
    table.press(0)
    table.say(c.Undo())
    assert match.game.turn == seat, "nobody has seen anything of a dud"
    table.press(3)
    held = match.game.state.sizes[seat]
    assert table.refused(c.Undo()) == "cards_seen"
    assert table.refused(c.TellCount(table.presses, 1)) == "too_late"
    shown = table.view(match.order[seat])
    assert (shown["quick"], shown["recount"]) == ([], None)
    assert match.game.state.sizes[seat] == held
    table.check()


# --- people -----------------------------------------------------------------------------------------------------


def test_when_the_host_leaves_the_next_one_with_a_phone_hosts() -> None:
    sitting = sat()
    sitting.said(c.Leave(), LEA)
    assert sitting.table.people.host == TOM


def test_when_the_hosts_phone_dies_the_next_one_acts_as_host() -> None:
    sitting = sat()
    assert sitting.refused(c.Start("uno"), TOM) == "host_only"
    sitting.present.discard(LEA)
    sitting.said(c.Start("uno"), TOM)


def test_a_host_hands_over() -> None:
    sitting = sat()
    assert sitting.refused(c.HandOver(TOM), TOM) == "host_only"
    sitting.said(c.HandOver(ZOE), LEA)
    assert sitting.table.people.host == ZOE


def test_nobody_hosts_without_a_phone() -> None:
    sitting = sat()
    sitting.said(c.Guest("Mia"), TOM)
    assert sitting.refused(c.HandOver(4), LEA) == "no_phone"


def test_watchers_cannot_move_anything() -> None:
    sitting = playing()
    sitting.said(c.Guest("Mia"), LEA)
    who = turn(sitting)
    for tell in (
        c.Guest("Max"), c.Bot(), c.Leave(), c.LetGo(TOM), c.Rename("Nobody", 4), c.Rename("Nobody"), c.Swap(LEA, TOM),
        c.HandOver(TOM), c.Help(TOM, LEA), c.Start("uno"), c.ChangeTrackingMode(e.TrackingMode.COUNTER), c.Deal(),
        c.Act(["play", sitting.table.seat_of(who), {"act": "draw"}]), c.Act(["penalise", 0, "advice"]),
        c.Out(0, [0, 0, 0]), c.SetScore(0, 5), c.Undo(), c.Redo(), c.TellCount(1, 1), c.EndMatch(), c.Close(),
        c.HostOnly(True),
    ):  # fmt: skip
        assert sitting.refused(tell), tell


def test_a_player_whose_phone_is_away_is_played_for_by_any_neighbour() -> None:
    sitting = playing()
    who = turn(sitting)
    seat = sitting.table.seat_of(who)
    other = next(each for each in (LEA, TOM, ZOE) if each != who)
    lay = c.Act(["play", seat, {"act": "lay", "card": "red 7"}])
    assert sitting.refused(lay, other) == "not_your_seat"
    sitting.present.discard(who)
    assert sitting.said(lay, other)


def test_who_plays_for_a_sleeping_child_may_until_one_of_them_says_no() -> None:
    sitting = playing()
    who = turn(sitting)
    seat = sitting.table.seat_of(who)
    other = next(each for each in (TOM, ZOE) if each != who)
    lay = c.Act(["play", seat, {"act": "lay", "card": "red 7"}])
    sitting.said(c.Help(who, other), who)
    sitting.said(lay, other)
    sitting.said(c.Undo(), other)
    sitting.said(c.Help(who, other, yes=False), other)
    assert sitting.refused(lay, other) == "not_your_seat"


def test_late_guests_join_with_the_next_round() -> None:
    sitting = playing()
    sitting.said(c.Join("Max"))
    match = sitting.table.match
    assert match is not None
    assert len(match.order) == 3
    sitting.said(c.Act(["play", sitting.table.seat_of(turn(sitting)), {"act": "lay", "card": "red 7"}]), turn(sitting))
    sitting.said(c.Out(0, [0, 10, 10]), LEA)
    sitting.said(c.Deal(), TOM)
    assert sitting.table.match is not None
    assert sitting.table.match.order == (LEA, TOM, ZOE, 4)
    assert sitting.table.match.scores == (20, 0, 0, 0)


def test_a_round_with_a_player_gone_goes_on_and_anybody_taps_for_them() -> None:
    sitting = playing()
    who = turn(sitting)
    sitting.said(c.Leave(), who)
    other = sitting.table.people.order[0]
    seat = sitting.table.seat_of(who)
    assert sitting.said(c.Act(["play", seat, {"act": "lay", "card": "red 7"}]), other)


def test_a_table_with_too_many_for_what_was_chosen_says_so_when_the_next_round_is_dealt() -> None:
    sitting = sat("Tom")
    sitting.said(c.Start("151", {"packs": 1}, e.TrackingMode.CARDS), LEA)
    sitting.said(c.Out(0, [0, 5]), LEA)
    for number in range(MOST_PEOPLE - 2):
        sitting.said(c.Join(f"Late {number}"))
    sitting.say(c.Deal(), LEA)
    assert sitting.refusal is None or sitting.refusal.word == "wrong_number"


def test_eleven_cannot_sit_down_and_may_watch() -> None:
    sitting = sat(*(f"Guest {number}" for number in range(MOST_PEOPLE - 1)))
    assert sitting.refused(c.Join("One more")) == "table_full"
    assert sitting.refused(c.Bot(), LEA) == "table_full"


# --- names ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", " ", "\u200b\u202e", "\x00\x07", "...", "\u200d"])
def test_a_name_that_cannot_be_seen_is_none(name: str) -> None:
    assert sat().refused(c.Join(name)) == "name_missing"


def test_half_a_sign_is_taken_out_of_a_name() -> None:
    assert clean_name("L\ud83d\u00e9a") == "Léa"


def test_a_name_of_two_hundred_letters_is_refused_with_its_length() -> None:
    sitting = sat()
    assert sitting.refused(c.Join("L" * 200)) == "name_too_long"
    assert "200" in str(sitting.refusal)
    assert str(LONGEST_NAME) in str(sitting.refusal)


def test_an_emoji_is_a_name_and_stays_whole() -> None:
    sitting = sat()
    sitting.said(c.Join("👩‍👩‍👧 Zoé"))
    assert sitting.table.people.name(4) == "👩‍👩‍👧 Zoé"


def test_marks_that_turn_the_line_round_are_taken_out_of_a_name() -> None:
    sitting = sat()
    sitting.said(c.Join("\u202eדנה\u202c"))
    assert sitting.table.people.name(4) == "דנה"
    assert sitting.refused(c.Join("\u2066דנה")) == "name_taken"


def test_html_in_a_name_is_kept_as_it_was_typed() -> None:
    """Whoever shows it escapes it."""
    sitting = sat()
    sitting.said(c.Join("<b>Max</b>"))
    assert sitting.table.people.name(4) == "<b>Max</b>"


def test_a_name_is_no_proof_and_a_lookalike_in_capitals_is_taken() -> None:
    sitting = sat()
    assert sitting.refused(c.Join("tom")) == "name_taken"
    assert sitting.refused(c.Rename("TOM"), ZOE) == "name_taken"
    assert sitting.said(c.Rename("Zoe"), ZOE)


# --- what phones send ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "action",
    [
        [], ["play"], ["play", 0], ["play", None, {"act": "draw"}], ["play", 0, {"act": "dance"}], ["play", 0, None],
        ["play", 99, {"act": "draw"}], ["play", -1, {"act": "draw"}], ["answer", None, True], ["answer", None, 500],
        ["answer", None, -3], ["answer", None, []], ["answer", 0, "red 7"], ["hand", 0, ["?"]], ["hand size", 0, -1],
        ["hand size", 99, 3], ["turn", 99, None], ["turn", None, None], ["penalise", 0, "dance"], ["begin", None, {}],
        ["fulfil", 0, 2], ["fulfil", 0, "chance"], ["count round", 0, []], ["undo", None, None], [None, None, None],
        ["play", 0, {"act": "lay", "card": "?"}], ["play", 0, {"act": "lay", "card": "pink 7"}], ["reload", 0, 1],
        ["play", 1.5, {"act": "draw"}], [["play"], 0, {}],
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_refused_in_a_sentence(action: list[object]) -> None:
    for sitting in (started(), playing()):
        for person in (LEA, TOM, ZOE):
            assert sitting.refused(c.Act(action), person)


def test_secrets_lie_in_the_entries_as_hashes_only() -> None:
    sitting = sat()
    for entry in sitting.entries:
        if isinstance(entry, e.Joined | e.Claimed):
            assert len(entry.secret or hash_of("")) == 64
