"""The manual page, made from the commands themselves: ``python -m tests.cli.man_page`` writes it anew.

A test compares the two. English, as manual pages are; ``--help`` speaks the terminal's language.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from typer.main import get_command

from dispenser import cli
from dispenser.cli.help_pages import paragraphs, translate

FILE = Path(cli.__file__).parent / "dispenser.1"
_HEAD = r"""
.\" Made by: python -m tests.cli.man_page
.TH DISPENSER 1 "" "card\-dispenser" "User Commands"
.SH NAME
dispenser \- control, simulate and play with a motorized card launcher
.SH SYNOPSIS
.B dispenser
.RI [ OPTIONS ]
.I COMMAND
.RI [ ARGS ]...
.SH DESCRIPTION
A Raspberry Pi, or a microcontroller, replaces the chip of a card launcher; without either, one is simulated.
Every command has a page of its own:
.B dispenser
.I COMMAND
.BR \-\-help .
Under a French locale the terminal speaks French.
.SH COMMANDS
""".lstrip()
_FILES = r"""
.SH FILES
.TP
.I /etc/dispenser/dispenser.toml
The settings, each of them optional;
.B dispenser config show
prints all of them.
.TP
.I /var/lib/dispenser/dispenser.sqlite3
The journal of the launcher that starts with the computer.
.SH ENVIRONMENT
.TP
.B DISPENSER_CONFIG
Path of another settings file.
""".lstrip()


def page() -> str:
    """The manual page, in roff."""
    before = {name: os.environ.get(name) for name in ("LC_ALL", "LANGUAGE")}
    os.environ.update(LC_ALL="C", LANGUAGE="en")
    try:
        commands = "".join(_commands(get_command(cli.app), "dispenser"))
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
    return f"{_HEAD}{commands}{_exit_codes()}{_FILES}"


def _commands(group: Any, path: str) -> Iterator[str]:
    for name in sorted(group.commands):
        command = group.get_command(None, name)
        if not command.hidden:
            yield _one(command, f"{path} {name}")
            yield from _commands(command, f"{path} {name}") if hasattr(command, "commands") else ()


def _one(command: Any, path: str) -> str:
    translate(command)
    context = command.make_context(path, [], resilient_parsing=True)
    usage = " ".join((path, *command.collect_usage_pieces(context)))
    lines = [f'.SS "{_plain(usage)}"']
    lines.append("\n.PP\n".join(map(_plain, paragraphs(command.help))))
    for parameter in command.params:
        if (record := parameter.get_help_record(context)) and "--help" not in parameter.opts:
            lines += [".TP", f"\\fB{_plain(record[0])}\\fR", _plain(" ".join(record[1].split()))]
    return "\n".join(lines) + "\n"


def _exit_codes() -> str:
    table = re.findall(r"^(\d+) +(.+)$", inspect.getdoc(import_module("dispenser.cli.failures")) or "", re.MULTILINE)
    return ".SH EXIT STATUS\n" + "".join(f".TP\n.B {code}\n{_plain(text.replace('``', ''))}\n" for code, text in table)


def _plain(text: str) -> str:
    """Text in which roff sees nothing of its own."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
