"""``dispenser run`` on mock pins, as a process of its own: ``launcher_process.py run --no-web ...``.

It does what the command does, and tells the notify socket of the first import of anything of the web
(``X_IMPORTED=...``), so that it stands in order with ``READY=1``.
"""

from __future__ import annotations

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


def main() -> None:
    from dispenser.drivers.gpio import spawn

    spawn.COMMAND = (sys.executable, *sys.orig_argv[1:3], str(Path(__file__).with_name("pins_process.py")))
    sys.meta_path.insert(0, WebSpy)
    sys.argv[0] = "dispenser"
    from dispenser.__main__ import main as dispenser

    dispenser()


main()
