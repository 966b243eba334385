"""Named odds, and odds from a settings table.

A settings table, as it stands under ``[odds]`` in the configuration::

    preset = "toy"                       # toy, gentle, wild or family; or
    recording = "saturday.csv"           # presses recorded at a real launcher
    cap = 12                             # limit of cards in one burst; a larger burst is cut

    [odds.fire]                          # overrides the preset or the recording
    policy = "memoryless"                # toy, memoryless, countdown, rising, empirical
    probability = 0.4

    [odds.size]
    kind = "uniform"                     # fixed, uniform, geometric, empirical
    low = 3
    high = 8

``OddsDesign.describe()`` returns such a table, complete, for the journal; see ``policies.py`` for all keys.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, json

from dispenser.config import TableError, WrongValueError, closest, error_at, read, short_toml
from dispenser.config.errors import Path, prefixed
from dispenser.i18n import Text, listed, why
from dispenser.launcher.messages import MAX_BURST_CARDS
from dispenser.odds import policies as p
from dispenser.odds.policies import AnyFire, AnySize, Cards

DEFAULT_CAP = 12
"""Default limit of cards in one burst (assumed: a burst takes about a second)."""

ReadLines = Callable[[str], Iterable[str]]
_NAME_COLUMNS: Final = Text("write a first line that names the columns: press,cards")
_NO_CARDS: Final = Text("no column is called cards; write a first line that names the columns: press,cards")
_NO_BURST: Final = Text("no press brought a card; record on until some have")
_TOO_FEW: Final = Text("too few bursts after many duds: {why}")
_VALUES: Final = Text("{number} values for {columns} columns; write one value for each column")
_PRESS_LEFT_OUT: Final = Text("press {number} was expected; leave no press out (a dud is 0 cards)")
_PLAIN: Final = Text("{error}; write plain values without quotes")
_WHOLE: Final = Text("write a whole number from 0 to {most}")
_STREAM: Final = Text("write {stream}").filled(stream="hmac-sha256/1")
_CAP: Final = Text("write a whole number of cards from 1 to {most}")
_TOO_SMALL: Final = Text("the smallest burst has {fewest} cards and would always be cut; write {fewest} to {most}")
_LEAVE_PRESET_OUT: Final = Text("leave it out: recording is there already")
_NO_FILES: Final = Text("files cannot be read here; write fire and size instead")
_UNREADABLE: Final = Text("cannot be read ({error}); name a CSV text file")


class OddsSettingsError(TableError):
    """Invalid odds: the key or the line, the wrong value, and what to write."""


class OddsDesign(Struct, frozen=True):
    """Odds without a seed: fire policy, burst size, and the cap on a burst.

    :param name: the preset's name, ``recording`` or ``custom``; for people.
    """

    name: str
    fire: AnyFire
    size: AnySize
    cap: Cards = DEFAULT_CAP
    stream: Annotated[Literal["hmac-sha256/1"], Meta(extra={"hint": _STREAM})] = "hmac-sha256/1"

    def __post_init__(self) -> None:
        fewest = self.size.chances()[0][0]
        if not fewest <= self.cap <= MAX_BURST_CARDS:
            raise WrongValueError(_TOO_SMALL.filled(fewest=fewest, most=MAX_BURST_CARDS), "cap")

    def sizes(self) -> tuple[tuple[int, float], ...]:
        """Return (cards, probability) pairs of a burst, cards rising; larger bursts are cut to the cap."""
        chances, rest = self.size.chances(), 1.0
        within = [(cards, chance) for cards, chance in chances if cards < self.cap]
        for _, chance in within:
            rest -= chance
        return (*within, (self.cap, rest)) if chances[-1][0] >= self.cap else tuple(within)

    def describe(self) -> dict[str, Any]:
        """Return a dict for JSON from which ``design_from_description`` builds an equal design."""
        described: dict[str, Any] = json.decode(json.encode(self))
        return described


PRESETS: Mapping[str, OddsDesign] = MappingProxyType(
    {
        # The original: its fixed table, 3 to 8 cards.
        "toy": OddsDesign("toy", p.ToyTable(), p.Uniform(3, 8), cap=8),
        # For beginners and small hands: a dud after every burst, never more than 4 duds, few cards.
        "gentle": OddsDesign("gentle", p.Countdown(min_duds=1, max_duds=4), p.Uniform(1, 4), cap=4),
        # No pattern: bursts in a row or long dry runs, sometimes with many cards.
        "wild": OddsDesign("wild", p.Memoryless(0.4), p.Geometric(2, 12, ratio=0.9), cap=12),
        # Rising: every dud makes the next press more likely to fire, and the sixth press fires for certain.
        "family": OddsDesign("family", p.Rising(first=0.15, step=0.17, highest=1.0), p.Uniform(2, 6), cap=6),
    }
)


class _Settings(Struct):
    """The table ``[odds]``."""

    preset: str | UnsetType = UNSET
    recording: str | UnsetType = UNSET
    cap: Cards | UnsetType = UNSET
    fire: AnyFire | UnsetType = UNSET
    size: AnySize | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.recording and self.preset:
            raise WrongValueError(_LEAVE_PRESET_OUT, "preset")
        if self.preset is not UNSET and self.preset not in PRESETS:
            raise WrongValueError(closest(self.preset, PRESETS), "preset")


def design_from_settings(
    settings: Mapping[str, object],
    *,
    read_lines: ReadLines | None = None,
    max_cards: int = MAX_BURST_CARDS,
    path: Path = (),
) -> OddsDesign:
    """Build a design from a settings table; an empty one means the toy.

    :param read_lines: returns the lines of the file that ``recording`` names; without it that key is refused.
    :param max_cards: the machine's limit for one burst: the cap is lowered to it.
    :param path: place of the table in its file.
    :raises OddsSettingsError: each wrong key, its value and what to write.
    """
    table = read(settings, _Settings, path=path, error=OddsSettingsError)
    base = PRESETS[table.preset or "toy"]
    if table.recording is not UNSET:
        recorded = _recording(table.recording, read_lines, (*path, "recording"))
        base = OddsDesign("recording", *recorded, MAX_BURST_CARDS)
    fire, size = table.fire or base.fire, table.size or base.size
    cap = min(base.cap if size is base.size else DEFAULT_CAP, max_cards)
    if table.cap is not UNSET:
        cap = table.cap
    if cap > max_cards:
        raise OddsSettingsError(error_at((*path, "cap"), _CAP.filled(most=max_cards), cap))
    name = base.name if (fire, size) == (base.fire, base.size) else "custom"
    try:
        return OddsDesign(name, fire, size, cap)
    except WrongValueError as error:
        raise OddsSettingsError(error_at((*path, "cap"), error.text, cap)) from error


def design_from_description(description: Mapping[str, object]) -> OddsDesign:
    """Return the design from ``describe()``; raise ``OddsSettingsError`` if invalid, such as for another stream."""
    return read(description, OddsDesign, error=OddsSettingsError)


def _recording(name: str, read_lines: ReadLines | None, place: Path) -> tuple[p.EmpiricalFire, p.EmpiricalSize]:
    if read_lines is None:
        raise OddsSettingsError(error_at(place, _NO_FILES, name))
    try:
        return parse_recording(read_lines(name))
    except OSError as error:
        text = _UNREADABLE.filled(error=why(error))
    except UnicodeError:
        text = _UNREADABLE.filled(error=Text("this is no text in UTF-8"))
    except OddsSettingsError as error:
        text = error.text
    raise OddsSettingsError(error_at(place, text, name))


def _error(line: int, column: str, value: str | None, hint: Text) -> OddsSettingsError:
    place = Text("line {line}, {column}").filled(line=str(line), column=column)
    written = "" if value is None else f" = {short_toml(value)}"
    return OddsSettingsError(prefixed(listed([place, written], between=""), hint))


def parse_recording(lines: Iterable[str]) -> tuple[p.EmpiricalFire, p.EmpiricalSize]:
    """Return the distribution of presses recorded at a real launcher, one row per press, in order::

        press,cards
        1,0
        2,5
        3,0

    ``press`` is optional; it counts up by one, and is 1 again after power-on or the lid. Other columns are ignored, so
    are empty lines and lines that begin with ``#``. The separator may be a semicolon.

    :raises OddsSettingsError: the line, the column, the wrong value and what to write.
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
    # Beyond the longest streak that ended in a burst only duds are known: those presses count for the last probability,
    # so that a launcher with a long dry run does not seem certain to fire there.
    pressed[longest] += sum(presses for streak, presses in pressed.items() if streak > longest)
    streaks = range(longest + 1)
    try:
        fire = p.EmpiricalFire(tuple(fired[d] for d in streaks), tuple(pressed[d] for d in streaks))
    except WrongValueError as error:
        raise _error(last_line, "cards", None, _TOO_FEW.filled(why=error.text)) from error
    return fire, p.EmpiricalSize(dict(sizes))


def _rows(lines: Iterable[str]) -> Iterator[tuple[int, bool, int]]:
    """Yield (line, whether the launcher restarted, cards) for each press."""
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
