"""Run the command ``dispenser``, also as ``python -m dispenser``."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the ``dispenser`` command; for ``run``, first start the GPIO process if the arguments ask for pins."""
    if sys.argv[1:2] == ["run"]:
        from dispenser.drivers.gpio import spawn

        spawn.begin(sys.argv[2:])
    from dispenser.cli import main

    main()


if __name__ == "__main__":
    main()
