"""Read what somebody wrote down at a real launcher, to play with its odds.

The format is CSV with a header line, one row per press, in the order of the presses::

    press,cards
    1,0
    2,5
    3,0

``cards`` (needed) is how many cards came: 0 for a dud. ``press`` (optional) counts up by one; where it is 1 again, the
launcher was switched on anew or its lid was shut, and an unfinished run of duds before counts as unfinished. Other
columns are ignored, so are empty lines and lines that begin with ``#``. A semicolon may stand for the comma.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from dispenser.config import TableError, WrongValueError, short_toml
from dispenser.config.errors import prefixed
from dispenser.i18n import Text, listed
from dispenser.launcher.messages import MAX_BURST_CARDS
from dispenser.odds.policies import EmpiricalFire, EmpiricalSize

_NAME_COLUMNS: Final = Text("write a first line that names the columns: press,cards")
_NO_CARDS: Final = Text("no column is called cards; write a first line that names the columns: press,cards")
_NO_BURST: Final = Text("no press brought a card; record on until some have")
_TOO_FEW: Final = Text("too few bursts after many duds: {why}")
_VALUES: Final = Text("{number} values for {columns} columns; write one value for each column")
_PRESS_LEFT_OUT: Final = Text("press {number} was expected; leave no press out (a dud is 0 cards)")
_PLAIN: Final = Text("{error}; write plain values without quotes")
_WHOLE: Final = Text("write a whole number from 0 to {most}")


class OddsSettingsError(TableError):
    """Odds that cannot be used: the key or the line, what stands there, and what to write."""


def _error(line: int, column: str, value: str | None, hint: Text) -> OddsSettingsError:
    """What is wrong in a line; ``column`` is ``header`` or ``row`` when the whole line is."""
    place = Text("line {line}, {column}").filled(line=str(line), column=column)
    written = "" if value is None else f" = {short_toml(value)}"
    return OddsSettingsError(prefixed(listed([place, written], between=""), hint))


def parse_recording(lines: Iterable[str]) -> tuple[EmpiricalFire, EmpiricalSize]:
    """Odds that do what a recording shows.

    :raises OddsSettingsError: naming the line, the column, what stands there and what to write.
    """
    fired, pressed, sizes = Counter[int](), Counter[int](), Counter[int]()
    rows = list(_rows(lines))
    last_line = rows[-1][0] if rows else 1
    streak = 0
    for _, starts_again, cards in rows:
        streak = 0 if starts_again else streak
        pressed[streak] += 1
        if cards:
            fired[streak] += 1
            sizes[cards] += 1
        streak = 0 if cards else streak + 1
    if not sizes:
        raise _error(last_line, "cards", None, _NO_BURST)
    longest = max(fired)
    # Past the longest streak that ended in a burst nothing is known but that duds went on: those presses count
    # for the last probability, so a launcher that kept silent long does not look certain to fire there.
    pressed[longest] += sum(presses for streak, presses in pressed.items() if streak > longest)
    streaks = range(longest + 1)
    try:
        fire = EmpiricalFire(tuple(fired[d] for d in streaks), tuple(pressed[d] for d in streaks))
    except WrongValueError as error:
        raise _error(last_line, "cards", None, _TOO_FEW.filled(why=error.text)) from error
    return fire, EmpiricalSize(dict(sizes))


def _rows(lines: Iterable[str]) -> Iterator[tuple[int, bool, int]]:
    """(line, whether the launcher started again, cards) for each press."""
    stripped = ((number, line.lstrip("\ufeff").strip()) for number, line in enumerate(lines, 1))
    rows = ((number, line) for number, line in stripped if line and not line.startswith("#"))
    header_line, header = next(rows, (1, ""))
    delimiter = ";" if ";" in header else ","
    columns = [name.strip().lower() for name in _cells(header_line, header, delimiter)] if header else []
    if "cards" not in columns:
        raise _error(header_line, "header", header, _NO_CARDS if header else _NAME_COLUMNS)
    previous = 0
    for number, line in rows:
        cells = _cells(number, line, delimiter)
        if len(cells) != len(columns):
            remedy = _VALUES.filled(number=len(cells), columns=len(columns))
            raise _error(number, "row", line, remedy)
        row = dict(zip(columns, cells, strict=True))
        press = _whole(number, "press", row["press"], 10**9) if "press" in row else previous + 1
        if press not in (1, previous + 1):
            raise _error(number, "press", row["press"], _PRESS_LEFT_OUT.filled(number=previous + 1))
        previous = press
        yield number, press == 1, _whole(number, "cards", row["cards"], MAX_BURST_CARDS)


def _cells(number: int, line: str, delimiter: str) -> Sequence[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise _error(number, "row", line, _PLAIN.filled(error=error)) from error


def _whole(line: int, column: str, text: str, highest: int) -> int:
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) <= len(str(highest)) and int(text) <= highest:
        return int(text)
    raise _error(line, column, text, _WHOLE.filled(most=highest))
