"""What each phone shows: whole and small in every phase, in both languages, and nothing that its seat may not see."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from dispenser.i18n import LANGUAGES
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.moves import DRAW
from dispenser.rules.engine.phases import CHOOSING_DIRECTION, IN_ROUND
from dispenser.rules.registry import GAMES
from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table.table import Table
from dispenser.table.views import Around, Viewer, sheet, view
from tests.rules.test_observation import otherwise
from tests.table.buttons import OPTIONS, leaves
from tests.table.evening import SECRET, Sat, in_turn, referee, turn_up

MODE = e.TrackingMode
REFEREE_BYTES = 30_000
SHEET_BYTES = 60_000
ALWAYS = {
    "at", "language", "me", "phase", "sentence", "tone", "aloud", "calls", "called", "seats", "waiting", "news",
    "choices", "always", "hand", "push", "owes", "recount", "top", "colour", "direction", "title", "round",
    "tracking_mode", "in_force", "board", "luck", "quick", "asks", "stand_in", "take", "join", "may_start", "cover",
}  # fmt: skip
IN_A_MATCH = ALWAYS | {"game", "options", "pile"}
SIT_OR_WATCH = [{"do": "join", "name": ""}, {"watch": True}]
"""What the buttons of a watcher send."""


def size(shown: dict[str, Any]) -> int:
    """Bytes of JSON; fails on what JSON has not."""
    return len(msgspec.json.encode(shown))


def everybody(sat: Sat) -> list[dict[str, Any]]:
    """The views of all phones, a watcher's and the shared screen's, in all languages."""
    people = [*sat.table.people.persons, None]
    return [
        *(sat.view(person, language) for person in people for language in LANGUAGES),
        *(sat.view(None, language, owner=True) for language in LANGUAGES),
    ]


def test_before_an_evening_the_page_says_that_nobody_plays() -> None:
    table = Table(lambda _: SECRET)
    for owner in (False, True):
        for language in LANGUAGES:
            shown = view(table, Viewer(None, owner, language), Around({}, None, None))
            assert shown.keys() == ALWAYS
            assert (shown["phase"], shown["seats"], shown["join"], shown["push"]) == ("closed", [], None, None)
            assert bool(shown["choices"]) == owner, "who is at the launcher begins the evening"
            assert shown["sentence"]
            assert sheet(table, Viewer(None, owner, language), Around({}))["menu"] == []
            size(shown)


def test_in_the_lobby_one_reads_how_to_join_and_the_host_may_begin() -> None:
    sat = Sat()
    lea, tom, watcher, screen = sat.view(1), sat.view(2), sat.view(None), sat.view(None, owner=True)
    assert lea["phase"] == "lobby"
    assert [each["may_start"] for each in (lea, tom, watcher, screen)] == [True, False, False, True]
    assert [each["join"] for each in (lea, tom, watcher, screen)] == [{"code": sat.table.code}] * 4
    assert [bool(each["choices"]) for each in (lea, tom, watcher, screen)] == [True, False, True, True]
    assert lea["me"] == {"person": 1, "seat": None, "name": "Léa", "host": True, "owner": False}
    assert sat.sheet(1)["lobby"]["games"][0]["id"] in GAMES
    assert sat.sheet(2)["lobby"] is None
    assert sat.sheet(None) == {"at": lea["at"], "menu": [], "lobby": None}
    alone = Sat("Léa")
    assert alone.view(1)["sentence"] == "Let others scan the code, or add bots.", "who sits need not scan"
    assert alone.view(None)["sentence"] == "What’s your name?"


def test_every_field_is_there_in_every_phase_and_nothing_is_more_than_a_phone_can_take_at_once() -> None:
    seen: set[str] = set()
    for game in GAMES:
        for tracking_mode in MODE:
            for deals in (False, True):
                sat = Sat()
                sat.execute(c.Start(game, options=OPTIONS[game], tracking_mode=tracking_mode, deals=deals))
                seen |= looked_at(sat)
                for _ in range(3 if sat.match.dealing else 0):
                    sat.press()
                    seen |= looked_at(sat)
                if tracking_mode is MODE.COUNTER:
                    charge = next(place for place, each in enumerate(sat.match.ledger.charges) if each.number)
                    sat.execute(c.ChargeSeat(1, charge))
                    seen |= looked_at(sat)
                if sat.order()[0] != 0:
                    sat.accepted()
                    sat.ended(1, "lid", planned=4)
                seen |= looked_at(sat)
                sat.execute(c.EndMatch())
                seen |= looked_at(sat)
    assert seen == {"lobby", "dealing", "playing"}


def looked_at(sat: Sat) -> set[str]:
    """The phase, in which every view was looked at."""
    for shown in everybody(sat):
        expected = IN_A_MATCH if sat.table.match else ALWAYS
        assert expected <= shown.keys() <= expected | {"acting"}
        assert size(shown) < REFEREE_BYTES
        assert shown["tone"] in {"you", "wait", "ask", "good", "calm", "bad"}
    for person in sat.table.people.persons:
        for language in LANGUAGES:
            assert size(sat.sheet(person, language)) < SHEET_BYTES
    return {sat.view()["phase"]}


def some_way(sat: Sat, random: Random) -> bool:
    """Something that somebody may do now, with the cards on the phones; false when the match is over."""
    match = sat.match
    game = match.game
    if match.over:
        return False
    if match.between:
        sat.execute(c.Deal())
        return True
    if game.demand is None:
        seat = random.choice(game.actors())
        move = random.choice(game.legal_moves(seat))
        if not (match.counts_presses and move is DRAW):
            sat.act(*match.notes.write(Action(Deed.PLAY, seat, move)), person=match.order[seat])
            return True
    sat.press(random.choice((0, 1, 3)) if match.counts_presses else None)
    return True


@pytest.mark.parametrize("game", GAMES)
def test_no_view_changes_with_what_its_seat_may_not_see(game: str) -> None:
    """Others' hands and the pile lie otherwise, and no phone shows anything else."""
    random, compared = Random(5), 0
    for seed in range(8):
        sat, way = Sat(), Random(seed)
        sat.execute(c.Start(game, options=OPTIONS[game], tracking_mode=MODE.CARDS))
        for _ in range(3 + 6 * seed):
            if sat.match.over or not some_way(sat, way):
                break
        kept, marks = sat.match.game, sat.match.marks
        if sat.match.game.phase not in IN_ROUND:
            continue
        sat.match.marks = []  # a twin has no past
        for person in (1, 2, 3, None):
            own = sat.table.seat_of(person)
            shown = []
            for _ in range(2):
                sat.match.game = otherwise(kept, -1 if own is None else own, random)
                shown.append([sat.view(person, language) for language in LANGUAGES])
            assert shown[0] == shown[1], (seed, person)
            compared += 1
        sat.match.game, sat.match.marks = kept, marks
    assert compared > 12


