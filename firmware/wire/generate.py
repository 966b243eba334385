#!/usr/bin/env python3
"""Makes the C header, the Python tables and the protocol page from ``messages.toml``.

``generate.py`` writes the three files; ``generate.py --check`` writes nothing and fails when one of them differs.
Needs Python 3.11 and nothing else: its modules lie beside it, and Python finds them there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from c_header import c_header
from dictionary import Dictionary, read
from protocol_page import protocol_page
from python_tables import python_tables

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

OUTPUTS: dict[str, Callable[[Dictionary], str]] = {
    "firmware/core/wire_messages.h": c_header,
    "dispenser/drivers/serial/tables.py": python_tables,
    "firmware/PROTOCOL.md": protocol_page,
}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a file differs")
    options = parser.parse_args(arguments)
    dictionary = read((HERE / "messages.toml").read_text(encoding="utf-8"))
    stale = []
    for name, make in OUTPUTS.items():
        path, text = ROOT / name, make(dictionary)
        if options.check and (not path.exists() or path.read_text(encoding="utf-8") != text):
            stale.append(name)
        elif not options.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    for name in stale:
        sys.stderr.write(f"{name} is not what messages.toml says: run python firmware/wire/generate.py\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
