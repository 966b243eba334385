"""The table of all games, and ``new_game``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from dispenser.i18n import Text, listed
from dispenser.rules.book import FreeText, UnknownGameError
from dispenser.rules.engine.errors import OptionError
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.launcher import TOY_BURSTS
from dispenser.rules.engine.rounds import go_on
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
    """Return the game with that ID.

    :raises UnknownGameError: there is none.
    """
    if game_id not in GAMES:
        no_game = Text("there is no game {wanted!r}; the games are: {games}")
        raise UnknownGameError(no_game.filled(wanted=game_id, games=", ".join(GAMES)))
    return GAMES[game_id]


def new_game(
    game_id: str,
    seats: int,
    options: Mapping[str, Any] | None = None,
    *,
    hidden: bool = False,
    seed: int | None = None,
    bursts: Sequence[int] = TOY_BURSTS,
    scores: Sequence[int] = (),
    gone: Sequence[int] = (),
) -> Game:
    """Create a match before its first deal.

    :param game_id: ``uno-extreme``, ``uno``, ``huit-americain``, ``151`` or ``uno-vache``.
    :param options: values that differ from the defaults; ``dispenser rules show GAME`` lists the options.
    :param scores: by seat, of a match that began elsewhere; ``gone``: the seats that have left it.
    :raises IllegalMove: invalid scores or seats.
    :raises OptionError: with the option, its value and what to write.
    """
    try:
        folder = folder_of(game_id)
    except UnknownGameError as error:
        raise OptionError(error.text) from error
    book = folder.book
    if seats not in book.seats:
        least, most = book.seats[0], book.seats[-1]
        too_many = Text("{game_id} is for {least} to {most} players, not {seats}")
        raise OptionError(too_many.filled(game_id=game_id, least=least, most=most, seats=seats))
    if not bursts or min(bursts) < 0:
        raise OptionError(Text("bursts must be numbers of cards, one at least, not {given}").filled(given=list(bursts)))
    known = {option.name: option for option in book.options}
    chosen = {name: option.default for name, option in known.items()}
    for name, value in (options or {}).items():
        if (option := known.get(name)) is None:
            no_option = Text("{game_id} has no option {name!r}; it has {known}")
            raise OptionError(no_option.filled(game_id=game_id, name=name, known=", ".join(known)))
        if type(value) is not type(option.default) or value not in option.values:
            wrong = Text("option {name!r} of {game_id} can be {allowed}, not {value}")
            shown = {"allowed": _range(option.values), "value": _shown(value)}
            raise OptionError(wrong.filled(name=name, game_id=game_id, **shown), option=name)
        chosen[name] = value
    rules = folder.rules(seats, chosen, hidden=hidden, seed=seed, bursts=bursts)
    go_on(rules, scores, gone)
    return Game(rules)


def _range(values: Sequence[object] | FreeText) -> Text:
    if isinstance(values, FreeText):
        return values.text
    if isinstance(values, range):
        return Text("{low} to {high}").filled(low=values[0], high=values[-1])
    return listed(map(_shown, values))


def _shown(value: object) -> Text:
    """Format an option's value; yes and no as in a recorded match."""
    if isinstance(value, bool):
        return Text("{value}").filled(value=str(value).lower())
    return Text("{value!r}").filled(value=value)
