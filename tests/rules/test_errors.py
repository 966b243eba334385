"""Every error of the rules engine, but for those of records, says what is wrong in English and in French."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from dispenser.i18n import SpokenError
from dispenser.rules import Game, OptionError, RecordError, new_game
from dispenser.rules.book import UnknownRuleError
from dispenser.rules.engine.errors import NothingToUndoError
from dispenser.rules.engine.game import Action, Deed
from dispenser.rules.engine.moves import lay
from dispenser.rules.library import rule_of
from dispenser.rules.words.notation import NotationError, read_card, read_move
from tests.rules.bilingual import caught, leaks
from tests.rules.tables import random_actions

Case = tuple[Callable[[], object], type[SpokenError], str]


def match() -> Game:
    game = new_game("uno", 3, seed=4)
    random_actions(game, 4, 60)
    return game


def amended(number: int) -> Callable[[], object]:
    return lambda: match().amend(number, Action(Deed.PLAY, 0, lay(255)))


def typed(game_id: str, text: str) -> Callable[[], object]:
    game = new_game(game_id, 3, seed=3)
    game.begin(dealer=2, hands=[[52, 1, 2, 7], [3, 4, 5], [6, 8, 9]], first=14)
    return lambda: read_move(game, 0, text)


CASES: Final[dict[str, Case]] = {
    "no such game": (lambda: new_game("bridge", 3), OptionError, "aucun jeu ne s’appelle «\u00a0bridge\u00a0»"),
    "seats": (lambda: new_game("uno", 11), OptionError, "uno se joue de 2 à 10 joueurs, pas à 11"),
    "bursts": (lambda: new_game("uno", 3, bursts=()), OptionError, "un au moins, et non []"),
    "no such option": (
        lambda: new_game("uno", 3, {"jokers": True}),
        OptionError,
        "n’a pas d’option «\u00a0jokers\u00a0»\u00a0; ses options sont\u00a0: scoring, target",
    ),
    "range": (
        lambda: new_game("uno", 3, {"target": 20}),
        OptionError,
        "l’option «\u00a0target\u00a0» de uno ne peut pas valoir 20\u00a0; valeurs possibles\u00a0: de 50 à 2000",
    ),
    "word": (
        lambda: new_game("uno", 3, {"scoring": "best\x1b"}),
        OptionError,
        "«\u00a0best\\x1b\u00a0»\u00a0; valeurs possibles\u00a0: «\u00a0winner\u00a0», «\u00a0low-score\u00a0»",
    ),
    "yes or no": (lambda: new_game("huit-americain", 3, {"jokers": 2}), OptionError, "possibles\u00a0: false, true"),
    "line of text": (lambda: new_game("uno-extreme", 3, {"custom-rule": 5}), OptionError, "200 caractères au plus"),
    "packs": (lambda: new_game("huit-americain", 7), OptionError, "«\u00a0packs\u00a0» = 1 n’en donne que 52 (H-01)"),
    "undo": (lambda: new_game("uno", 3).undo(), NothingToUndoError, "rien à annuler\u00a0: c’est le début"),
    "redo": (lambda: match().redo(), NothingToUndoError, "rien à refaire\u00a0: aucune action"),
    "no such action to amend": (amended(60), RecordError, "celles de la partie vont de 0 à 59"),
    "amended against the rules": (amended(2), RecordError, "l’action 2 est contraire aux règles\u00a0: "),
    "no card": (lambda: read_card(new_game("uno", 3), "xyzzy"), NotationError, "n’est pas une carte de ce jeu"),
    "no move": (typed("151", "xyzzy"), NotationError, "«\u00a0xyzzy\u00a0» n’est pas un coup connu ici"),
    "keys of no letter": (typed("151", "\x1b[A"), NotationError, "«\u00a0␛[A\u00a0» n’est pas"),
    "letter": (typed("151", "z"), NotationError, "«\u00a0z\u00a0» n’est pas un coup connu ici"),
    "nobody to be caught": (typed("uno-extreme", "faute"), NotationError, "dis qui tu prends en faute\u00a0; personne"),
    "not the whole of a move": (typed("151", "joker"), NotationError, "n’est pas un coup entier\u00a0; écris-le"),
    "no such rule": (
        lambda: rule_of("E-99"),
        UnknownRuleError,
        "pas de règle «\u00a0E-99\u00a0»\u00a0; les",
    ),
}
"""What raises an error, of which class, and some of the French text."""


@pytest.mark.parametrize("name", CASES)
def test_what_is_wrong_is_said_in_both_languages(name: str) -> None:
    attempt, kind, french = CASES[name]
    error = caught(attempt)
    assert type(error) is kind
    assert french in error.text.fr
    assert leaks(error.text) == []
    assert str(error) == error.text.en
