"""``/metrics``: what is counted, since when, and for whom."""

from __future__ import annotations

import re
from pathlib import Path

import dispenser.mqtt
from dispenser.launcher.commands import Press
from tests.web.rig import launcher

MONITORING = Path(dispenser.mqtt.__file__).with_name("monitoring")


async def test_what_has_happened_since_the_start_is_counted_when_somebody_asks() -> None:
    async with launcher() as page:
        for _ in range(3):
            await page.service.outcome(await page.service.handle(Press()))
        assert page.service.simulator is not None
        page.service.simulator.open_lid()
        await page.settle()
        assert (await page.service.handle(Press())).data["reason"] == "lid_open"
        first = figures((await page.client.get("/metrics")).text)
        again = figures((await page.client.get("/metrics")).text)
    assert first["dispenser_presses_total"] == 3
    assert first['dispenser_refusals_total{reason="busy"}'] == 0  # there from the start, or the first is no increase
    assert first['dispenser_refusals_total{reason="lid_open"}'] == 1
    assert first["dispenser_cards_total"] > 0
    assert first["dispenser_motor_seconds_total"] > 0
    assert first['dispenser_state{state="open"}'] == 1
    assert again["dispenser_presses_total"] == 3


async def test_the_figures_that_alerts_and_dashboard_show_are_there() -> None:
    async with launcher() as page:
        names = {name.partition("{")[0] for name in figures((await page.client.get("/metrics")).text)}
    shown = {name for file in MONITORING.iterdir() for name in re.findall(r"dispenser_\w+", file.read_text("utf-8"))}
    assert shown
    assert shown <= names


def figures(text: str) -> dict[str, float]:
    """Each line of the answer: name with labels, and value."""
    return {name: float(value) for name, value in re.findall(r"^([a-z][^ ]*(?:\{[^}]*\})?) (\S+)$", text, re.MULTILINE)}
