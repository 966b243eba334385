"""The file of a match that was left: the match as the rules engine writes it down, and who sat at the table."""

from __future__ import annotations

import errno
import itertools
import json
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from dispenser.cli.file_errors import why
from dispenser.cli.match.names import AtTable, names_at_table
from dispenser.language import SpokenError, Text
from dispenser.luck.presets import PRESETS
from dispenser.rules import Game, RecordError, to_json
from dispenser.rules.record import FORMAT, check_end, open_document, parse, replay

KEY: Final = "table"
"""Beside the match in its document."""

_LONGEST: Final = 40
"""Letters of a wrong word that an error shows."""
_NO_FOLDER: Final = Text("there is no folder {folder}")
_NOT_WRITABLE: Final = Text("nothing can be written in {folder}")
_NO_MATCH: Final = Text("that file is there and is no match; give another name")
_WRONG_SEATING: Final = Text('"table" should have "names", a name for each seat, and "odds", a word')
_NO_SUCH_ODDS: Final = Text('"table": "odds" should be one of {known}, not "{wrong}"')


class SavingError(SpokenError):
    """A place where no match can be saved; the text says why."""


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits at the table, and at which launcher: what the rules engine has no use for.

    :ivar names: of the players, by seat; ``None`` on the first is a person who gave none.
    :ivar odds: what the launcher does: the name of a preset.
    """

    names: AtTable
    odds: str


def seating_of(document: object, seats: int) -> Seating | None:
    """The seating in a document; ``None`` when it has none.

    :raises RecordError: it is damaged.
    """
    found: Any = document.get(KEY) if isinstance(document, dict) else None
    if found is None:
        return None
    names, odds = (found.get("names"), found.get("odds")) if isinstance(found, dict) else (None, None)
    if not isinstance(names, list) or len(names) != seats or not isinstance(odds, str):
        raise RecordError(_WRONG_SEATING)
    said = [*(names[1:] if names[:1] == [None] else names), odds]
    if not all(isinstance(name, str) and name.isprintable() and name.strip() for name in said):
        raise RecordError(_WRONG_SEATING)
    if odds.lower() not in PRESETS:
        raise RecordError(_NO_SUCH_ODDS.filled(known=", ".join(PRESETS), wrong=odds[:_LONGEST]))
    return Seating(names_at_table(names), odds)


def read_match(path: Path) -> tuple[Game, Seating | None]:
    """A match to be played on.

    :raises OSError: the file cannot be read.
    :raises RecordError: it is no match, or damaged.
    """
    document = parse(path.read_bytes())
    game, actions = open_document(document)
    for _ in replay(game, actions):
        pass
    check_end(game, document)
    return game, seating_of(document, game.seats)


class MatchFile:
    """Where a match is saved. What is there already is never lost, but for an older state of the same match.

    :param own: the match was read from there.
    :ivar wanted: somebody has named the place, so a match that is over goes there, too.
    """

    def __init__(self, path: Path, seating: Seating, *, own: bool, wanted: bool = False) -> None:
        self.path = path
        self.wanted = wanted or own
        self._seating = seating
        self._own = own

    def check(self) -> None:
        """Look at the place before there is anything to lose.

        :raises SavingError: nothing can be saved there.
        """
        folder = self.path.parent
        if self.path.is_dir():
            raise SavingError(why(IsADirectoryError(errno.EISDIR, "")))
        if not folder.is_dir():
            raise SavingError(_NO_FOLDER.filled(folder=folder))
        try:
            with tempfile.TemporaryFile(dir=folder):  # that is allowed in /proc, too, but does not work there
                pass
        except OSError:
            raise SavingError(_NOT_WRITABLE.filled(folder=folder)) from None
        if self.path.exists() and not _is_match(self.path):
            raise SavingError(_NO_MATCH)

    def write(self, game: Game, elsewhere: Path | None = None) -> Path:
        """Save the match.

        :param elsewhere: instead of where it was to go.
        :returns: where it is now: under another name when there is a file of that name.
        :raises OSError: that did not work; nothing has changed.
        """
        text = f'{to_json(game).rstrip().removesuffix("}").rstrip()},\n "{KEY}": {_as_json(self._seating)}}}\n'
        if elsewhere is None and self._own:
            _replace(self.path.resolve(), text)
            return self.path
        wanted = elsewhere or self.path
        if wanted.is_dir():
            raise IsADirectoryError(errno.EISDIR, "a folder", str(wanted))
        return _write_new(wanted, text)

    def write_anywhere(self, game: Game) -> Path:
        """Save a match that would be lost otherwise: where it was to go, else in this folder, else at home.

        :raises OSError: none of that worked; it says why it cannot go where it was to go.
        """
        try:
            return self.write(game)
        except OSError:
            for folder in _other_folders():
                with suppress(OSError):
                    return self.write(game, folder / self.path.name)
            raise


def _other_folders() -> Iterator[Path]:
    yield Path()
    with suppress(RuntimeError):  # nobody knows where home is
        yield Path.home()
    yield Path(tempfile.gettempdir())


def _replace(path: Path, text: str) -> None:
    """The old file stays as it is until the new one is whole."""
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def _write_new(wanted: Path, text: str) -> Path:
    for path in _names(wanted):
        try:
            file = path.open("x", encoding="utf-8")
        except FileExistsError:
            continue
        try:
            with file:
                file.write(text)
        except OSError:
            path.unlink()
            raise
        return path
    raise AssertionError("there is always another name")


def _names(path: Path) -> Iterator[Path]:
    """``uno-7.json``, ``uno-7-2.json``, ``uno-7-3.json`` …"""
    yield path
    for number in itertools.count(2):
        yield path.with_name(f"{path.stem}-{number}{path.suffix}")


def _is_match(path: Path) -> bool:
    try:
        document = parse(path.read_bytes())
    except (OSError, RecordError):
        return False
    return isinstance(document, dict) and document.get("format") == FORMAT


def _as_json(seating: Seating) -> str:
    return json.dumps(asdict(seating), ensure_ascii=False)
