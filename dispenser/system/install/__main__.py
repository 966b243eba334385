"""``systemd/install``: the command line before there is anything but Python."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from dispenser.i18n import language_wanted
from dispenser.system.install.dialogue import Dialogue
from dispenser.system.install.place import Place
from dispenser.system.install.wishes import HELP, Wishes

COMMANDS = ("install", "update", "remove")


def main(arguments: Sequence[str], dialogue: Dialogue | None = None) -> int:
    """Carry out a command line; without a command it is ``install``.

    :returns: the exit code.
    """
    os.umask(0o022)  # what is installed is for everybody to read
    words = list(arguments)
    command = words.pop(0) if words and words[0] in COMMANDS else COMMANDS[0]
    typed = vars(parser(command).parse_args(words))
    dialogue = dialogue or Dialogue(Place(), typed.get("language") or "")
    if command == "remove":
        return dialogue.remove(**typed)
    if command == "update":
        start = typed.pop("start")
        return dialogue.update(Wishes(**typed), start)
    return dialogue.install(Wishes(**typed))


def parser(command: str) -> argparse.ArgumentParser:
    """What may stand behind a command."""
    language = language_wanted(os.environ)
    texts = {name: text[language] for name, text in HELP.items()}
    words = argparse.ArgumentParser(prog=f"systemd/install {command}")
    words.add_argument("--dry-run", action="store_true", help=texts["dry-run"])
    if command == "remove":
        for name in ("purge", "yes", "by-package"):
            words.add_argument(f"--{name}", action="store_true", help=texts[name])
        return words
    if command == "update":
        words.add_argument("start", type=Path, nargs="?", metavar="FROM", help=texts["start"])
        return words
    words.add_argument("--wheel", type=Path, metavar="FILE", help=texts["wheel"])
    words.add_argument("--wheels", type=Path, metavar="FOLDER", help=texts["wheels"])
    words.add_argument("--board", metavar="NAME", help=texts["board"])
    words.add_argument("--language", metavar="WORD", help=texts["language"])
    for name in ("phones", "config-txt"):
        words.add_argument(f"--{name}", action=argparse.BooleanOptionalAction, default=None, help=texts[name])
    words.add_argument("--later", action="store_true", help=texts["later"])
    return words


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
