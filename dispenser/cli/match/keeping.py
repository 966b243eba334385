"""Saving a match at the terminal, and saying where it is."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

from dispenser.cli.file_errors import why
from dispenser.cli.match.paper import Paper
from dispenser.cli.match.saved import MatchFile
from dispenser.language import Text
from dispenser.rules import Game

_SAVED: Final = Text("The match is saved in {place}.")
_SAVED_BESIDE: Final = Text("{wanted} is there already: the match is saved in {place}.")
_SAVED_ELSEWHERE: Final = Text("{wanted} cannot be written: {why}. The match is saved in {place} instead.")
_NOT_SAVED: Final = Text("The match could not be saved in {wanted}: {why}. Go on, or type q and another file name.")


class Keeping:
    """Saves a match, and tells the person."""

    def __init__(self, game: Game, file: MatchFile, paper: Paper) -> None:
        self._game = game
        self._file = file
        self._paper = paper

    def save(self, elsewhere: Path | None) -> bool:
        """Save where the person says, or where it was to go; when that does not work there are other places to name.

        :returns: whether it is saved.
        """
        wanted = elsewhere or self._file.path
        try:
            saved = self._file.write(self._game, elsewhere)
        except OSError as error:
            self._paper.say(_NOT_SAVED, style="red", wanted=wanted, why=why(error))
            return False
        self._say_saved(wanted, saved)
        return True

    def save_at_last(self) -> None:
        """Save, if need be in another folder: nobody can be asked any more.

        :raises OSError: it cannot be saved anywhere.
        """
        wanted = self._file.path
        try:
            trouble, saved = None, self._file.write(self._game)
        except OSError as error:
            trouble, saved = error, self._file.write_anywhere(self._game)
        with suppress(OSError):  # the terminal may be gone, too
            self._paper.say("")
            if trouble is None:
                self._say_saved(wanted, saved)
            else:
                self._paper.say(_SAVED_ELSEWHERE, style="red", wanted=wanted, why=why(trouble), place=saved.absolute())

    def save_when_over(self) -> None:
        """A match that is over is kept where somebody has named a place for it.

        :raises OSError: as ``save_at_last``.
        """
        if self._file.wanted:
            self.save_at_last()

    def save_silently(self) -> None:
        """Nothing can be printed any more.

        :raises OSError: as ``save_at_last``.
        """
        self._file.write_anywhere(self._game)

    def _say_saved(self, wanted: Path, saved: Path) -> None:
        told = _SAVED if saved.name == wanted.name else _SAVED_BESIDE
        self._paper.say(told, wanted=wanted, place=saved)
