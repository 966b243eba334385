"""Mau-Mau (M-01 to M-08)."""

from __future__ import annotations

from dispenser.rules.book.entry import GameBook, Option, Rule, Section, Text

_RULES: Section = (
    Text("How it is played", "Comment on joue"),
    (
        Rule("M-01", Text("The cards", "Les cartes"), Text("A pack of 52.", "Un jeu de 52."), options=("packs",)),
        Rule("M-02", Text("The deal", "La donne"), Text("Five cards each.", "Cinq cartes chacun.")),
        Rule(
            "M-03",
            Text("Which card fits", "Quelle carte convient"),
            Text("The same suit or the same rank.", "La même couleur ou la même hauteur."),
        ),
        Rule(
            "M-04",
            Text("Drawing", "Piocher"),
            Text(
                "Who does not play draws one card, and may play it.", "Qui ne joue pas pioche, et peut poser la carte."
            ),
        ),
        Rule("M-05", Text("The 7", "Le 7"), Text("The next player draws two.", "Le suivant pioche deux cartes.")),
        Rule("M-06", Text("The jack", "Le valet"), Text("It asks for a suit.", "Il demande une couleur.")),
        Rule("M-07", Text("The end", "La fin"), Text("First out wins.", "Le premier sans cartes gagne.")),
        Rule("M-08", Text("“Mau”", "« Mau »"), Text("Forgotten: one card.", "Oublié : une carte.")),
    ),
)

MAU_MAU = GameBook(
    "mau-mau",
    Text("Mau-Mau", "Mau-Mau"),
    seats=range(2, 7),
    summary=Text("A jack asks for a suit.", "Le valet demande une couleur."),
    sections=(_RULES,),
    options=(
        Option(
            "packs",
            rule="M-01",
            default=1,
            values=range(1, 3),
            label=Text("Packs of cards", "Jeux de cartes"),
            text=Text("How many packs are shuffled together.", "Le nombre de jeux mélangés ensemble."),
        ),
    ),
)
