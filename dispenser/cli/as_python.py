"""Runs a script the way ``python SCRIPT.py ARGUMENTS`` does, inside this process."""

from __future__ import annotations

import builtins
import io
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType


def run_as_python(script: Path, arguments: Sequence[str]) -> BaseException | None:
    """Run it in this thread as ``__main__``, with its own ``sys.argv``, and with its folder first in ``sys.path``.

    Its module stays ``__main__`` until the process ends, as threads it has started go on using it.

    :returns: what it ended with, its traceback beginning in the script; ``None`` when it came to its end.
    :raises OSError: it cannot be read.
    """
    with io.open_code(str(script.absolute())) as file:
        source = file.read()
    main = ModuleType("__main__")
    main.__dict__.update(__file__=str(script), __builtins__=builtins, __cached__=None)
    sys.modules["__main__"] = main
    sys.argv[:] = [str(script), *arguments]
    if not sys.flags.safe_path:
        sys.path[0] = str(script.resolve().parent)
    try:
        exec(compile(source, str(script), "exec", dont_inherit=True), main.__dict__)  # noqa: S102 - that is the point
    except BaseException as error:  # noqa: BLE001 - also SystemExit and Ctrl-C: the caller ends as each asks for
        traceback = error.__traceback__
        return error.with_traceback(traceback and traceback.tb_next)  # without this frame
    return None
