"""``systemd/install``: the installer, before anything but Python is there."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from dispenser.i18n import LANGUAGES, language_wanted
from dispenser.system.install.installer import Installer
from dispenser.system.install.options import HELP, Options
from dispenser.system.install.paths import Paths

COMMANDS = ("install", "remove")


def main(arguments: Sequence[str]) -> int:
    """Run a command line; the default command is ``install``."""
    words = list(arguments)
    command = words.pop(0) if words and words[0] in COMMANDS else COMMANDS[0]
    typed = vars(parser(command).parse_args(words))
    language = typed.get("language")
    installer = Installer(Paths(), language if language in LANGUAGES else "", dry_run=typed.pop("dry_run"))
    return installer.remove(**typed) if command == "remove" else installer.install(Options(**typed))


def parser(command: str) -> argparse.ArgumentParser:
    language = language_wanted(os.environ)
    texts = {name: text[language] for name, text in HELP.items()}
    made = argparse.ArgumentParser(prog=f"systemd/install {command}")
    for name in ("dry-run", *(("purge", "yes") if command == "remove" else ("later",))):
        made.add_argument(f"--{name}", action="store_true", help=texts[name])
    if command == "install":
        made.add_argument("--board", metavar="NAME", help=texts["board"])
        made.add_argument("--language", metavar="WORD", help=texts["language"])
        for name in ("phones", "config-txt"):
            made.add_argument(f"--{name}", action=argparse.BooleanOptionalAction, default=None, help=texts[name])
    return made


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
