"""The expectations are right, the simulation agrees with them, and people can read both."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from dispenser.cli import app
from dispenser.odds import charts as odds_charts
from dispenser.odds.expectation import (
    Expectation,
    dry_runs,
    longest_dry_run,
    quantile,
    simulate,
)
from dispenser.odds.policies import (
    TOY_FIRES_ON,
    Countdown,
    EmpiricalFire,
    EmpiricalSize,
    FirePolicy,
    Fixed,
    Geometric,
    Memoryless,
    Rising,
    ToyTable,
    Uniform,
)
from dispenser.odds.presets import PRESETS, OddsDesign

# --- expectations against closed forms ---


def test_the_toy_fires_34_times_in_96_presses() -> None:
    toy = Expectation(PRESETS["toy"])
    assert toy.share_firing == pytest.approx(34 / 96)
    assert toy.duds_between_bursts == pytest.approx(62 / 34)
    assert toy.cards_per_burst == pytest.approx(5.5)
    assert toy.cards_per_press == pytest.approx(5.5 * 34 / 96)
    assert toy.longest_possible == 3
    gaps = [later - earlier - 1 for earlier, later in zip((0, *TOY_FIRES_ON), TOY_FIRES_ON, strict=False)]
    assert toy.dry_runs == pytest.approx([gaps.count(duds) / 34 for duds in range(4)])


@pytest.mark.parametrize(
    ("fire", "first", "mean", "limit"),
    [
        (Memoryless(0.01), [0.01, 0.0099], 99.0, None),
        (Memoryless(0.5), [0.5, 0.25, 0.125], 1.0, None),
        (Memoryless(1.0), [1.0], 0.0, 0),
        (Countdown(0, 0), [1.0], 0.0, 0),
        (Countdown(1, 4), [0, 0.25, 0.25, 0.25, 0.25], 2.5, 4),
        (Countdown(0, 100), [1 / 101] * 101, 50.0, 100),
        (Rising(0.5, 0.5), [0.5, 0.5], 0.5, 1),
        (Rising(0.0, 0.25), [0, 0.25, 0.375, 0.28125, 0.09375], 2.21875, 4),
        # 0.2 at first, then 0.4 for ever: 0.8 + 0.8 * 0.6 + 0.8 * 0.36 + ... = 0.8 / 0.4
        (Rising(0.2, 0.5, 0.4), [0.2, 0.32, 0.192], 2.0, None),
        (EmpiricalFire((1, 5), (4, 5)), [0.25, 0.75], 0.75, 1),
        (EmpiricalFire((0, 1), (9, 2)), [0, 0.5, 0.25], 2.0, None),
        (ToyTable((1, 2, 6)), [2 / 3, 0, 0, 1 / 3], 1.0, 3),
    ],
    ids=str,
)
def test_how_many_duds_a_policy_brings(fire: FirePolicy, first: list[float], mean: float, limit: int | None) -> None:
    runs, longest = dry_runs(fire)
    assert runs[: len(first)] == pytest.approx(first)
    assert longest == limit
    assert sum(duds * share for duds, share in enumerate(runs)) == pytest.approx(mean)


@pytest.mark.parametrize(
    ("fire", "presses", "longest"),
    [
        # Of the eight equally likely courses of three presses: longest run 0 once, 1 four times, 2 twice, 3 once.
        (Memoryless(0.5), 3, [1 / 8, 4 / 8, 2 / 8, 1 / 8]),
        (ToyTable((2, 6)), 5, [0, 0, 0, 1, 0, 0]),  # a run that is not over counts
    ],
)
def test_the_longest_dry_run_by_hand(fire: FirePolicy, presses: int, longest: list[float]) -> None:
    assert longest_dry_run(fire, presses) == pytest.approx(longest)


def test_quantiles() -> None:
    assert [quantile([0.25, 0.25, 0.5], share) for share in (0.05, 0.25, 0.26, 0.5, 0.51, 1.0)] == [0, 0, 1, 1, 2, 2]


# --- the simulation ---


RECORDED = OddsDesign("recorded", EmpiricalFire((2, 0, 3), (10, 8, 6)), EmpiricalSize({9: 3, 2: 1, 5: 6}))


@pytest.mark.parametrize("design", [*PRESETS.values(), RECORDED], ids=lambda design: design.name)
def test_the_simulation_agrees_with_the_expectation(design: OddsDesign) -> None:
    presses, expectation = 40_000, Expectation(design)
    simulation = simulate(design, presses, "agrees")
    assert sum(simulation.cards) == presses
    for cards, probability in enumerate(expectation.cards):
        allowed = 5 * math.sqrt(presses * probability * (1 - probability)) + 1e-6
        assert abs(simulation.cards[cards] - presses * probability) <= allowed, f"{cards} cards, seed 'agrees'"
    for duds, probability in enumerate(expectation.dry_runs[: len(simulation.dry_runs)]):
        allowed = 5 * math.sqrt(simulation.bursts * probability * (1 - probability)) + 3
        assert abs(simulation.dry_runs[duds] - simulation.bursts * probability) <= allowed, f"{duds} duds, 'agrees'"
    if expectation.longest_possible is not None:
        assert simulation.longest_dry_run == expectation.longest_possible


def test_a_simulation_of_duds_only_has_no_averages_over_bursts() -> None:
    told = simulate(OddsDesign("custom", Countdown(50, 50), Fixed(1)), 10, "duds").to_dict()
    assert (told["cards_per_burst"], told["duds_between_bursts"], told["longest_dry_run"]) == (None, None, 10)


# --- for people ---


def shown(design: OddsDesign, presses: int = 5000) -> str:
    console = Console(width=80, color_system=None)
    with console.capture() as capture:
        console.print(odds_charts.report(Expectation(design), simulate(design, presses, "shown")))
    return capture.get()


def test_the_terminal_shows_figures_and_both_histograms() -> None:
    text = shown(PRESETS["toy"])
    assert "Follows a fixed table: 34 of 96 presses bring cards, then it begins again." in text
    assert "A burst brings 3 to 8 cards." in text
    assert re.search(r"Presses that fire +35\.4% +35\.\d%", text)
    assert re.search(r"Duds between bursts +1\.82 +1\.8\d", text)
    assert re.search(r"Longest dry run, duds +3 +3", text)
    assert re.search(r"\n +dud +█+ +64\.6% +64\.\d%", text)
    assert re.search(r"\n +3 +██\S* +5\.9% +\d\.\d%", text)
    assert re.search(r"\n +1 +- +-", text), "what cannot come has no bar"
    assert 'Simulated: 5,000 presses, seed "shown".' in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("design", "words"),
    [
        (PRESETS["wild"], "Every press brings cards with a chance of 40%, whatever came before."),
        (PRESETS["gentle"], "A hidden number of duds, 1 to 4, then a burst."),
        (PRESETS["family"], "The chance of a burst rises: 15% at first, 17% more after each dud, 100% at most."),
        (OddsDesign("recording", EmpiricalFire((1,), (3,)), Fixed(1)), "Fires as the recorded launcher did."),
        (OddsDesign("custom", Memoryless(0.5), Uniform(2, 9), 5), "A burst brings 2 to 5 cards; more are cut at 5."),
        (OddsDesign("custom", Memoryless(0.5), Fixed(1)), "A burst brings 1 card."),
        (OddsDesign("custom", Memoryless(0.5), Fixed(4)), "A burst brings 4 cards."),
    ],
)
def test_every_kind_of_odds_is_told_in_words(design: OddsDesign, words: str) -> None:
    assert words in " ".join(re.sub("[│╭╮╰╯─]", "", shown(design, 100)).split())


def test_long_dry_runs_are_put_together_in_steps() -> None:
    design = OddsDesign("custom", Memoryless(0.02), Geometric(1, 30, 0.9), 30)
    expectation, simulation = Expectation(design), simulate(design, 20_000, "long")
    rows = odds_charts.dry_run_rows(expectation, simulation)
    assert len(rows) <= odds_charts.MOST_ROWS + 1
    assert sum(row.expected for row in rows) == pytest.approx(1)
    assert sum(row.simulated for row in rows) == pytest.approx(1)
    assert rows[0].label == "0-13"
    assert rows[0].expected == pytest.approx(1 - 0.98**14)
    assert rows[-1].label == "266+"


# --- the command ---


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["odds", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


def test_the_command_shows_the_toy_when_nothing_is_said() -> None:
    code, out, _ = run("--presses", 96, "--json")
    told = json.loads(out)
    assert (code, told["odds"], told["simulated"]["seed"]) == (0, PRESETS["toy"].describe(), "dispenser")
    assert (told["expected"]["share_firing"], told["simulated"]["share_firing"]) == pytest.approx((34 / 96, 34 / 96))
    assert told["expected"]["longest_dry_run_in_100_presses"] == {"median": 3, "from": 3, "to": 3}
    assert "Cards from one press" in run("wild", "--presses", 20)[1]


def test_the_command_reads_a_recording(tmp_path: Path) -> None:
    (tmp_path / "saturday.csv").write_text("press;cards\n1;0\n2;4\n3;0\n4;0\n5;6\n", encoding="utf-8-sig")
    code, out, _ = run("--recording", tmp_path / "saturday.csv", "--seed", "x", "--json")
    assert code == 0
    assert json.loads(out)["odds"]["fire"] == {"policy": "empirical", "fired": [0, 1, 1], "pressed": [2, 2, 1]}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["wlid"], "'wlid' is not one of toy, gentle, wild, family"),
        (["--recording", "no-such.csv"], 'recording = "no-such.csv": cannot be read (there is no such file or folder)'),
        (["toy", "--recording", "no-such.csv"], 'preset = "toy": leave it out: recording is there already'),
    ],
)
def test_the_command_explains_what_is_wrong_on_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = run(*arguments)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1
