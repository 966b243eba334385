"""Mau-Mau (M-01 to M-08)."""

from __future__ import annotations

from dispenser.rules.book.entry import GameBook, Option, Rule, Section
from tests.language import both

_RULES: Section = (
    both("How it is played", "Comment on joue"),
    (
        Rule("M-01", both("The cards", "Les cartes"), both("A pack of 52.", "Un jeu de 52."), options=("packs",)),
        Rule("M-02", both("The deal", "La donne"), both("Five cards each.", "Cinq cartes chacun.")),
        Rule(
            "M-03",
            both("Which card fits", "Quelle carte convient"),
            both("The same suit or the same rank.", "La même couleur ou la même hauteur."),
        ),
        Rule(
            "M-04",
            both("Drawing", "Piocher"),
            both(
                "Who does not play draws one card, and may play it.", "Qui ne joue pas pioche, et peut poser la carte."
            ),
        ),
        Rule("M-05", both("The 7", "Le 7"), both("The next player draws two.", "Le suivant pioche deux cartes.")),
        Rule("M-06", both("The jack", "Le valet"), both("It asks for a suit.", "Il demande une couleur.")),
        Rule("M-07", both("The end", "La fin"), both("First out wins.", "Le premier sans cartes gagne.")),
        Rule("M-08", both("“Mau”", "« Mau »"), both("Forgotten: one card.", "Oublié : une carte.")),
    ),
)

MAU_MAU = GameBook(
    "mau-mau",
    both("Mau-Mau", "Mau-Mau"),
    seats=range(2, 7),
    summary=both("A jack asks for a suit.", "Le valet demande une couleur."),
    sections=(_RULES,),
    options=(
        Option(
            "packs",
            rule="M-01",
            default=1,
            values=range(1, 3),
            label=both("Packs of cards", "Jeux de cartes"),
            text=both("How many packs are shuffled together.", "Le nombre de jeux mélangés ensemble."),
        ),
    ),
)
