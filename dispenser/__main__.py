"""The command ``dispenser``, and ``python -m dispenser``, which is the same."""

from __future__ import annotations

import sys

from dispenser.drivers.gpio import spawn


def main() -> None:
    """Entry point of the ``dispenser`` command."""
    spawn.begin(sys.argv[1:])
    from dispenser.cli import main

    main()


if __name__ == "__main__":
    main()
