"""Who is at the table: names of every kind, seats left, let go and claimed again, helpers, who hosts."""

from __future__ import annotations

import pytest

from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table.decisions import execute
from dispenser.table.errors import TableRefusal
from dispenser.table.people import BOT_NAMES, LONGEST_NAME, MOST_PEOPLE, Who, clean_name
from dispenser.table.secrets import hashed
from dispenser.table.table import Table
from dispenser.table.views import Around, Viewer, view
from tests.table.evening import OWNER, SECRET, Sat, turn_up

FAMILY = "👨‍👩‍👧"
BLANK = ("\u3164", "\u2800", "\u115f\u1160", "\uffa0", "\ufe0f", "\u034f", "\U000e0061")
WATCHER = Who(None, secret=hashed("a phone"))


def names(sat: Sat) -> list[str]:
    return [sat.table.people.name(number) for number in sat.table.people.order]


@pytest.mark.parametrize(
    ("typed", "stands"),
    [
        ("Léa", "Léa"),
        ("Le\u0301a", "Léa"),
        ("  Jean   Luc \n", "Jean Luc"),
        ("李小龍", "李小龍"),
        ("\u202eevil\u202c", "evil"),
        ("a\x00b\x1b[31m", "ab[31m"),
        ("Zo\u200bé", "Zoé"),
        (FAMILY, FAMILY),
        ("<b>Tom</b>", "<b>Tom</b>"),
        ("x" * LONGEST_NAME, "x" * LONGEST_NAME),
        ("\ud800Tom", "Tom"),
        ("مریم\u200cخانم", "مریم\u200cخانم"),
        ("\u200f\u2067שרה\u2069\u061c", "שרה"),
        ("Ada ♥\ufe0f", "Ada ♥\ufe0f"),
        ("e\u0301\u0323" * LONGEST_NAME, "ẹ\u0301" * LONGEST_NAME),
    ],
)
def test_a_name_stands_as_it_was_meant(typed: str, stands: str) -> None:
    assert clean_name(typed) == stands


@pytest.mark.parametrize("typed", ["", "   ", "\n\t", "\u200b\u200d", "\u202e", "---", "\x00", "…", "\u0301", *BLANK])
def test_a_name_that_cannot_be_seen_is_none(typed: str) -> None:
    with pytest.raises(TableRefusal) as refusal:
        clean_name(typed)
    assert refusal.value.word == "name_missing"


@pytest.mark.parametrize(("typed", "number"), [("🇫🇷" * 25, 25), ("e" + "\u0301" * 10_000, 10_000)])
def test_letters_are_counted_as_people_see_them_and_no_pile_of_marks_is_one(typed: str, number: int) -> None:
    with pytest.raises(TableRefusal, match=f"24 letters, and this one {number}") as refusal:
        clean_name(typed)
    assert refusal.value.word == "name_too_long"


@pytest.mark.parametrize(
    "taken",
    ["  LÉA ", "Léa\ufe0f", "L\u200dé\u200ca", "Le\u034f\u0301a", "\u2800Léa\u3164", "L éa"],
)
def test_two_of_one_name_are_told_apart_by_a_letter(taken: str) -> None:
    sat = Sat()
    assert sat.refused(c.Join(taken), None, secret="x") == "name_taken"
    sat.execute(c.Join("Léa B"), None, secret="x")
    assert names(sat) == ["Léa", "Tom", "Zoé", "Léa B"]


def test_who_left_leaves_the_name_to_others_and_never_the_number() -> None:
    sat = Sat()
    sat.execute(c.Leave(), 2)
    (joined,) = sat.execute(c.Join("Tom"), None, secret=hashed("other"))
    assert isinstance(joined, e.Joined)
    assert joined.person == 4
    assert names(sat) == ["Léa", "Zoé", "Tom"]
    sat.check()