def test_nobody_reads_which_cards_came_for_another() -> None:
    sat = Sat()
    sat.execute(c.Start("uno-extreme", tracking_mode=MODE.CARDS))
    while sat.match.game.demand is None:
        assert some_way(sat, Random(sat.presses))
    payer, receiver = sat.match.game.demand.payer, sat.match.game.demand.receiver
    assert payer >= 0
    before = {each["card"]["name"] for each in sat.view(sat.match.order[receiver])["hand"]}
    sat.press(4)
    drawn = {each["card"]["name"] for each in sat.view(sat.match.order[receiver])["hand"]} - before
    assert drawn
    for seat, person in enumerate(sat.match.order):
        if seat != receiver:
            told = " ".join(each["text"] for language in LANGUAGES for each in sat.view(person, language)["news"])
            assert not [card for card in drawn if card in told]
    watched = " ".join(each["text"] for each in sat.view(None)["news"])
    assert not [card for card in drawn if card in watched]


def test_a_watcher_sees_no_hand_no_button_and_no_address_but_a_seat() -> None:
    sat = Sat()
    sat.execute(c.Start("uno-extreme", tracking_mode=MODE.CARDS))
    shown = sat.view(None)
    assert (shown["hand"], shown["always"], shown["quick"]) == ([], [], [])
    assert (shown["push"], shown["recount"]) == (None, None)
    assert shown["me"] == {"person": None, "seat": None, "name": "", "host": False, "owner": False}
    assert [each["send"] for each in shown["choices"]] == SIT_OR_WATCH
    assert shown["join"] == {"code": sat.table.code}, "whoever watches has typed it, and may be the screen for all"
    text = msgspec.json.encode(shown).decode()
    for each in sat.table.people.persons.values():
        assert each.secret is not None
        assert each.secret not in text


