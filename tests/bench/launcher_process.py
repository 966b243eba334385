"""``dispenser run`` on mock pins, as a process of its own: ``launcher_process.py WAKEUPS_FILE run --no-web ...``.

It does what the command does, with two spies: the first import of anything of the web is told to the notify socket
(``X_IMPORTED=...``, so that it stands in order with ``READY=1``), and what the event loop's selector does is counted
in a file of two numbers (see ``Wakeups`` in ``process.py``). A ``-`` instead of the file counts nothing.
"""

from __future__ import annotations

import selectors
import sys
from pathlib import Path

WEB = frozenset({"dispenser.web", "fastapi", "starlette", "uvicorn", "jinja2"})


class WebSpy:
    """An import hook that imports nothing."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        if name in WEB:
            from dispenser.system import systemd

            systemd.notify(f"X_IMPORTED={name}")


def count_wakeups(path: str) -> None:
    """From now on count the selector's returns in the file ``path``: all of them, and those that had to wait."""
    import mmap
    import struct

    with open(path, "r+b") as file:  # noqa: PTH123 (pathlib is not loaded yet, and need not be)
        memory = mmap.mmap(file.fileno(), 16)
    counts = [0, 0]
    select = selectors.DefaultSelector.select

    def counted(self: selectors.BaseSelector, timeout: float | None = None) -> object:
        ready = select(self, timeout)
        counts[0] += 1
        counts[1] += timeout is None or timeout > 0
        struct.pack_into("QQ", memory, 0, *counts)
        return ready

    selectors.DefaultSelector.select = counted


def main() -> None:
    from dispenser.drivers.gpio import spawn

    spawn.COMMAND = (sys.executable, *sys.orig_argv[1:3], str(Path(__file__).with_name("pins_process.py")))
    if sys.argv[1] != "-":
        count_wakeups(sys.argv[1])
    sys.meta_path.insert(0, WebSpy)
    sys.argv[:2] = ["dispenser"]
    from dispenser.__main__ import main as dispenser

    dispenser()


main()