def test_bots_have_names_that_nobody_has() -> None:
    sat = Sat("Robo")
    for _ in range(MOST_PEOPLE - 1):
        sat.execute(c.Bot())
    assert names(sat) == ["Robo", *BOT_NAMES[1:]]
    for number in range(2, 5):
        sat.execute(c.LetGo(number))
        sat.execute(c.Bot())
    assert len(set(names(sat))) == MOST_PEOPLE
    twin = Sat("ROBO\ufe0f")
    twin.execute(c.Bot())
    assert names(twin)[1] == BOT_NAMES[1]


def test_everybody_may_be_called_otherwise_and_the_host_may_see_to_others() -> None:
    sat = Sat()
    sat.execute(c.Rename("Tommy"), 2)
    sat.execute(c.Rename("LÉA"), 1)
    assert names(sat) == ["LÉA", "Tommy", "Zoé"]
    assert sat.refused(c.Rename("Z", 3), 2) == "host_only"
    sat.execute(c.Rename("Z", 3), 1)
    sat.execute(c.Guest("Mamie"), 2)
    sat.execute(c.Rename("Mémé", 4), 3)
    assert sat.refused(c.Rename("tommy"), 3) == "name_taken"
    assert sat.refused(c.Rename("Nobody"), None) == "watching"
    assert sat.refused(c.Rename("Nobody", 99), 1) == "unknown_person"
    sat.execute(c.Leave(), 2)
    assert sat.refused(c.Rename("Ghost", 2), 1) == "unknown_person"
    assert sat.refused(c.Rename("Ghost"), 2) in {"watching", "unknown_person"}
    sat.check()


def test_before_an_evening_nobody_can_do_anything_but_open_one() -> None:
    table = Table(lambda _: SECRET)
    for command in (c.Join("Léa"), c.Bot(), c.Deal(), c.Close()):
        with pytest.raises(TableRefusal, match="Nobody is playing") as refusal:
            execute(table, command, OWNER)
        assert refusal.value.word == "no_table"
    execute(table, c.Open(), Who(owner=True, table="evening", commitment="c"))
    assert (table.is_open, table.people.host) == (True, None)
    execute(table, c.Join("Léa"), WATCHER)
    assert table.people.host == 1, "who sits down first with a phone hosts"
    with pytest.raises(TableRefusal) as refusal:
        execute(table, c.Open(), OWNER)
    assert refusal.value.word == "table_open"


def test_a_person_sits_once_and_ten_at_the_most() -> None:
    sat = Sat()
    assert sat.refused(c.Join("Tom too"), 2) == "seated"
    for _ in range(MOST_PEOPLE - 3):
        sat.execute(c.Bot())
    assert sat.refused(c.Bot()) == "table_full"
    assert sat.refused(c.Guest("Mamie")) == "table_full"
    assert sat.refused(c.Join("Max"), None, secret="x") == "table_full"
    sat.execute(c.Leave(), 3)
    sat.execute(c.Join("Max"), None, secret="x")


def test_watchers_move_nothing() -> None:
    sat = Sat()
    sat.execute(c.Start("uno-extreme"))
    for command in (
        c.Guest("Mamie"), c.Bot(), c.LetGo(2), c.Swap(1, 2), c.HandOver(2), c.Help(2, 3), c.Start("uno"),
        c.ChangeTrackingMode(e.TrackingMode.CARDS), c.Deal(), c.Act(["turn", 0, None]), c.ChargeSeat(0, 0),
        c.Forgive(1), c.Out(0, [0, 0, 0]), c.SetCount(1, 1), c.SetScore(0, 5), c.Undo(), c.Redo(), c.EndMatch(),
        c.Close(), c.HostOnly(yes=True), c.Leave(),
    ):  # fmt: skip
        assert sat.refused(command, None) == "watching", command
        assert sat.refused(command, 99) == "watching", command


