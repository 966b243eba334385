"""A match over its rounds: people who come late or leave, other tracking modes, scores set right, back and forth."""

from __future__ import annotations

import pytest

from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table.errors import TableRefusal
from dispenser.table.secrets import commitment_of
from tests.table.evening import Sat, in_turn, referee, turn_up

MODE = e.TrackingMode


def after_a_round(*names: str, **more: object) -> Sat:
    """Uno Extrême: Léa has won the first round."""
    sat = referee("uno-extreme", "red 5", *names)
    sat.execute(c.Out(0, [0, 10, 20, 30, 40][: len(sat.match.order)]))
    return sat


def seated(sat: Sat) -> list[int]:
    """The persons on the seats of the match."""
    return list(sat.match.order)


def points(sat: Sat) -> dict[str, int]:
    return dict(zip(sat.view()["board"]["names"], sat.match.scores, strict=True))


def test_a_match_that_cannot_begin_is_refused_and_nothing_has_changed() -> None:
    sat = Sat("Léa")
    assert sat.refused(c.Start("uno")) == "bad_options", "alone"
    sat.execute(c.Bot())
    assert sat.refused(c.Start("uno")) == "bad_options", "a bot has no hands for real cards"
    assert sat.refused(c.Start("bridge")) == "unknown_game"
    crowd = Sat("Léa", "Tom", "Zoé", "Max", "Ana", "Bob", "Noé")
    assert crowd.refused(c.Start("huit-americain", {"packs": 1})) == "bad_options"
    crowd.execute(c.Start("huit-americain"))
    assert crowd.match.begun.options == {"packs": 2}, "what so many need, where nobody has chosen"
    assert sat.refused(c.Start("uno", options={"no-such": 1}, tracking_mode=MODE.CARDS)) == "bad_options"
    sat.execute(c.Start("uno", tracking_mode=MODE.CARDS))
    assert sat.refused(c.Start("uno", tracking_mode=MODE.CARDS)) == "round_under_way"


def test_without_a_match_there_is_nothing_to_do_in_it() -> None:
    sat = Sat()
    for command in (
        c.Deal(), c.Act(["turn", 0, None]), c.ChargeSeat(0, 0), c.Forgive(1), c.Out(0, []), c.SetScore(0, 5), c.Undo(),
        c.Redo(), c.EndMatch(), c.ChangeTrackingMode(MODE.CARDS),
    ):  # fmt: skip
        assert sat.refused(command) == "no_match", command
    assert sat.refused(c.SetCount(1, 1)) == "too_late"


def test_the_seeds_of_a_match_are_shown_at_its_end_and_fit_their_commitments() -> None:
    sat = after_a_round()
    sat.execute(c.Leave(), 3)
    sat.execute(c.Deal())
    sat.execute(c.EndMatch())
    begun = [each for each in sat.events if isinstance(each, e.MatchBegun)]
    (ended,) = [each for each in sat.events if isinstance(each, e.MatchEnded)]
    assert [commitment_of(bytes.fromhex(seed)) for seed in ended.seeds] == [each.commitment for each in begun]
    assert len(begun) == 2
    sat.execute(c.Start("uno"))
    assert sat.table.seeds
    assert sat.table.seeds[0].hex() not in ended.seeds, "no seed is used twice"
    sat.check()


def test_who_comes_late_joins_with_the_next_round_at_nothing_and_changed_places_hold_from_then_on() -> None:
    sat = referee("uno-extreme", "red 5")
    sat.execute(c.Join("Max"), None, secret="x")
    sat.execute(c.Swap(1, 2))
    assert sat.view()["waiting"] == ["Max"]
    assert len(sat.view()["seats"]) == 3
    assert seated(sat) == [1, 2, 3]
    sat.execute(c.Out(0, [0, 10, 20]))
    before = points(sat)
    sat.execute(c.Deal())
    assert seated(sat) == [2, 1, 3, 4]
    assert points(sat) == before | {"Max": 0}
    assert sat.view()["board"]["rounds"] == [[before["Tom"], before["Léa"], before["Zoé"], 0]]
    sat.check()