def test_whom_it_concerns_is_spoken_to_and_nobody_else() -> None:
    sat = in_turn(referee("uno-extreme", "red 5"), 0)
    sat.lay(0, "red 7")
    told = [sat.view(person)["news"][-1]["text"] for person in (1, 2, None)]
    assert told == ["You play the red 7.", "Léa plays the red 7.", "Léa plays the red 7."]
    told = [sat.view(person, "fr")["news"][-1]["text"] for person in (1, 2)]
    assert told == ["Tu poses le 7 rouge.", "Léa pose le 7 rouge."], "made for each language"


@pytest.mark.parametrize("tracking_mode", MODE)
def test_the_owner_without_a_seat_can_sit_down_in_a_match(tracking_mode: e.TrackingMode) -> None:
    sat = Sat("Léa", "Tom")
    sat.execute(c.Guest("Mamie"))
    sat.execute(c.Start("uno", tracking_mode=tracking_mode))
    offered = [each for each in sat.sheet(None, owner=True)["menu"] if each.get("send", {}).get("do") == "join"]
    assert [(each["label"], each["asks"]) for each in offered] == [("Take a seat", "What’s your name?")]
    assert "kind" not in offered[0], "a tablet for all need not be asked for a name each time"
    assert not any(each in sat.sheet(1)["menu"] for each in offered), "who sits, sits"


def test_no_hand_can_be_set_right_before_there_is_one() -> None:
    sat = Sat()
    sat.execute(c.Start("uno-vache"))
    assert sat.match.game.phase is CHOOSING_DIRECTION
    told = str(sat.sheet(1)["menu"])
    assert "'hand size', " not in told
    assert "'turn', " not in told
    dealer = sat.match.game.turn
    assert sat.view(None)["sentence"] == f"{sat.table.people.name(sat.match.order[dealer])} chooses which way play goes"
    sat.act("play", dealer, {"act": "choose direction", "direction": -1}, person=sat.match.order[dealer])
    turn_up(sat, "red 5")
    assert "'hand size', " in str(sat.sheet(1)["menu"])


def test_a_game_without_points_ends_with_places() -> None:
    """V-24."""
    sat = Sat()
    sat.execute(c.Start("uno-vache", tracking_mode=MODE.CARDS))
    random = Random(5)
    while not sat.match.over:
        assert some_way(sat, random)
    for shown in everybody(sat):
        assert (shown["phase"], shown["push"]) == ("over", None)
        assert shown["sentence"]
    assert sat.view(1)["may_start"]
    board = sat.view(2)["board"]
    assert sorted(board["places"]) == ["Léa", "Tom", "Zoé"]
    assert board["places"][0] == sat.view(None)["sentence"].removesuffix(" wins!")
    assert (board["names"], board["totals"]) == ([], [])
    counted = Sat()
    counted.execute(c.Start("uno-vache", tracking_mode=MODE.COUNTER))
    counted.execute(c.Out(1, []))
    assert counted.view()["sentence"] == "Tom wins!"
    assert counted.view(2)["sentence"] == "You win!"
    assert counted.view()["board"]["places"] == [], "nobody told who was the next"


def test_a_name_that_is_read_from_the_right_is_held_apart_in_sentences_alone() -> None:
    sat = Sat("Ada", "שרה", "مریم\u200cخانم")
    sat.execute(c.Start("uno-extreme"))
    turn_up(sat, "red 5")
    in_turn(sat, 1)
    ada = sat.view(1)
    assert ada["sentence"] == "\u2068שרה\u2069’s turn"
    assert sat.view(3, "fr")["sentence"] == "À \u2068שרה\u2069 de jouer"
    assert [each["name"] for each in ada["seats"]] == ["Ada", "שרה", "مریم\u200cخانم"]
    assert sat.view(2)["me"]["name"] == "שרה"
    sat.lay(1, "red 7")
    assert sat.view(1)["news"][-1]["text"].startswith("\u2068שרה\u2069 plays")
    assert sat.view(1)["sentence"] == "\u2068مریم\u200cخانم\u2069’s turn"
    sat.execute(c.Undo(), None, owner=True)
    assert "undid: \u2068שרה\u2069: red 7" in sat.view(1)["news"][-1]["text"]


def test_away_is_who_has_a_phone_that_does_not_listen() -> None:
    sat = Sat()
    sat.execute(c.Guest("Mamie"))
    sat.execute(c.Bot())
    del sat.present[2]
    assert [each["away"] for each in sat.view()["seats"]] == [False, True, False, False, False]
    assert [each["label"] for each in sat.view(None)["choices"]] == ["Take a seat", "Just watch"]


