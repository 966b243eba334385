"""What the ``rules`` commands have in common: the name of a game, ``--option name=value``, and wrong ones of both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Final

import typer

from dispenser.cli.rules.output import UsageError
from dispenser.luck.odds import PRESETS

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

    :raises UsageError: there is no such game.
    """
    from dispenser.rules.book import BookError
    from dispenser.rules.library import game_named

    try:
        return game_named(name).id
    except BookError as error:
        raise UsageError(error.text.en, error.text.fr) from error


def no_such_odds(name: str) -> UsageError:
    """For the name of odds that there are not."""
    known = ", ".join(PRESETS)
    return UsageError(
        f"--odds {name}: there are no such odds; there are {known}",
        f"--odds {name}\u00a0: ce réglage du hasard n’existe pas\u00a0; il y a {known}",
    )


def read_options(game: str, given: Sequence[str] | None) -> dict[str, int | str | bool]:
    """Options by name, as ``new_game`` takes them.

    :param game: its ID.
    :raises UsageError: no ``=``, no such option, or a value that it cannot have.
    """
    from dispenser.rules.library import book_of

    forms = {option.name: type(option.default) for option in book_of(game).options}
    options: dict[str, int | str | bool] = {}
    for text in given or ():
        name, sign, value = (part.strip() for part in text.partition("="))
        if not sign:
            raise UsageError(f"--option {text}: write NAME=VALUE", f"--option {text}\u00a0: écris NOM=VALEUR")
        name = name.lower()
        if name not in forms:
            known = ", ".join(forms)
            raise UsageError(
                f"--option {name}: {game} has no such option; it has {known}",
                f"--option {name}\u00a0: {game} n’a pas cette option\u00a0; ses options sont\u00a0: {known}",
            )
        options[name] = _as(forms[name], name, value)
    return options


@contextmanager
def named_as_typed(seats: int, options: Mapping[str, int | str | bool]) -> Iterator[None]:
    """What the rules engine finds wrong with a game is said with the name of the option it was typed for.

    :raises UsageError: instead of the engine's errors.
    """
    from dispenser.rules import OptionError

    try:
        yield
    except OptionError as error:
        if error.remedy:
            name, value = error.remedy
            raise UsageError(
                f"--seats {seats} --option {name}: {error.wrong.en}: give --option {name}={value}",
                f"--seats {seats} --option {name}\u00a0: {error.wrong.fr}\u00a0: donne --option {name}={value}",
            ) from error
        wrong = error.option
        typed = f"--option {wrong}={options[wrong]}" if wrong is not None else f"--seats {seats}"
        raise UsageError(f"{typed}: {error}", f"{typed}\u00a0: {error.text.fr}") from error


def _as(form: type, name: str, value: str) -> int | str | bool:
    if form is bool:
        if value.lower() not in _YES | _NO:
            raise UsageError(
                f"--option {name}={value}: write yes or no", f"--option {name}={value}\u00a0: écris oui ou non"
            )
        return value.lower() in _YES
    if form is int:
        try:
            return int(value)
        except ValueError:
            typed = f"--option {name}={value[:20]}"
            raise UsageError(f"{typed}: write a whole number", f"{typed}\u00a0: écris un nombre entier") from None
    return value