def test_who_leaves_is_gone_with_the_next_round_and_comes_back_with_nothing_lost_for_others() -> None:
    sat = after_a_round()
    before = points(sat)
    sat.execute(c.Leave(), 2)
    sat.execute(c.Deal())
    assert points(sat) == {"Léa": before["Léa"], "Zoé": before["Zoé"]}
    turn_up(sat, "red 5")
    sat.execute(c.Leave(), 3)
    assert seated(sat) == [1, 3], "a round goes on, and neighbours play for who has gone"
    assert sat.table.people.may_act_for(1, 3, sat.present)
    sat.execute(c.Out(0, [0, 7]))
    assert sat.refused(c.Deal()) == "wrong_number"
    sat.execute(c.Join("Max"), None, secret="x")
    sat.execute(c.Deal())
    assert points(sat) == {"Léa": sat.match.scores[0], "Max": 0}
    sat.check()


def test_bots_sit_out_while_real_cards_are_played() -> None:
    sat = Sat()
    sat.execute(c.Bot())
    sat.execute(c.Start("uno-extreme"))
    assert (seated(sat), sat.view()["waiting"]) == ([1, 2, 3], [])
    turn_up(sat, "red 5")
    sat.execute(c.Out(0, [0, 10, 20]))
    sat.execute(c.ChangeTrackingMode(MODE.CARDS))
    assert sat.view()["waiting"] == ["Robo"]
    sat.execute(c.Deal())
    assert seated(sat) == [1, 2, 3, 4]
    assert sat.match.tracking_mode is MODE.CARDS
    sat.check()


def test_no_round_begins_while_one_goes_on_or_when_the_match_is_over() -> None:
    sat = referee("uno-extreme", "red 5", target=100)
    assert sat.refused(c.Deal()) == "round_under_way"
    sat.execute(c.Out(0, [0, 90, 90]))
    assert sat.match.over
    shown = sat.view()
    assert (shown["phase"], shown["board"]["winner"]) == ("over", ["Léa"])
    assert sat.refused(c.Deal()) == "match_over"
    assert sat.refused(c.Out(0, [0, 1, 1])) == "no_round"
    sat.execute(c.Start("uno"))
    sat.check()


@pytest.mark.parametrize("deals", [False, True], ids=["by hand", "by the launcher"])
@pytest.mark.parametrize("game", ["huit-americain", "151"])
def test_the_deal_passes_on_whoever_came_whatever_was_set_right_and_however_it_is_told(game: str, deals: bool) -> None:
    """H-03, C-02."""
    sat = Sat("Léa", "Tom", "Zoé", "Max")
    sat.execute(c.Start(game, options={"match": "points"} if game == "huit-americain" else {}, deals=deals))
    counted, told = c.ChangeTrackingMode(MODE.COUNTER), c.ChangeTrackingMode(MODE.REFEREE)
    changes: list[list[c.Command]] = [[], [c.SetScore(0, 7), c.SetScore(1, 9)], [counted], [], [told], [c.Bot()], []]
    dealers = []
    for change in changes:
        while sat.match.dealing:
            sat.press()
        turn_up(sat, "7 of clubs")
        dealers.append(sat.match.dealer)
        sat.execute(c.Out(0, [0, 1, 2, 3]))
        for each in change:
            sat.execute(each)
        sat.check()
        sat.execute(c.Deal())
    assert dealers == [(dealers[0] + number) % 4 for number in range(len(changes))]


def test_who_is_out_stays_out_whoever_came_until_a_score_is_set_right() -> None:
    """E-30."""
    sat = Sat()
    sat.execute(c.Start("uno-extreme", options={"scoring": "elimination"}, tracking_mode=MODE.COUNTER, deals=True))
    while sat.match.dealing:
        sat.press()
    sat.execute(c.Out(0, [0, 600, 20]))
    sat.execute(c.SetScore(2, 30))
    assert sat.match.out == (1,)
    sat.execute(c.Join("Max"), None, secret="max")
    sat.execute(c.Deal())
    assert (sat.match.out, list(sat.match.dealing)) == ((1,), [0, 2, 3])
    while sat.match.dealing:
        sat.press()
    sat.execute(c.Out(0, [0, 0, 5, 5]))
    sat.execute(c.SetScore(1, 60))
    assert sat.match.out == ()
    sat.execute(c.SetScore(2, 501))
    assert sat.match.out == (2,)
    sat.execute(c.SetScore(3, 501))
    assert sat.refused(c.SetScore(1, 501)) == "no_such_score"
    sat.check()


