"""What is told of an evening: who was there, what was played, who won, who had the luck."""

from __future__ import annotations

import msgspec
import pytest

from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table.ending import ending
from dispenser.table.evenings import BRIEF, in_brief, story
from dispenser.table.export import harmless
from dispenser.table.replay import Chronicle, seeds_in
from tests.table.played import PlayedEvening, evening


def test_in_brief_it_has_people_as_they_were_called_last_and_what_was_played() -> None:
    played = evening("brief", "uno", steps=30, close=False)
    played.execute(c.Rename("Thomas", person=2))
    played.execute(c.Close())
    told = in_brief(line for line in played.lines if line.type in BRIEF)
    assert told is not None
    assert (told.people, told.bots) == (["Léa", "Thomas"], 1)
    assert [(each.game, each.tracking_mode) for each in told.matches] == [("uno", "cards")]
    assert told.ended == played.lines[-1].time


def test_without_its_beginning_nothing_is_told() -> None:
    lines = evening("cut", steps=10).lines[1:]
    assert in_brief(lines) is None
    assert story(lines, {}) is None


def test_its_story_has_the_points_that_the_table_had() -> None:
    played = evening("story", "uno-extreme", close=False)
    match = played.table.match
    assert match is not None
    rounds, scores = match.rounds_played, match.scores
    played.execute(c.Close())
    told = story(played.lines, seeds_in(played.lines))
    assert told is not None
    (of_match,) = told.matches
    assert rounds
    for shown, known in zip(of_match.rounds, rounds, strict=False):
        assert [each.points for each in shown] == list(known.points.values())
        assert [each.score for each in shown] == list(known.scores.values())
    assert tuple(of_match.scores.values()) == scores
    assert of_match.ended is not None


def test_it_knows_who_won() -> None:
    played = evening("who wins", "huit-americain", close=False)
    match = played.table.match
    assert match is not None
    assert match.game.outcome
    winners = [played.table.people.name(match.order[seat]) for seat in match.game.outcome.winners]
    told = story(played.lines, {}, played.secret)
    assert told is not None
    assert told.matches[0].winners == winners
    assert told.ended is None


def test_luck_is_all_that_was_pressed_and_all_that_came() -> None:
    played = evening("luck", "uno-extreme", steps=200)
    came = sum(
        line.data["action"][2] if line.type == "table.acted" else line.data["cards"]
        for line in played.lines
        if (line.type == "table.acted" and line.data["action"][0] == "fulfil") or line.type == "table.press.done"
    )
    told = story(played.lines, seeds_in(played.lines))
    assert told is not None
    assert sum(each.presses for each in told.luck) == played.presses
    assert sum(each.cards for each in told.luck) == came
    by_round = [each for rounds in told.matches[0].rounds for each in rounds]
    assert sum(each.presses for each in by_round) == played.presses
    assert sum(each.cards for each in by_round) == came


def test_a_count_set_right_is_what_came() -> None:
    played = PlayedEvening("counted")
    played.sit_down("Léa", "Tom")
    played.execute(c.Start("uno-extreme", tracking_mode=e.TrackingMode.COUNTER))
    played.execute(c.ChargeSeat(seat=1, charge=0, number=2))
    played.press()
    press = played.presses
    played.execute(c.SetCount(press, 12))
    played.press(doubles=1)
    assert press + 1 in played.table.asked
    played.execute(c.SetCount(press + 1, 5))
    played.execute(c.Close())
    told = story(played.lines, seeds_in(played.lines))
    assert told is not None
    assert [(each.name, each.presses, each.cards) for each in told.luck] == [("Tom", 2, 17)], "each is counted once"


def test_its_end_tells_the_winner_the_scores_the_longest_run_of_duds_and_the_biggest_burst() -> None:
    lines = evening("how it ends", steps=3000).lines
    told = story(lines, seeds_in(lines))
    assert told is not None
    over = ending(told, 1.5, "en")
    last = told.matches[-1]
    assert last.winners
    assert over["sentence"] == f"{', '.join(last.winners)} won Uno Extrême!"
    assert dict(zip(over["board"]["names"], over["board"]["totals"], strict=True)) == last.scores
    assert [each["presses"] for each in over["luck"]] == [each.presses for each in told.luck]
    run = max(told.luck, key=lambda each: each.longest_dud_run)
    burst = max(told.luck, key=lambda each: each.biggest_burst)
    assert over["facts"] == [
        f"Longest run without a card: {run.name}, {run.longest_dud_run} presses",
        f"Biggest burst: {burst.name}, {burst.biggest_burst} cards",
    ]
    assert ending(msgspec.structs.replace(told, matches=[], luck=[]), None, "fr")["sentence"] == "La soirée est finie."


def test_its_end_lists_every_match_and_how_it_ended() -> None:
    played = PlayedEvening("several")
    played.sit_down("Léa", "Tom")
    played.execute(c.Start("uno-vache", tracking_mode=e.TrackingMode.COUNTER))
    played.execute(c.Out(seat=1, points=[]))
    played.execute(c.Start("uno", tracking_mode=e.TrackingMode.COUNTER))
    played.execute(c.Close())
    told = story(played.lines, seeds_in(played.lines))
    assert told is not None
    over = ending(told, 1.5, "en")
    assert (over["sentence"], over["facts"]) == (
        "The evening is over.", ["Tom won Uno vache!", "Uno: ended early, nobody won"]
    )  # fmt: skip


def test_what_cannot_be_read_is_left_out_and_the_rest_is_told() -> None:
    played = evening("hurt", "uno", steps=60)
    hurt = [line for line in played.lines if line.seq % 37]
    told = story(hurt, seeds_in(hurt))
    assert told is not None
    assert told.people == ["Léa", "Tom"]


def test_of_cards_that_nobody_knows_yet_no_points_are_told() -> None:
    told = story(evening("secret", "uno-extreme", steps=200, close=False).lines, {})
    assert told is not None
    (match,) = told.matches
    assert match.players == ["Léa", "Tom", "Robo"]
    assert all(each.points is None for players in match.rounds for each in players)
    assert match.winners == []


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "  =1"])
def test_a_name_that_a_spreadsheet_would_work_out_is_a_text_there(name: str) -> None:
    assert harmless(name) == f"'{name}"
    assert (harmless("Léa"), harmless(-5)) == ("Léa", -5)


def words_of(played: PlayedEvening, language: str = "en", *, revealed: bool = True) -> dict[int, str]:
    chronicle = Chronicle(seeds_in(played.lines) if revealed else {})
    return {line.seq: chronicle.words(line, language) for line in played.lines}


def test_the_journal_tells_moves_with_names_and_cards() -> None:
    words = list(words_of(evening("told", "uno", steps=30)).values())
    assert "Tom sits down" in words
    assert any(text.startswith("Léa plays the ") for text in words)
    assert any(text.endswith(" makes a move") for text in words), "to draw, which is no news to phones"


def test_the_journal_tells_nothing_that_is_secret_still() -> None:
    """The hands of a match that is not over follow from nothing in the journal, so nobody guesses them here."""
    played = evening("secret", "uno", steps=30, close=False)
    words = words_of(played, revealed=False)
    moves = {
        words[line.seq] for line in played.lines if line.type == "table.acted" and line.data["action"][1] is not None
    }
    assert moves <= {f"{name} makes a move" for name in ("Léa", "Tom", "Robo")}
