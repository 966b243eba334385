"""Every error of the rules engine says what is wrong in English and in French; no place that raises one is left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import pytest

from dispenser.i18n import SpokenError
from dispenser.rules import (
    Game,
    OptionError,
    RecordError,
    from_json,
    new_game,
    record,
)
from dispenser.rules.book import UnknownRuleError
from dispenser.rules.engine.errors import NothingToUndoError
from dispenser.rules.engine.game import Action, Deed
from dispenser.rules.engine.moves import lay
from dispenser.rules.library import rule_of
from dispenser.rules.record import from_document, to_document
from dispenser.rules.words.notation import NotationError, read_card, read_move
from tests.rules.bilingual import caught, leaks
from tests.rules.tables import random_actions

KEYS: Final = frozenset(
    {
        "play",
        "fulfil",
        "begin",
        "answer",
        "penalise",
        "hand_size",
        "hand",
        "turn",
        "reload",
        "count",
        "round",
        "scores",
        "secret",
    }
)
"""Names of actions and of parts of the position, as they stand in a file."""

Case = tuple[Callable[[], object], type[SpokenError], str]


def match(actions: int = 60) -> Game:
    game = new_game("uno", 3, seed=4)
    random_actions(game, 4, actions)
    return game


def document(**changes: object) -> Callable[[], object]:
    """Read a match that was altered."""
    return lambda: from_document(to_document(match()) | changes)


def altered_position(**changes: object) -> Callable[[], object]:
    def read() -> object:
        written = to_document(match())
        written["position"] |= changes
        return from_document(written)

    return read


def altered_seat() -> object:
    written = to_document(match())
    written["actions"][0][1] = 2
    return from_document(written)


def amended(number: int) -> Callable[[], object]:
    def amend() -> None:
        game = match()
        game.amend(number, Action(Deed.PLAY, 0, lay(255)))

    return amend


def undone_and_altered() -> object:
    game = match()
    game.undo()
    return from_document(to_document(game) | {"undone": [["begin", None, {}]]})


def pressing(text: str) -> Callable[[], object]:
    game = new_game("uno-extreme", 3, seed=7)
    game.begin(dealer=2, hands=[[1, 14], [3, 4], [5, 6]], first=0)
    return lambda: read_move(game, 0, text)


def jokers(text: str) -> Callable[[], object]:
    game = new_game("151", 3, seed=3)
    game.begin(dealer=2, hands=[[52, 1, 2, 7], [3, 4, 5], [6, 8, 9]], first=14)
    return lambda: read_move(game, 0, text)


CASES: Final[Mapping[str, Case]] = {
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
    "yes or no": (
        lambda: new_game("huit-americain", 3, {"jokers": 2}),
        OptionError,
        "valeurs possibles\u00a0: false, true",
    ),
    "line of text": (
        lambda: new_game("uno-extreme", 3, {"custom-rule": 5}),
        OptionError,
        "texte, 200 caractères au plus",
    ),
    "packs": (
        lambda: new_game("huit-americain", 7),
        OptionError,
        "8 à chacun des 7 joueurs et une retournée, mais «\u00a0packs\u00a0» = 1 n’en donne que 52 (H-01)\u00a0: mets",
    ),
    "undo": (lambda: new_game("uno", 3).undo(), NothingToUndoError, "rien à annuler\u00a0: c’est le début"),
    "redo": (lambda: match().redo(), NothingToUndoError, "rien à refaire\u00a0: aucune action"),
    "no such action to amend": (
        amended(60),
        RecordError,
        "il n’y a pas d’action 60\u00a0: celles de la partie vont de 0 à 59",
    ),
    "amended against the rules": (
        amended(2),
        RecordError,
        "après ce changement, l’action 2 est contraire aux règles\u00a0: ",
    ),
    "JSON": (lambda: from_json('{"a":\n }'), RecordError, "enregistrée\u00a0: JSON illisible"),
    "no table": (lambda: record.check_end(match(), []), RecordError, "ce n’est pas une partie enregistrée"),
    "format": (document(format="pgn"), RecordError, '"format" doit être "dispenser-match"'),
    "version": (document(version=3), RecordError, "version 3 du format\u00a0; ce programme lit la version 2"),
    "seed": (document(seed="x"), RecordError, '"seed" ne peut pas valoir "x"'),
    "no such match": (
        document(options={"target": 3}),
        RecordError,
        "cette partie ne peut pas exister\u00a0: l’option «\u00a0target\u00a0» de uno ne peut pas valoir 3",
    ),
    "against the rules": (
        document(actions=[["play", 0, {"act": "draw"}]]),
        RecordError,
        "l’action 1 est contraire aux règles\u00a0: aucune manche en cours\u00a0: distribue d’abord (G-06)",
    ),
    "undone against the rules": (
        undone_and_altered,
        RecordError,
        "l’action annulée 1 est contraire aux règles\u00a0: ",
    ),
    "seat": (altered_seat, RecordError, "est notée pour la place 2, mais c’est celle de la place null"),
    "no actions": (document(actions=5), RecordError, '"actions" doit être une liste de 1000000 actions au plus'),
    "no action": (document(actions=[["play"]]), RecordError, '["play"] n’est pas une action de ce jeu'),
    "position": (document(position=None), RecordError, '"position" manque\u00a0: le fichier a été tronqué'),
    "altered position": (altered_position(scores=[9, 9, 9]), RecordError, "scores vaut [0, 0, 0] et non [9, 9, 9]"),
    "no card": (
        lambda: read_card(new_game("uno", 3), "xyzzy"),
        NotationError,
        "«\u00a0xyzzy\u00a0» n’est pas une carte de ce jeu",
    ),
    "no move": (jokers("xyzzy"), NotationError, "«\u00a0xyzzy\u00a0» n’est pas un coup connu ici"),
    "keys of no letter": (jokers("\x1b[A"), NotationError, "«\u00a0␛[A\u00a0» n’est pas"),
    "nobody to be caught": (
        pressing("faute"),
        NotationError,
        "dis qui tu prends en faute\u00a0; personne",
    ),
    "not the whole of a move": (
        jokers("joker"),
        NotationError,
        "n’est pas un coup entier\u00a0; écris-le jusqu’au bout",
    ),
    "letter": (jokers("z"), NotationError, "«\u00a0z\u00a0» n’est pas un coup connu ici"),
    "no such rule": (
        lambda: rule_of("E-99"),
        UnknownRuleError,
        "il n’y a pas de règle «\u00a0E-99\u00a0»\u00a0; les règles sont\u00a0: G-01 à G-06, E-01 à E-32,",
    ),
}
"""What raises an error, of which class, and some of the French text."""


@pytest.mark.parametrize("name", CASES)
def test_what_is_wrong_is_said_in_both_languages(name: str) -> None:
    attempt, kind, french = CASES[name]
    error = caught(attempt)
    assert type(error) is kind
    assert french in error.text.fr
    assert leaks(error.text, KEYS) == []
    assert str(error) == error.text.en
