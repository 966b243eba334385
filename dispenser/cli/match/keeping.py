"""Saving a match at the terminal, and saying where it is."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from dispenser.cli.match import texts
from dispenser.cli.match.paper import Paper
from dispenser.cli.match.saved import MatchFile
from dispenser.cli.rules.output import why
from dispenser.rules import Game


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
            reason = why(error, self._paper.language)
            self._paper.say(texts.NOT_SAVED[self._paper.language].format(wanted, reason), "red")
            return False
        self._say_saved(wanted, saved)
        return True

    def save_at_last(self) -> None:
        """Save, if need be in another folder: nobody can be asked any more.

        :raises OSError: it cannot be saved anywhere.
        """
        wanted, language = self._file.path, self._paper.language
        try:
            trouble, saved = None, self._file.write(self._game)
        except OSError as error:
            trouble, saved = error, self._file.write_anywhere(self._game)
        with suppress(OSError):  # the terminal may be gone, too
            self._paper.say("")
            if trouble is None:
                self._say_saved(wanted, saved)
            else:
                told = texts.SAVED_ELSEWHERE[language].format(wanted, why(trouble, language), saved.absolute())
                self._paper.say(told, "red")

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
        told = texts.SAVED if saved.name == wanted.name else texts.SAVED_BESIDE
        places = (saved,) if told is texts.SAVED else (wanted, saved)
        self._paper.say(told[self._paper.language].format(*places))