def test_what_is_the_hosts_is_nobody_elses_and_the_owners() -> None:
    sat = Sat()
    hosts = (
        c.LetGo(3), c.Swap(1, 2), c.HandOver(2), c.HostOnly(yes=True), c.Start("uno"), c.Close()
    )  # fmt: skip
    for command in hosts:
        assert sat.refused(command, 2) == "host_only"
    assert sat.refused(c.EndMatch(), 2) == "host_only"
    sat.execute(c.Swap(1, 2), None, owner=True)
    assert names(sat) == ["Tom", "Léa", "Zoé"]


def test_a_seat_goes_to_a_new_phone_when_the_host_confirms_whose_it_is() -> None:
    sat = Sat()
    people = sat.table.people
    sat.execute(c.Claim(2), None, secret="new")
    assert people.of_secret("new") is None, "nobody gets a seat by asking"
    assert people.asked_for({"new"}) == 2
    assert sat.refused(c.Claim(2), None, secret="another") == "asked_already"
    assert sat.refused(c.Confirm(2), 2) == "host_only"
    assert sat.refused(c.Confirm(2), None) == "watching"
    asked = sat.view(1)["asks"]
    number = people[2].asked_number
    assert asked["text"] == f"Is Tom here with a new phone? It shows {number}."
    assert [each["label"] for each in asked["choices"]] == ["Yes, it is Tom", "No"]
    assert sat.view(2)["asks"] is None
    new = view(sat.table, Viewer(None, owner=False, language="en", asks_for=2), Around(sat.present))
    assert new["sentence"] == f"Show Léa this number: {number}. Then you are Tom again."
    assert new["choices"] == []
    sat.execute(c.Confirm(2))
    assert (people.of_secret("new"), people.of_secret(hashed("Tom"))) == (2, None)
    assert sat.view(1)["asks"] is None
    assert sat.refused(c.Confirm(2)) == "too_late"
    sat.check()


def test_a_phone_that_the_host_does_not_know_gets_no_seat_and_another_may_ask() -> None:
    sat = Sat()
    sat.execute(c.Claim(2), None, secret="new")
    sat.execute(c.Confirm(2, yes=False))
    assert sat.table.people.of_secret(hashed("Tom")) == 2
    assert sat.table.people.asked_for({"new"}) is None
    sat.execute(c.Claim(2), None, secret="another")
    sat.check()


def test_who_sits_and_who_is_a_bot_or_nobody_asks_for_no_seat() -> None:
    sat = Sat()
    sat.execute(c.Bot())
    assert sat.refused(c.Claim(3), 2) == "seated"
    assert sat.refused(c.Claim(9), None) == "unknown_person"
    assert sat.refused(c.Claim(4), None) == "no_phone_needed"


def test_ones_own_name_typed_again_offers_the_seat_and_no_bots() -> None:
    sat = Sat("Léa", "Tom")
    sat.execute(c.Bot())
    new = sat.view(None)["choices"][0]
    assert [each["label"] for each in new["taken"]] == ["Léa", "Tom"]
    assert new["taken"][1]["asks"] == "Another Tom? Go back and choose another name."
    (own,) = new["taken"][1]["next"]
    assert (own["label"], own["send"]) == ("I am Tom, on a new phone", {"do": "claim", "person": 2})


def test_when_the_host_goes_the_next_one_with_a_phone_hosts() -> None:
    sat = Sat()
    sat.execute(c.Bot())
    assert sat.refused(c.HandOver(4)) == "no_phone"
    sat.execute(c.HandOver(2))
    assert sat.table.people.host == 2
    sat.execute(c.HandOver(1), 2)
    sat.execute(c.Swap(2, 4))
    sat.execute(c.Leave(), 1)
    assert sat.table.people.host == 3, "a bot hosts nothing"
    for person in (3, 2):
        sat.execute(c.Leave(), person)
    (joined,) = sat.execute(c.Join("Max"), None, secret="x")
    assert isinstance(joined, e.Joined)
    assert sat.table.people.host == joined.person == 5
    sat.check()


