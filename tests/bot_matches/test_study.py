"""Many matches among bots: the figures are right, and the same on any number of cores."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from pytest_mock import MockerFixture
from rich.console import Console

from dispenser.bot_matches.figures import Figures, interval, quantile, spread
from dispenser.bot_matches.match import deliver, play_match, update_odds
from dispenser.bot_matches.report import in_percent, plot, show
from dispenser.bot_matches.study import MATCHES_A_TASK, Plan, study
from dispenser.odds.expectation import Expectation
from dispenser.odds.odds import Odds
from dispenser.odds.presets import PRESETS
from dispenser.rules import GAMES, new_game
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.moves import DRAW
from tests.sampled import sampled

GAME_IDS = sorted(GAMES)
PLAN = Plan("uno-extreme", ("sensible",) * 3, PRESETS["toy"], MATCHES_A_TASK + 5, "a test")


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_a_match_among_sensible_players_comes_to_its_end(game_id: str) -> None:
    told = Plan(game_id, ("sensible",) * 4, PRESETS["toy"], 1, "end").play(0)
    assert not told.given_up
    assert sum(told.wins.values()) == pytest.approx(1)
    assert told.rounds == told.turns.total() == told.round_wins.total() > 0
    assert min(told.turns) > 0
    for turn, rounds in told.hand_rounds.items():
        assert rounds == sum(often for turns, often in told.turns.items() if turns > turn)


def test_the_same_seed_gives_the_same_match() -> None:
    assert PLAN.play(3) == PLAN.play(3)
    assert PLAN.play(3) != PLAN.play(4)
    assert PLAN.play(3) != replace(PLAN, seed="another").play(3)


@pytest.mark.long
def test_any_number_of_processes_gives_the_same_figures() -> None:
    progress: list[int] = []
    alone, shared = study(PLAN, processes=1), study(PLAN, progress.append, processes=2)
    assert alone == shared
    assert sum(progress) == PLAN.matches == shared.matches


def test_what_the_launcher_ejects_is_what_the_odds_say() -> None:
    """Cards per press in a study against the exact expectation of a preset without memory."""
    figures = study(Plan("uno-extreme", ("sensible",) * 3, PRESETS["wild"], 60, "odds"), processes=1)
    presses = sum(value * often for value, often in figures.presses.items())
    cards = sum(value * often for value, often in figures.cards_out.items())
    expected = sum(number * chance for number, chance in enumerate(Expectation(PRESETS["wild"]).cards))
    assert cards / presses == pytest.approx(expected, rel=0.06), f"{presses} presses"


def test_a_bot_that_sulks_is_named() -> None:
    with pytest.raises(ValueError, match=r"the bot of seat \d does nothing though it is in turn"):
        play_match("uno", [lambda _seen, _random: None] * 2, seed="x", design=PRESETS["toy"])


def told(wins: dict[int, float], given_up: int = 0) -> Figures:
    """A match of two rounds: the first of two turns, a press and three cards, the second of one turn and four duds."""
    return Figures(
        seats=2,
        matches=1,
        rounds=2,
        given_up=given_up,
        turns=Counter({2: 1, 1: 1}),
        presses=Counter({1: 1, 4: 1}),
        cards_out=Counter({3: 1, 0: 1}),
        scores=Counter({20: 1, 510: 1}),
        hand_sums=defaultdict(float, {0: 13.0, 1: 6.5}),
        hand_rounds=Counter({0: 2, 1: 1}),
        wins=defaultdict(float, wins),
        round_wins=Counter({0: 1, 1: 1}),
    )


class TestFigures:
    def test_matches_are_added_up(self) -> None:
        figures = Figures(2)
        figures.add(told({1: 1}))
        figures.add(told({0: 0.5, 1: 0.5}, given_up=1))
        assert (figures.matches, figures.rounds, figures.given_up) == (2, 4, 1)
        assert figures.turns == Counter({2: 2, 1: 2})
        assert figures.presses == Counter({1: 2, 4: 2})
        assert figures.cards_out == Counter({3: 2, 0: 2})
        assert figures.scores == Counter({20: 2, 510: 2})
        assert (figures.wins, figures.round_wins) == ({0: 0.5, 1: 1.5}, {0: 2, 1: 2})
        assert figures.hands() == [6.5, 6.5]

    def test_quantiles(self) -> None:
        values = Counter({1: 1, 2: 8, 10: 1})
        assert [quantile(values, share) for share in (0.0, 0.1, 0.11, 0.9, 0.95, 1.0)] == [1, 1, 2, 2, 10, 10]
        assert spread(values) == {"mean": 2.7, "p10": 1, "median": 2, "p90": 2, "most": 10}

    @pytest.mark.parametrize(
        ("wins", "of", "low", "high"), [(0, 10, 0.0, 0.278), (5, 10, 0.237, 0.763), (10, 10, 0.722, 1.0)]
    )
    def test_wilson_intervals(self, wins: int, of: int, low: float, high: float) -> None:
        """Figures of the textbook formula, worked out by hand."""
        assert interval(wins, of) == pytest.approx((low, high), abs=0.001)
        assert interval(0, 0) == (0.0, 1.0)


def table_of(figures: dict[str, Figures], language: str = "en") -> str:
    console = Console(width=80, record=True, file=StringIO())
    show(console, "A title", figures, language)
    return console.export_text()


class TestReport:
    @pytest.mark.parametrize("suffix", sampled(["png", "svg"], 2))
    def test_a_chart(self, tmp_path, suffix: str) -> None:
        figures = study(replace(PLAN, matches=4), processes=1)
        path = tmp_path / f"chart.{suffix}"
        plot("A title", {"toy": figures, "gentle": figures}, path)
        assert path.stat().st_size > 5_000

    def test_wins_and_what_nobody_won_are_all_matches(self) -> None:
        figures = told({1: 1})
        figures.add(told({}, given_up=1))
        assert figures.without_winner == 1.0
        text = table_of({"toy": figures})
        assert "nobody wins" in text
        assert "given up" in text

    def test_shares_stay_between_0_and_100_percent_and_have_a_comma_in_french(self) -> None:
        text = table_of({"toy": told({1: 1})})
        assert "0.0% (0–79)" in text
        assert "100.0% (21–100)" in text
        text = table_of({"toy": told({1: 1})}, "fr").replace("\u00a0", " ")
        assert "100,0 % (21–100)" in text
        assert re.search(r"manches +│ 2,0 ", text)
        assert not re.search(r"\d\.\d", text)

    def test_uno_vache_counts_no_points(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        from matplotlib.figure import Figure

        drawn: list[Figure] = []
        monkeypatch.setattr(Figure, "savefig", lambda figure, *_, **__: drawn.append(figure))
        figures = study(Plan("uno-vache", ("sensible",) * 3, PRESETS["toy"], 2, "x"), processes=1)
        plot("A title", {"exact": figures}, tmp_path / "chart.svg")
        plot("A title", {"exact": study(replace(PLAN, matches=2), processes=1)}, tmp_path / "chart.svg", "fr")
        titles = [[axes.get_title() for axes in figure.axes] for figure in drawn]
        assert titles[0] == ["Turns", "Presses or draws", "Cards in a hand", "Matches won", "", ""]
        labels = [[axes.get_xlabel() for axes in figure.axes] for figure in drawn]
        assert labels[1][:5] == ["tours par manche", "par manche", "nombre de tours joués", "place", "points"]
        assert drawn[1].axes[2].yaxis.get_major_formatter()(7.5) == "7,5"
        assert titles[1] == ["Tours", "Appuis ou pioches", "Cartes en main", "Parties gagnées", "Scores finaux", ""]
        assert "scores" not in table_of({"exact": figures})

    @pytest.mark.parametrize("highest", [0.8, 12.5, 25.0, 60.0, 100.0])
    def test_percent_marks_are_whole_numbers(self, highest: float) -> None:
        from matplotlib.figure import Figure

        axes = Figure().subplots()
        axes.set_ylim(0, highest)
        in_percent(axes)
        marks = axes.yaxis.get_major_locator()()
        assert all(float(mark).is_integer() for mark in marks), marks
        assert axes.yaxis.get_major_formatter()(25.0) == "25%"
        in_percent(axes, "fr")
        assert axes.yaxis.get_major_formatter()(25.0) == "25\u00a0%"


@pytest.mark.parametrize("event", [What.DEALER, What.RELOADED, What.RESHUFFLED])
def test_the_odds_begin_anew_when_the_lid_was_open(event: What) -> None:
    """For a new round and for a reload (E-31), as in the launcher itself; found by breaking it on purpose.

    After the lid was shut the gentle odds always begin with a dud: who opens it before each press never gets a card.
    """

    def cards_of(*, lid_opened: bool) -> int:
        odds = Odds(PRESETS["gentle"], bytes(32))
        game = new_game("uno-extreme", 2, seed=4)
        game.begin(first=0)
        held = sum(game.state.sizes)
        for _ in range(60):
            game.play(game.turn, DRAW)
            if lid_opened:
                update_odds(odds, [Event(event)])
            deliver(odds, game)
        return sum(game.state.sizes) - held

    assert cards_of(lid_opened=True) == 0
    assert cards_of(lid_opened=False) > 10


def test_every_round_of_a_match_begins_with_shut_lids(mocker: MockerFixture) -> None:
    reset = mocker.spy(Odds, "reset")
    told = PLAN.play(3)
    assert reset.call_count >= told.rounds > 1
