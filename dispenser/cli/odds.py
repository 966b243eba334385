"""``dispenser odds``: expected and simulated figures of the odds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from dispenser.cli.options import JsonOption, among, one_of
from dispenser.cli.spoken import language, new_console
from dispenser.odds.presets import PRESETS, design_from_settings

_PRESET_HELP = f"{', '.join(PRESETS)}; toy when left out."


def odds(
    preset: Annotated[
        str | None,
        typer.Argument(
            help=_PRESET_HELP,
            show_default=False,
            autocompletion=among(lambda: PRESETS),
            callback=one_of(lambda: PRESETS),
        ),
    ] = None,
    recording: Annotated[
        Path | None,
        typer.Option("--recording", help="A recording instead of a preset: one row per press, columns press,cards."),
    ] = None,
    presses: Annotated[int, typer.Option(min=1, max=10_000_000, help="How many presses to simulate.")] = 10_000,
    seed: Annotated[str, typer.Option(help="Name of the simulation's seed: any text.")] = "dispenser",
    as_json: JsonOption = False,
) -> None:
    """Example: dispenser odds wild --presses 100000"""
    from dispenser.odds.charts import report
    from dispenser.odds.expectation import Expectation, simulate
    from dispenser.service.settings import read_lines

    given = {"preset": preset, "recording": recording and str(recording)}
    settings = {key: value for key, value in given.items() if value is not None}
    expectation = Expectation(design_from_settings(settings, read_lines=read_lines))
    simulation = simulate(expectation.design, presses, seed)
    if as_json:
        figures = {"expected": expectation.to_dict(), "simulated": simulation.to_dict()}
        typer.echo(json.dumps({"odds": expectation.design.describe(), **figures}, indent=2))
    else:
        new_console().print(report(expectation, simulation, language()))
