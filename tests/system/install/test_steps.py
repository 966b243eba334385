"""What is decided, without a machine."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from dispenser.cli import app
from dispenser.system.install.__main__ import COMMANDS, parser
from dispenser.system.install.options import BOARDS
from dispenser.system.install.steps import units_to_enable
from dispenser.system.shipped import shipped

ROOT = Path(__file__).parents[3]


def test_what_starts_with_the_pi_says_so_itself() -> None:
    units = units_to_enable(ROOT, phones=True)
    assert "dispenser.service" in units
    assert not [unit for unit in units if unit.endswith(".timer")]
    assert units - units_to_enable(ROOT, phones=False) == {unit for unit in units if unit.endswith(".socket")}


def test_each_board_can_be_chosen() -> None:
    assert {board.stem for board in shipped("hardware/boards").glob("*.toml")} == set(BOARDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_before_there_is_anything_but_python_the_same_options_are_understood(command: str) -> None:
    whole = {word for param in commands()[command].params for word in (*param.opts, *param.secondary_opts)}
    first = {word for action in parser(command)._actions for word in action.option_strings}  # noqa: SLF001
    assert {word for word in whole if word.startswith("--")} == first - {"-h", "--help"}


def test_the_guide_names_options_that_are_there() -> None:
    guide = (ROOT / "hardware" / "README.md").read_text(encoding="utf-8")
    typed = re.findall(r"`sudo \./systemd/install( [^`]+)`", guide)
    assert len(typed) == 2
    for line in typed:
        parser("install").parse_args(line.split())
    for command in re.findall(r"`(?:sudo )?dispenser (\w+)", guide.partition("## Install")[2].partition("\n## ")[0]):
        assert command in commands()


def commands() -> dict[str, Any]:
    group: Any = get_command(app)
    return {name: group.get_command(None, name) for name in group.commands}