def test_at_a_table_without_a_host_who_claims_a_seat_hosts() -> None:
    sat = Sat("Léa")
    sat.execute(c.Guest("Mamie"))
    sat.execute(c.Leave())
    assert sat.table.people.host is None
    sat.execute(c.Claim(2), None, secret="x")
    sat.execute(c.Confirm(2), None, owner=True)
    assert sat.view(2)["me"]["host"]
    sat.check()


def test_one_plays_for_a_sleeping_child_by_leave_of_the_child_or_the_host() -> None:
    people = (sat := Sat()).table.people
    here = sat.present
    assert not people.may_act_for(2, 3, here)
    assert sat.refused(c.Help(3, 2), 2) == "host_only"
    sat.execute(c.Help(3, 2), 3)
    assert people.may_act_for(2, 3, here)
    assert not people.may_act_for(3, 2, here), "not the other way round"
    sat.execute(c.Help(3, 2, yes=False), 2)
    assert not people.may_act_for(2, 3, here)
    sat.execute(c.Help(3, 1), 1)
    assert people.may_act_for(1, 3, here)
    sat.execute(c.Leave(), 3)
    assert people.helpers == set()
    assert sat.refused(c.Help(2, 2), 2) == "no_help"
    sat.execute(c.Bot())
    assert sat.refused(c.Help(4, 2), 1) == "no_help"
    sat.check()


def test_who_takes_a_seat_with_a_phone_shows_nobody_the_hand_and_sees_nobodys() -> None:
    sat = Sat("Léa", "Tom", "Zoé")
    people = sat.table.people
    sat.execute(c.Guest("Mamie"))
    sat.execute(c.Help(4, 2), 2)
    assert people.may_see_hand(2, 4), "any neighbour plays for who has no phone"
    sat.execute(c.Help(3, 4), 3)
    sat.execute(c.Claim(4), None, secret="of Mamie's phone")
    sat.execute(c.Confirm(4))
    assert not people.may_see_hand(2, 4)
    assert not people.may_see_hand(4, 3)
    sat.execute(c.Help(4, 2), 4)
    assert people.may_see_hand(2, 4), "but by their own leave"
    sat.check()


def test_nobody_acts_for_who_has_a_phone_and_any_neighbour_for_who_has_none() -> None:
    sat = Sat()
    sat.execute(c.Guest("Mamie"))
    people, here = sat.table.people, sat.present
    assert [[people.may_act_for(by, whom, here) for whom in (1, 2, 4)] for by in (1, 2, None)] == [
        [True, False, True],
        [False, True, True],
        [False, False, True],
    ]
    assert not people.may_act_for(99, 4, here), "who is not here is nobody's neighbour"
    del sat.present[2]
    assert people.may_act_for(1, 2, here), "and for whose phone is away"
    sat.execute(c.Leave(), 3)
    assert people.may_act_for(1, 3, here), "and for who has gone"


@pytest.mark.parametrize("tracking_mode", [e.TrackingMode.REFEREE, e.TrackingMode.CARDS])
def test_neighbours_play_for_an_absent_phone_but_not_with_the_cards_on_it(tracking_mode: e.TrackingMode) -> None:
    sat = Sat()
    sat.execute(c.Start("uno", tracking_mode=tracking_mode))
    turn_up(sat, "red 5")
    seat = sat.match.game.turn
    other = sat.match.order[(seat + 1) % 3]
    play = c.Act(["play", seat, {"act": "draw"}])
    assert sat.refused(play, other) == "not_your_seat"
    del sat.present[sat.match.order[seat]]
    if tracking_mode is e.TrackingMode.REFEREE:
        sat.execute(play, other)
    else:
        assert sat.refused(play, other) == "not_your_seat"
        assert sat.refused(play, None, owner=True) == "not_your_seat"


