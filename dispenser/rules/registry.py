"""The games by their names, one line each, and how a match of one is made."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, Final

from dispenser.rules.book import UnknownGameError
from dispenser.rules.book.entry import FreeText, Text
from dispenser.rules.book.errors import in_quotes
from dispenser.rules.engine.errors import OptionError
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.launcher import TOY_BURSTS
from dispenser.rules.games import cent_cinquante_et_un, huit_americain, uno, uno_extreme, uno_vache
from dispenser.rules.games.folder import GameFolder

GAMES: Final[dict[str, GameFolder]] = {
    folder.game_id: folder
    for folder in (
        uno_extreme.GAME,
        uno.GAME,
        huit_americain.GAME,
        cent_cinquante_et_un.GAME,
        uno_vache.GAME,
    )
}


def folder_of(game_id: str) -> GameFolder:
    """The game of that name.

    :raises UnknownGameError: there is none.
    """
    if game_id not in GAMES:
        raise UnknownGameError(_no_game(game_id))
    return GAMES[game_id]


def new_game(
    game_id: str,
    seats: int,
    options: Mapping[str, Any] | None = None,
    *,
    hidden: bool = False,
    seed: int | None = None,
    bursts: Sequence[int] = TOY_BURSTS,
) -> Game:
    """A match before its first deal.

    :param game_id: ``uno-extreme``, ``uno``, ``huit-americain``, ``151`` or ``uno-vache``.
    :param options: what differs from the defaults; ``dispenser rules show GAME`` lists them.
    :raises OptionError: naming the option, what stands there and what to write.
    """
    try:
        folder = folder_of(game_id)
    except UnknownGameError as error:
        raise OptionError(error.text) from error
    book = folder.book
    if seats not in book.seats:
        least, most = book.seats[0], book.seats[-1]
        raise OptionError(
            Text(
                f"{game_id} is for {least} to {most} players, not {seats}",
                f"{game_id} se joue de {least} à {most} joueurs, pas à {seats}",
            )
        )
    if not bursts or min(bursts) < 0:
        raise OptionError(
            Text(
                f"bursts must be numbers of cards, one at least, not {list(bursts)}",
                f"«\u00a0bursts\u00a0» doit donner des nombres de cartes, un au moins, et non {list(bursts)}",
            )
        )
    chosen = {option.name: option.default for option in book.options}
    for name, value in (options or {}).items():
        option = next((option for option in book.options if option.name == name), None)
        if option is None:
            known = ", ".join(chosen)
            raise OptionError(
                Text(
                    f"{game_id} has no option {name!r}; it has {known}",
                    f"{game_id} n’a pas d’option {in_quotes(name)}\u00a0; ses options sont\u00a0: {known}",
                )
            )
        if type(value) is not type(option.default) or value not in option.values:
            allowed = _range(option.values)
            raise OptionError(
                Text(
                    f"option {name!r} of {game_id} can be {allowed.en}, not {value!r}",
                    f"l’option «\u00a0{name}\u00a0» de {game_id} ne peut pas valoir {_in_french(value)}\u00a0; valeurs "
                    f"possibles\u00a0: {allowed.fr}",
                ),
                option=name,
            )
        chosen[name] = value
    return Game(folder.rules(seats, chosen, hidden=hidden, seed=seed, bursts=bursts))


def _range(values: Sequence[object] | FreeText) -> Text:
    if isinstance(values, FreeText):
        return values.text
    if isinstance(values, range):
        return Text(f"{values[0]} to {values[-1]}", f"de {values[0]} à {values[-1]}")
    return Text(", ".join(map(repr, values)), ", ".join(map(_in_french, values)))


def _in_french(value: object) -> str:
    """A value of an option; yes and no are what they are in a recorded match."""
    if isinstance(value, bool):
        return str(value).lower()
    return in_quotes(value) if isinstance(value, str) else repr(value)


def _no_game(wanted: str) -> Text:
    games = ", ".join(GAMES)
    english, french = f"there is no game {wanted!r}", f"aucun jeu ne s’appelle {in_quotes(wanted)}"
    near = difflib.get_close_matches(wanted.lower(), GAMES, n=1)
    if near:
        return Text(
            f"{english}; did you mean {near[0]}?; the games are: {games}",
            f"{french}\u00a0; veux-tu dire {near[0]}\u00a0? Les jeux sont\u00a0: {games}",
        )
    return Text(f"{english}; the games are: {games}", f"{french}\u00a0; les jeux sont\u00a0: {games}")
