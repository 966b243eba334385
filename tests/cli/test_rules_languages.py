"""What the ``rules`` commands say of wrong input under a French locale: all of it is French."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from dispenser.i18n import worded
from dispenser.rules import new_game, to_json
from tests.cli.run import run
from tests.rules.bilingual import leaks

REFUSED: Final = (
    (
        ("play", "huit-americain", "--seats", "7"),
        "à chacun des 7 joueurs et une retournée, mais « packs » = 1 n’en donne que 52 (H-01) : donne --option packs=2",
    ),
    (
        ("play", "uno", "-o", "target=1"),
        "--option target=1 : l’option « target » de uno ne peut pas valoir 1 ; valeurs possibles : de 50 à 2000",
    ),
    (("play", "uno", "-o", "target"), "--option target : écris NOM=VALEUR"),
    (("play", "uno", "--odds", "tame"), "--odds tame : ce réglage du hasard n’existe pas ; choisis parmi toy, "),
    (("play",), "quel jeu ? Choisis parmi : uno-extreme, "),
    (("play", "uno", "--resume", "real.json"), "--resume : une partie enregistrée garde son jeu, ses places"),
    (("play", "--resume", "real.json"), "real.json : une partie avec de vraies cartes ne peut pas se poursuivre ici"),
    (("replay", "missing.json"), "missing.json : ce fichier ou ce dossier n’existe pas"),
    (("show", "uno", "E-18"), "E-18 est une règle de uno-extreme, pas de uno"),
    (("show", "uno", "--search", "xyzzy"), "parmi les règles de uno, aucune ne contient le mot « xyzzy »"),
    (("simulate", "uno", "--odds", "toy"), "dans uno, le lance-cartes donne un nombre exact de cartes"),
    (("simulate", "uno", "--bots", "clever"), "le robot « clever » n’existe pas ; choisis parmi sensible, random"),
    (("simulate", "uno", "--bots", "random,sensible"), "cela fait 2 joueurs, et il y a 4 places"),
    (("simulate", "uno", "--plot", "chart.pdf"), "chart.pdf : un graphique s’enregistre en .png ou en .svg ; choisis"),
    (
        ("simulate", "uno", "--plot", "/nowhere/chart.png"),
        "--plot /nowhere/chart.png : le dossier /nowhere n’existe pas",
    ),
    (("check", "empty.toml"), "empty.toml : game manque : dis lequel"),
    (("check", "folder.png"), "folder.png : aucun *.toml dans ce dossier ni plus bas"),
)
"""What is typed, and what is said then."""
NAMES: Final = {"game", "play", "scores", "real", "cut", "wrong", "missing"}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of matches and scenarios with which something is wrong."""
    monkeypatch.chdir(tmp_path)
    real = new_game("uno", 3, hidden=True)
    Path("real.json").write_text(to_json(real), encoding="utf-8")
    Path("folder.png").mkdir()
    Path("empty.toml").write_text("", encoding="utf-8")


def said(*arguments: str, lang: str) -> str:
    """The first line of an error; only a scenario has several mistakes."""
    done = run("rules", *arguments, language=lang)
    assert done.exit_code in {1, 2, 74}, done.output
    lines = done.stderr.splitlines()
    assert len(lines) == 1 or arguments[0] == "check"
    return lines[0].removeprefix("dispenser: ").replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("arguments", "french"), REFUSED, ids=[" ".join(typed).encode("ascii", "replace").decode() for typed, _ in REFUSED]
)
def test_what_is_wrong_is_said_in_french(arguments: tuple[str, ...], french: str) -> None:
    told = {lang: said(*arguments, lang=lang) for lang in ("en", "fr")}
    assert french in told["fr"]
    spaced = re.sub(r" (?=[:;!?»])|(?<=«) ", "\u00a0", told["fr"])
    assert leaks(worded(lambda language: {"en": told["en"], "fr": spaced}[language]), NAMES) == []
