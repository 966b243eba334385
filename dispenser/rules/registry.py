"""The five games by their names, and how a match of one is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from dispenser.rules.book import BookError, book_of
from dispenser.rules.book.entry import FreeText
from dispenser.rules.cent_cinquante_et_un import CentCinquanteEtUn
from dispenser.rules.errors import OptionError
from dispenser.rules.game import TOY_BURSTS, Game
from dispenser.rules.huit_americain import HuitAmericain
from dispenser.rules.uno import Uno
from dispenser.rules.uno_extreme import UnoExtreme
from dispenser.rules.uno_vache import UnoVache

GAMES: Final[Mapping[str, type[Game]]] = {
    game.game_id: game for game in (UnoExtreme, Uno, HuitAmericain, CentCinquanteEtUn, UnoVache)
}


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
        book = book_of(game_id)
    except BookError as error:
        raise OptionError(str(error)) from error
    if seats not in book.seats:
        raise OptionError(f"{game_id} is for {book.seats[0]} to {book.seats[-1]} players, not {seats}")
    if not bursts or min(bursts) < 0:
        raise OptionError(f"bursts must be numbers of cards, one at least, not {list(bursts)}")
    chosen = {option.name: option.default for option in book.options}
    for name, value in (options or {}).items():
        option = next((option for option in book.options if option.name == name), None)
        if option is None:
            raise OptionError(f"{game_id} has no option {name!r}; it has {', '.join(chosen)}")
        if type(value) is not type(option.default) or value not in option.values:
            raise OptionError(f"option {name!r} of {game_id} can be {_range(option.values)}, not {value!r}")
        chosen[name] = value
    return GAMES[game_id](seats, chosen, hidden=hidden, seed=seed, bursts=bursts)


def _range(values: Sequence[object] | FreeText) -> str:
    if isinstance(values, FreeText):
        return values.text.en
    if isinstance(values, range):
        return f"{values[0]} to {values[-1]}"
    return ", ".join(map(repr, values))