def test_with_the_cards_on_the_phones_who_has_none_shares_that_of_who_gave_the_seat() -> None:
    sat = Sat("Léa", "Tom")
    sat.execute(c.Guest("Mamie"), 2)
    people = sat.table.people
    assert [people.may_see_hand(by, 3) for by in (1, 2, None)] == [False, True, False]
    sat.execute(c.Help(3, 1), 1)
    assert [people.may_see_hand(by, 3) for by in (1, 2)] == [True, False], "a neighbour plays for her"
    sat.execute(c.Help(3, 1, yes=False), 1)
    sat.execute(c.Leave(), 2)
    assert people.may_see_hand(1, 3), "now it is the host's"


def comes_to(sat: Sat, seat: int) -> None:
    """Whoever is in turn draws and passes, until it is the turn of that seat; Léa's phone is Mamie's, too."""
    while (turn := sat.match.game.turn) != seat:
        for act in ("draw", "pass"):
            if sat.match.game.turn == turn:
                sat.act("play", turn, {"act": act}, person=(1, 2, 1)[turn])
            if sat.match.game.demand:
                sat.press()


def test_a_shared_phone_says_to_whom_it_goes_and_hides_the_cards_until_then() -> None:
    sat = Sat("Léa", "Tom")
    sat.execute(c.Guest("Mamie"))
    sat.execute(c.Start("uno", tracking_mode=e.TrackingMode.CARDS))
    assert "Mamie plays on Léa’s phone." in sat.view(2)["news"][-2]["text"]
    comes_to(sat, 2)
    lea, tom = sat.view(1), sat.view(2)
    assert lea["cover"] == {
        "seat": 2, "label": "Show Mamie’s cards", "sentence": "Mamie’s turn: pass the phone to Mamie."
    }  # fmt: skip
    assert (lea["acting"], lea["sentence"], lea["tone"]) == (2, "Your turn!", "you")
    assert tom["cover"] is None
    assert tom["sentence"] == "Mamie’s turn"
    comes_to(sat, 0)
    cover = sat.view(1)["cover"]
    assert (cover["seat"], cover["sentence"]) == (0, "Léa’s turn: give Léa the phone back.")
    comes_to(sat, 1)
    cover = sat.view(1)["cover"]
    assert (cover["seat"], cover["label"], cover["sentence"]) == (-1, "Show Léa’s cards", ""), "nobody needs it now"


def test_cards_on_the_phones_do_not_begin_where_nobody_has_a_phone_to_share() -> None:
    sat = Sat("Léa")
    for name in ("Mamie", "Papi"):
        sat.execute(c.Guest(name))
    sat.execute(c.Leave(), 1)
    with pytest.raises(TableRefusal, match="Mamie, Papi have no phone to hold cards on") as refusal:
        sat.execute(c.Start("uno", tracking_mode=e.TrackingMode.CARDS), None, owner=True)
    assert refusal.value.word == "no_phone"
    sat.execute(c.Start("uno"), None, owner=True)


def test_while_the_hosts_phone_is_silent_who_came_first_of_those_here_acts_as_host_but_gives_no_seat_away() -> None:
    sat = Sat("Léa", "Tom", "Zoé", "Max")
    assert sat.refused(c.Start("uno"), 2) == "host_only"
    sat.execute(c.Swap(2, 3))
    sat.execute(c.Claim(4), None, secret="new")
    del sat.present[1]
    assert sat.refused(c.Start("uno"), 3) == "host_only"
    sat.execute(c.Start("uno"), 2)
    for command in (c.LetGo(1), c.LetGo(3), c.HandOver(2), c.Help(1, 2), c.Confirm(4)):
        assert sat.refused(command, 2) == "host_only"
    sat.execute(c.Confirm(4), None, owner=True)
    assert sat.table.people.of_secret("new") == 4
    sat.present[1] = 1
    assert sat.refused(c.EndMatch(), 2) == "host_only", "the host is back"
    assert sat.table.people.host == 1
    sat.check()
