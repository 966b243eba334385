"""A bug report is a test: what a journal recorded can be exported, played again, and comes out the same."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import pytest

from dispenser.journal import FilterError, Journal, Record
from dispenser.launcher.commands import Press
from dispenser.scenario.launcher.expectations import check
from dispenser.scenario.launcher.recorder import record
from dispenser.scenario.launcher.runner import Play, failures
from dispenser.service.settings import Settings
from dispenser.table import commands as c
from tests.scenario.rig import CLOCK_BEGINS_S, Rig, load, parse
from tests.scenarios.mutations import mutations
from tests.service.test_service import play, scripted, simulator_of

SCENARIOS = Path(__file__).parents[1] / "scenarios" / "launcher"
STORIES = (
    "a-clock-set-back-between-two-starts-changes-nothing",
    "a-dud-moves-nothing-and-says-so",
    "a-finger-that-stays-on-the-button-is-one-press",
    "a-jam-that-stays-is-reported-and-latched",
    "a-number-asked-for-beside-an-order-neither-minds-nor-spends-it",
    "a-push-while-the-table-counts-is-refused",
    "a-sensor-stuck-dark-stops-presses-before-the-motor",
    "a-worn-button-still-counts-every-push-once",
    "an-order-changed-in-a-burst-is-for-the-next-push",
    "lid-down-never-starts-the-motor-again",
    "the-last-cards-come-and-then-the-launcher-is-empty",
    "the-toys-odds-fire-at-the-second-and-the-sixth-press",
    "two-cards-at-once-are-a-suspected-double",
    "without-an-exit-sensor-the-feed-is-timed-and-people-count",
)
"""Scenarios that have one take, which the recorder records."""
DOUBLE = """
    setup = { planned = [8, 4], simulator = { double_offset_min_mm = 45 } }
    step = [{ at = 1.0, do = "press button", times = 2, every = 20 }, { at = 22.2, do = "double feed" }]
    """


def first_play(text: str, journal: Path) -> Play:
    whole = 'title = "t"\n' + text + '\nexpect = [{ at = 0, lid = "shut" }]'
    return Rig(parse(whole).takes[0], journal).run()


def played_again(text: str, journal: Path | None = None) -> Play:
    again = Rig(parse(text).takes[0], journal).run()
    assert again.passed, text + "\n".join(failures([again]))
    return again


def records_of(journal: Path, type_: str) -> list[Record]:
    with Journal.read_only(journal) as reader:
        return list(reader.read(types=[type_]))


def recorded(journal: Path, seq: int, settings: Settings, **seconds: float) -> str:
    with Journal.read_only(journal) as reader:
        return record(reader, seq, settings, **seconds)


def told(records: list[Record], offset: int = 0) -> list[dict[str, object]]:
    """What bursts came to, but for what a fresh launcher cannot know."""
    return [{**record.data, "press": record.data["press"] - offset, "dud_streak": None} for record in records]


@pytest.mark.parametrize("story", STORIES)
def test_what_was_recorded_comes_out_the_same(story: str, tmp_path: Path) -> None:
    first = Rig(load(SCENARIOS / f"{story}.toml").takes[0], tmp_path / "journal").run()
    answers = records_of(tmp_path / "journal", "launcher.press")
    text = recorded(tmp_path / "journal", answers[-1].seq, first.take.setup.settings)
    again = played_again(text, tmp_path / "again")
    offset = len(answers) - len(records_of(tmp_path / "again", "launcher.press"))
    ends = records_of(tmp_path / "journal", "launcher.burst.ended")
    ends_again = records_of(tmp_path / "again", "launcher.burst.ended")
    assert told(ends_again) == told(ends[len(ends) - len(ends_again) :], offset)
    for name, expectation in again.take.expectations.items():
        for wrong, mutation in mutations(expectation, again):
            if not wrong.startswith(("more", "old", "new")):  # the same state comes again within a window at times
                assert not check(name, mutation, again.timeline).passed, (expectation, wrong)


def test_only_what_belongs_to_it_is_recorded(tmp_path: Path) -> None:
    first = first_play(DOUBLE, tmp_path / "journal")
    second = records_of(tmp_path / "journal", "launcher.burst.ended")[1]
    short = parse(recorded(tmp_path / "journal", second.seq, first.take.setup.settings, before_s=2, after_s=0.5))
    (take,) = short.takes
    assert [planned.cards for planned in take.setup.plan] == [4]
    assert take.edges[0].line == "button"
    assert 1.1 < take.edges[0].at < 2.0
    assert take.setup.settings.launcher.first_card_ms == pytest.approx(53, abs=5), "what had been learnt"
    whole = parse(recorded(tmp_path / "journal", second.seq, first.take.setup.settings, before_s=100, after_s=100))
    assert [planned.cards for planned in whole.takes[0].setup.plan] == [8, 4]
    burst = parse(recorded(tmp_path / "journal", second.seq, first.take.setup.settings, before_s=0, after_s=0))
    assert [planned.cards for planned in burst.takes[0].setup.plan] == [4], "it begins before the burst that it is in"


def test_a_fault_ends_what_can_be_expected(tmp_path: Path) -> None:
    story = """
        setup = { planned = [1, 6] }
        step = [
            { at = 1, do = "press button", times = 2, every = 6 },
            { at = 8.3, do = "kill the driver", outputs = "fall" },
        ]
        """
    first = first_play(story, tmp_path / "journal")
    end = records_of(tmp_path / "journal", "launcher.burst.ended")[1]
    assert end.data["cause"] == "fault"
    text = recorded(tmp_path / "journal", end.seq, first.take.setup.settings, before_s=30)
    assert "a fault came, which edges cannot show" in text
    played_again(text)
    with pytest.raises(FilterError, match="nothing happened that a replay of the input lines could show"):
        recorded(tmp_path / "journal", end.seq, first.take.setup.settings, before_s=3, after_s=0)


@pytest.mark.parametrize(("seq", "told"), [(999, "there is no record 999"), (1, "belongs to no start of the service")])
def test_a_record_that_belongs_to_no_story_is_told(seq: int, told: str, tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal") as journal:
        journal.append("launcher", [("launcher.lid.opened", {})])
    with pytest.raises(FilterError, match=told):
        recorded(tmp_path / "journal", seq, Settings())


def test_what_was_before_and_after_a_phone_stood_in_is_played_again_and_its_own_part_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def evening() -> None:
        time = asyncio.get_running_loop().time
        monkeypatch.setattr(Journal, "open", partial(Journal.open, wall_clock=lambda: CLOCK_BEGINS_S + time()))
        async with scripted(2, 3, 4, journal=tmp_path / "journal") as service:
            service.execute(c.Open("Léa"))
            for stands_in in (False, True, False):
                if stands_in != service.snapshot()["stand_in"]:
                    service.execute(c.StandIn(stands_in), person=1)
                await asyncio.sleep(2.0)
                if stands_in:
                    await service.handle(Press(), "phone")
                else:
                    simulator_of(service).push_button()
                await asyncio.sleep(8.0)
                simulator_of(service).take_card()
                await asyncio.sleep(2.0)

    play(evening)
    monkeypatch.undo()
    before, by_phone, after = records_of(tmp_path / "journal", "launcher.burst.ended")
    for ended, cards in ((before, 2), (after, 4)):
        text = recorded(tmp_path / "journal", ended.seq, Settings(), before_s=60, after_s=60)
        again = played_again(text)
        assert again.take.setup.plan[0].cards == cards
    with pytest.raises(FilterError, match="a phone stood in"):
        recorded(tmp_path / "journal", by_phone.seq, Settings())