def test_between_two_rounds_another_tracking_mode_holds_from_the_next_one_on() -> None:
    sat = after_a_round()
    for tracking_mode in (MODE.COUNTER, MODE.REFEREE, MODE.CARDS):
        scores = sat.match.scores
        assert sat.refused(c.ChangeTrackingMode(tracking_mode), 2) == "host_only"
        sat.execute(c.ChangeTrackingMode(tracking_mode))
        assert sat.refused(c.ChangeTrackingMode(tracking_mode)) == "same_tracking_mode"
        sat.execute(c.Deal())
        assert sat.match.tracking_mode is tracking_mode
        assert "From now on" in str(sat.view()["news"])
        assert sat.match.scores == scores
        sat.check()
        turn_up(sat, "red 5")
        if tracking_mode is not MODE.CARDS:
            sat.execute(c.Out(1, [5, 0, 5]))


def test_in_the_middle_of_a_round_another_tracking_mode_holds_from_the_next_one_on() -> None:
    for begun in MODE:
        sat = Sat()
        sat.execute(c.Start("uno", tracking_mode=begun))
        if begun is MODE.REFEREE:
            turn_up(sat, "red 5")
        for wanted in [mode for mode in MODE if mode is not begun]:
            sat.execute(c.ChangeTrackingMode(wanted))
            assert sat.match.tracking_mode is begun
            assert sat.table.next_tracking_mode is wanted
        sat.check()


def test_with_cards_on_phones_nobody_says_whose_turn_it_is_nor_that_the_round_is_won() -> None:
    sat = Sat()
    sat.execute(c.Start("uno", tracking_mode=MODE.CARDS))
    assert sat.refused(c.Act(["turn", 1, None]), 2) == "unknown_action"
    assert sat.refused(c.Out(1, [30, 0, 30]), 2) == "host_only"
    assert "'turn', " not in str(sat.sheet(2)["menu"])


def test_all_are_told_who_set_hands_and_the_turn_right() -> None:
    sat = referee("uno", "red 5")
    sat.act("hand size", 0, 3, person=2)
    assert sat.view()["news"][-1]["text"] == "Tom corrected: Léa holds 3 cards."
    sat.act("turn", 2, None, person=3)
    assert sat.view()["news"][-1]["text"] == "Zoé corrected: it is Zoé’s turn."


def test_a_score_is_set_right_between_two_rounds_and_the_rounds_stay_on_the_board() -> None:
    sat = after_a_round()
    before = points(sat)
    sat.execute(c.SetScore(1, 42), 3)
    assert points(sat) == before | {"Tom": 42}
    assert len(sat.view()["board"]["rounds"]) == 1
    assert sat.view()["news"][-1]["text"] == "Tom has 42 points now."
    assert sat.refused(c.SetScore(7, 1)) == "unknown_seat"
    sat.execute(c.Deal())
    assert sat.refused(c.SetScore(1, 1)) == "round_under_way"
    sat.check()


def test_anybody_takes_back_and_all_are_told_what() -> None:
    sat = in_turn(referee("uno-extreme", "red 5"), 0)
    sat.lay(0, "red 7")
    sat.execute(c.Undo(), 2)
    assert sat.view(1)["news"][-1]["text"] == "Tom undid: Léa: red 7"
    assert sat.match.game.turn == 0
    sat.execute(c.Redo(), 3)
    assert sat.view(1)["news"][-1]["text"] == "Zoé redid: Léa: red 7"
    assert sat.match.game.turn == 1
    assert sat.refused(c.Redo()) == "nothing_to_redo"
    sat.check()


def test_a_round_can_be_taken_back_to_its_deal_and_no_further_than_the_match() -> None:
    sat = in_turn(referee("uno-extreme", "red 5"), 0)
    sat.lay(0, "red 7")
    log = list(sat.match.game.log)
    steps = 0
    while sat.view()["quick"][0]["send"] == {"do": "undo"}:
        sat.execute(c.Undo())
        steps += 1
    assert sat.refused(c.Undo()) == "nothing_to_undo"
    assert steps == len(log)
    for _ in range(steps):
        sat.execute(c.Redo())
    assert list(sat.match.game.log) == log
    sat.check()


def test_a_move_for_what_is_no_more_comes_too_late() -> None:
    sat = in_turn(referee("uno-extreme", "red 5"), 0)
    at = sat.table.at
    sat.lay(0, "red 7")
    for command in (c.Act(["play", 1, {"act": "lay", "card": "red 9"}]), c.Undo(), c.Redo(), c.Out(0, [0, 1, 2])):
        assert sat.refused(command, 2, at=at) == "too_late", command
    sat.execute(c.Act(["play", 1, {"act": "lay", "card": "red 9"}]), 2, at=sat.table.at)
    sat.execute(c.Bot())
    in_turn(sat, 2)