def test_nobody_is_told_to_scan_a_code_where_phones_cannot_reach_the_table() -> None:
    sat = Sat("Léa")
    around = Around(sat.present, join={"code": "K7PM", "addresses": []})
    seen = view(sat.table, Viewer(1, owner=True, language="en"), around)
    assert seen["sentence"] == "Add bots, or people without a phone."


def test_what_is_taken_back_while_the_table_plays_by_itself_is_named() -> None:
    sat = Sat()
    sat.execute(c.Start("uno-extreme", tracking_mode=e.TrackingMode.COUNTER))
    sat.execute(c.ChargeSeat(1, 0))
    charge = sat.match.ledger.charges[0].name
    sat.press(0)
    sat.press(3)
    told = (c.Undo(), "3 cards came"), (c.Undo(), "a dud"), (c.Undo(), f"Tom: {charge}"), (c.Redo(), f"Tom: {charge}")
    for step, what in told:
        sat.execute(step)
        assert sat.view()["news"][-1]["text"] == f"Léa {'undid' if isinstance(step, c.Undo) else 'redid'}: {what}"


def test_who_deals_is_told_without_the_cards_drawn_for_it() -> None:
    sat = Sat()
    sat.execute(c.Start("uno", tracking_mode=e.TrackingMode.CARDS))
    assert "to see who deals" not in sat.view()["news"][-1]["text"]
    assert " deal" in sat.view()["news"][-1]["text"]


def test_how_we_play_marks_what_is_chosen_which_sends_nothing() -> None:
    sat = Sat()
    sat.execute(c.Start("uno", tracking_mode=e.TrackingMode.REFEREE))
    (ways,) = (each["next"] for each in sat.sheet()["menu"] if each["label"] == "How we play")
    assert [(each["label"], "send" in each) for each in ways] == [
        ("Count only", True), ("✓ Referee", False), ("Cards on the phones", True)
    ]  # fmt: skip


def test_what_cannot_be_taken_back_takes_two_taps() -> None:
    sat = Sat()
    sat.execute(c.Start("uno", tracking_mode=e.TrackingMode.CARDS))
    menu = {choice["label"]: choice for choice in sat.sheet()["menu"]}
    for label in ("End this match", "End the evening", "Leave the table"):
        assert "send" not in menu[label]
        assert menu[label]["next"][0]["label"] == f"Yes, {label[0].lower()}{label[1:]}"


def test_news_are_at_most_six_the_newest_last() -> None:
    sat = referee("uno-extreme", "red 5")
    for seat in (0, 1, 2) * 4:
        in_turn(sat, seat)
    for _ in range(9):
        sat.execute(c.Bot()) if len(sat.table.people.order) < 10 else sat.execute(c.Undo())
    told = sat.view()["news"]
    assert len(told) == 6
    assert [each["seq"] for each in told] == sorted(each["seq"] for each in told)


def test_luck_is_what_presses_brought_against_what_the_odds_promise() -> None:
    sat = in_turn(referee("uno-extreme", "red 5"), 0)
    sat.lay(0, "red press 2")
    sat.press(4)
    sat.press(0)
    assert sat.view()["luck"] == [{"name": "Tom", "presses": 2, "cards": 4, "promised": 3.0}]
    sat.execute(c.SetCount(2, 1), 2)
    assert sat.view()["luck"][0]["cards"] == 5
    sat.execute(c.Undo())
    assert sat.view()["luck"][0]["presses"] == 2, "what came has come"
    counted = Sat()
    counted.execute(c.Start("uno-extreme", tracking_mode=MODE.COUNTER))
    counted.execute(c.ChargeSeat(1, 0))
    counted.execute(c.Forgive(1))
    counted.execute(c.ChargeSeat(2, 0))
    for cards in (4, 0, 7):
        counted.press(cards)
    luck = [{"name": "Zoé", "presses": 2, "cards": 4, "promised": 3.0}]
    assert counted.view()["luck"] == luck, "nobody presses for what was struck out, nor by a press that nobody owes"


def test_while_cards_come_nobody_is_offered_the_end_of_the_round() -> None:
    sat = Sat()
    sat.execute(c.Start("uno-extreme", tracking_mode=MODE.COUNTER))

    def offered() -> bool:
        return any(each["send"]["do"] == "out" for each in leaves(sat.view()["choices"]))

    assert offered()
    sat.accepted()
    assert not offered()
    assert sat.refused(c.Out(0, [0, 5, 5])) == "no_round"
    sat.ended(2)
    assert offered()
