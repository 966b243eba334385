"""The file of a match that was left: the match as the rules engine writes it down, and who sat at the table."""

from __future__ import annotations

import errno
import itertools
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from dispenser.config.errors import cut
from dispenser.i18n import Text
from dispenser.odds.presets import PRESETS
from dispenser.rules import Game, RecordError, to_json
from dispenser.rules.record import from_document, parse
from dispenser.rules.words.phrases import Name

ME: Final = 0
"""The seat of the person."""
KEY: Final = "table"
"""Beside the match in its document."""

_WRONG_SEATING: Final = Text('"table" should have "names", a name for each seat, and "odds", a word')
_NO_SUCH_ODDS: Final = Text('"table": "odds" should be one of {known}, not "{wrong}"')


class Seating(msgspec.Struct, frozen=True):
    """Who sits at the table, and at which launcher: what the rules engine has no use for.

    :ivar names: of the players, by seat; ``None`` on the first is a person who gave none.
    :ivar odds: what the launcher does: the name of a preset.
    """

    names: tuple[str | None, ...]
    odds: str

    def called(self, nobody: Name) -> tuple[Name, ...]:
        """The names, and what the person is called who has none: in the picture, in a move, in a match told again."""
        return tuple(nobody if name is None else name for name in self.names)


def seating_of(document: Any, seats: int) -> Seating | None:
    """The seating in a document; ``None`` when it has none.

    :raises RecordError: it is damaged.
    """
    if (found := document.get(KEY)) is None:
        return None
    try:
        seating = msgspec.convert(found, Seating)
    except msgspec.ValidationError as error:
        raise RecordError(_WRONG_SEATING) from error
    said = [*(seating.names[1:] if seating.names[:1] == (None,) else seating.names), seating.odds]
    if len(seating.names) != seats or not all(word and word.isprintable() and word.strip() for word in said):
        raise RecordError(_WRONG_SEATING)
    if seating.odds.lower() not in PRESETS:
        raise RecordError(_NO_SUCH_ODDS.filled(known=", ".join(PRESETS), wrong=cut(seating.odds)))
    return seating


def read_match(path: Path) -> tuple[Game, Seating | None]:
    """A match to be played on.

    :raises OSError: the file cannot be read.
    :raises RecordError: it is no match, or damaged.
    """
    document = parse(path.read_bytes())
    game = from_document(document)
    return game, seating_of(document, game.seats)


class MatchFile:
    """Where a match is saved. What is there already is never lost, but for an older state of the same match.

    :param own: the match was read from there.
    :ivar wanted: somebody has named the place, so a match that is over goes there, too.
    """

    def __init__(self, path: Path, seating: Seating, *, own: bool, wanted: bool = False) -> None:
        self.path = path
        self.seating = seating
        self.wanted = wanted or own
        self._own = own

    def write(self, game: Game, elsewhere: Path | None = None) -> Path:
        """Save the match.

        :param elsewhere: instead of where it was to go.
        :returns: where it is now: under another name when there is a file of that name.
        :raises OSError: that did not work; nothing has changed.
        """
        match, table = to_json(game).rstrip().removesuffix("}").rstrip(), msgspec.json.encode(self.seating).decode()
        text = f'{match},\n "{KEY}": {table}}}\n'
        wanted = elsewhere or self.path
        if elsewhere is None and self._own:
            _replace(wanted.resolve(), text)
            return wanted
        if wanted.is_dir():
            raise IsADirectoryError(errno.EISDIR, "a folder", str(wanted))
        return _write_new(wanted, text)

    def write_anywhere(self, game: Game) -> tuple[Path, OSError | None]:
        """Save a match that would be lost otherwise: where it was to go, else here, else beside temporary files.

        :returns: where it is now, and why it is not where it was to go.
        :raises OSError: none of that worked; it says why it cannot go where it was to go.
        """
        try:
            return self.write(game), None
        except OSError as error:
            for folder in (Path(), Path(tempfile.gettempdir())):
                with suppress(OSError):
                    return self.write(game, folder / self.path.name), error
            raise


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
    """To ``uno-7.json``, else to ``uno-7-2.json``, ``uno-7-3.json`` …, the first that is free."""
    names = (wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}") for number in itertools.count(2))
    for path in itertools.chain([wanted], names):
        with suppress(FileExistsError), path.open("x", encoding="utf-8") as file:
            try:
                file.write(text)
                file.flush()
            except OSError:
                path.unlink()
                raise
            return path
    raise AssertionError("there is always another name")
