"""What the ``rules`` commands have in common: the name of a game, ``--option name=value``, and wrong ones of both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Final

import typer

OptionsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="NAME=VALUE", help="What the table has chosen; `rules show GAME` lists the options."
    ),
]

_YES: Final = frozenset({"yes", "oui", "true", "vrai"})
_NO: Final = frozenset({"no", "non", "false", "faux"})


def game_id_of(name: str) -> str:
    """The ID of a game, whose name may be written with capitals and accents: ``Uno Extrême``.

    :raises ValueError: there is no such game.
    """
    from dispenser.rules.book import BookError, game_named

    try:
        return game_named(name).id
    except BookError as error:
        raise ValueError(str(error)) from error


def read_options(game: str, given: Sequence[str] | None) -> dict[str, int | str | bool]:
    """Options by name, as ``new_game`` takes them.

    :param game: its ID.
    :raises ValueError: no ``=``, no such option, or a value that it cannot have.
    """
    from dispenser.rules.book import book_of

    forms = {option.name: type(option.default) for option in book_of(game).options}
    options: dict[str, int | str | bool] = {}
    for text in given or ():
        name, sign, value = (part.strip() for part in text.partition("="))
        if not sign:
            raise ValueError(f"--option {text}: write NAME=VALUE")
        name = name.lower()
        if name not in forms:
            raise ValueError(f"--option {name}: {game} has no such option; it has {', '.join(forms)}")
        options[name] = _as(forms[name], name, value)
    return options


@contextmanager
def named_as_typed(seats: int, options: Mapping[str, int | str | bool]) -> Iterator[None]:
    """What the rules engine finds wrong with a game is said with the name of the option it was typed for.

    :raises ValueError: instead of the engine's errors.
    """
    from dispenser.rules import OptionError
    from dispenser.rules.book import BookError

    try:
        yield
    except OptionError as error:
        if error.remedy:
            name, value = error.remedy
            raise ValueError(
                f"--seats {seats} --option {name}: {str(error).rpartition(':')[0]}: give --option {name}={value}"
            ) from error
        wrong = next((name for name in options if f"option {name!r} of" in str(error)), None)
        typed = f"--option {wrong}={options[wrong]}" if wrong else f"--seats {seats}"
        raise ValueError(f"{typed}: {error}") from error
    except BookError as error:
        raise ValueError(str(error)) from error


def _as(form: type, name: str, value: str) -> int | str | bool:
    if form is bool:
        if value.lower() not in _YES | _NO:
            raise ValueError(f"--option {name}={value}: write yes or no")
        return value.lower() in _YES
    if form is int:
        try:
            return int(value)
        except ValueError:
            raise ValueError(f"--option {name}={value[:20]}: write a whole number") from None
    return value