def test_what_is_called_out_neither_comes_too_late_nor_makes_others_late() -> None:
    sat = in_turn(referee("uno", "red 5"), 0)
    sat.act("hand size", 0, 2)
    sat.lay(0, "red 7")
    at = sat.table.at
    sat.act("hand size", 2, 6)
    then = sat.table.at
    sat.execute(c.Act(["play", 0, {"act": "announce"}]), 1, at=at)
    sat.execute(c.Act(["play", 1, {"act": "lay", "card": "red 9"}]), 2, at=then)
    sat.check()


def test_with_the_option_the_host_alone_takes_back_and_sets_right() -> None:
    sat = in_turn(referee("uno-extreme", "red 5"), 0)
    sat.lay(0, "red 7")
    sat.execute(c.HostOnly(yes=True))
    laid = c.SetCard(2, ["play", 0, {"act": "lay", "card": "red 9"}])
    set_right = (["hand size", 0, 3], ["hand", 0, ["red 1"]], ["turn", 2, None])
    for command in (c.Undo(), c.Redo(), laid, *map(c.Act, set_right)):
        assert sat.refused(command, 2) == "host_only"
    offered = [(sat.view(person)["quick"] != [], "hand size" in str(sat.sheet(person)["menu"])) for person in (1, 2)]
    assert offered == [(True, True), (False, False)]
    sat.execute(c.Undo(), 1)
    sat.execute(c.HostOnly(yes=False))
    sat.execute(c.Redo(), 2)
    sat.execute(c.Out(0, [0, 10, 20]))
    sat.execute(c.HostOnly(yes=True))
    assert sat.refused(c.SetScore(1, 5), 2) == "host_only"
    sat.execute(c.SetScore(1, 5))


@pytest.mark.parametrize(
    "action",
    [
        [], ["play"], ["play", 0], ["play", 0, None], ["play", "0", {}], ["dance", 0, None], [1, 2, 3], [None] * 3,
        ["play", 0, {"act": "lay"}], ["play", 0, {"act": "lay", "card": "red 99"}], ["play", 0, {"act": []}],
        ["play", 0, {"act": "lay", "card": {"a": 1}}], ["play", True, {"act": "draw"}], ["begin", None, {}],
        ["fulfil", 0, 3], ["fulfil", 0, "chance"], ["count round", 0, [0, 0, 0]], ["turn", 99, None],
        ["turn", -1, None], ["hand size", 0, -1], ["hand size", 0, 10**30], ["hand size", None, 1],
        ["penalise", 0, "dancing"], ["answer", None, "red 5"], ["play", 10**30, {"act": "draw"}],
        ["play", 0, {"act": "lay", "card": "red 7", "colour": "purple"}], ["hand", 0, ["red 7", 5]],
        ["turn", 0, None, 4], ["play", 0, {"act": "draw"}],
    ],
)  # fmt: skip
def test_nonsense_is_refused_in_one_sentence_and_moves_nothing(action: list[object]) -> None:
    sat = in_turn(referee("uno-extreme", "red 5"), 0)
    word = sat.refused(c.Act(action))
    assert word in {"unknown_action", "unknown_seat", "illegal", "impossible", "press_instead"}, word


def test_a_refusal_of_the_rules_names_the_rule() -> None:
    sat = in_turn(referee("uno-extreme", "red 5"), 0)
    with pytest.raises(TableRefusal) as refusal:
        sat.lay(0, "blue 7")
    assert (refusal.value.word, refusal.value.rule) == ("illegal", "E-13")


def test_with_the_cards_on_the_phones_nothing_is_taken_back_that_somebody_has_seen() -> None:
    sat = Sat()
    sat.execute(c.Start("uno-extreme", tracking_mode=MODE.CARDS))
    seat = sat.match.game.turn
    assert sat.refused(c.Undo()) == "cards_seen", "the deal"
    sat.press(0)
    sat.execute(c.Undo())
    assert sat.match.game.turn == seat, "nobody has seen anything of a dud"
    sat.press(3)
    assert sat.refused(c.Undo()) == "cards_seen"
    assert sat.refused(c.SetCount(sat.presses, 1)) == "too_late"
    shown = sat.view(sat.match.order[seat])
    assert (shown["quick"], shown["recount"]) == ([], None)
    sat.check()
