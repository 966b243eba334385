"""Why a file is no TOML, in both languages: everything that Python may say is there in French, too."""

from __future__ import annotations

import ast
import inspect
import re
import tomllib
from collections.abc import Iterator
from types import ModuleType

import pytest

from dispenser.cli.rules.toml import why_no_toml
from tests.rules.bilingual import leaks

BROKEN = {
    "Zoé = 3": "ligne 1, colonne 3 : après une clé, il faut « = » ; une clé avec des accents ou des espaces se met",
    "[Zoé]": "ligne 1, colonne 4 : il manque « ] » derrière le nom",
    "[[a]": "ligne 1, colonne 4 : il manque « ]] » derrière le nom",
    "[é]": "ligne 1, colonne 2 : une clé ne commence pas ainsi ; une clé avec des accents",
    "!": "ligne 1, colonne 1 : il faut une ligne comme clé = valeur ou [table]",
    "a = 1 b = 2": "ligne 1, colonne 7 : il y a quelque chose de trop à la fin de la ligne",
    "a = red 7": "ligne 1, colonne 5 : cette valeur ne se lit pas ; un texte se met entre guillemets",
    "a = [1, 2": "fin du fichier : il manque « ] » à la fin de la liste",
    "a = {b = 1": "fin du fichier : il manque « } » à la fin de la table",
    "a = {b = 1, b = 2}": "ligne 1, colonne 18 : la clé « b » est là deux fois",
    "a = 1\na = 2": "fin du fichier : cette clé a déjà une valeur",
    "[a]\n[a]": "ligne 2, colonne 3 : la table « a » est là deux fois",
    'a = "x\n': "ligne 1, colonne 7 : un texte ne peut pas contenir « \\n »",
    'a = "\\y"': "ligne 1, colonne 8 : dans un texte, écris \\\\ pour \\",
    "a = 1979-02-31": "ligne 1, colonne 5 : cette date n’existe pas",
}


def error_of(text: str) -> tomllib.TOMLDecodeError:
    with pytest.raises(tomllib.TOMLDecodeError) as refusal:
        tomllib.loads(text)
    return refusal.value


@pytest.mark.parametrize(("text", "french"), BROKEN.items())
def test_what_is_wrong_and_where(text: str, french: str) -> None:
    told = why_no_toml(error_of(text))
    assert told.fr.replace("\u00a0", " ").startswith(french)
    assert told.en.startswith(str(error_of(text)))
    assert leaks(told) == []


def test_what_python_may_say_later_is_not_said_in_english() -> None:
    told = why_no_toml(tomllib.TOMLDecodeError("Something new is wrong (at line 3, column 4)"))
    assert told.fr == "ligne 3, colonne 4"


def reasons(module: ModuleType) -> Iterator[str]:
    """What a module makes errors of, names and signs in it left out."""
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "suffixed_err":
            text = node.args[-1]
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else "'x'"
                for part in (text.values if isinstance(text, ast.JoinedStr) else [text])
            )


def test_every_reason_of_python_is_there_in_french() -> None:
    import tomllib._parser as parser

    said = list(reasons(parser))
    assert len(said) > 15
    for reason in said:
        told = why_no_toml(tomllib.TOMLDecodeError(f"{reason} (at line 1, column 1)"))
        assert re.fullmatch("ligne 1, colonne 1\u00a0: .+", told.fr), reason
