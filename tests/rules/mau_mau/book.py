"""Mau-Mau (M-01 to M-08)."""

from __future__ import annotations

from dispenser.rules.book.entry import GameBook, Option, Rule, Section, Text

_RULES: Section = (
    Text("How it is played"),
    (
        Rule("M-01", Text("The cards"), Text("A pack of 52."), options=("packs",)),
        Rule("M-02", Text("The deal"), Text("Five cards each.")),
        Rule(
            "M-03",
            Text("Which card fits"),
            Text("The same suit or the same rank."),
        ),
        Rule(
            "M-04",
            Text("Drawing"),
            Text("Who does not play draws one card, and may play it."),
        ),
        Rule("M-05", Text("The 7"), Text("The next player draws two.")),
        Rule("M-06", Text("The jack"), Text("It asks for a suit.")),
        Rule("M-07", Text("The end"), Text("First out wins.")),
        Rule("M-08", Text("“Mau”"), Text("Forgotten: one card.")),
    ),
)

MAU_MAU = GameBook(
    "mau-mau",
    Text("Mau-Mau"),
    seats=range(2, 7),
    summary=Text("A jack asks for a suit."),
    sections=(_RULES,),
    options=(
        Option(
            "packs",
            rule="M-01",
            default=1,
            values=range(1, 3),
            label=Text("Packs of cards"),
            text=Text("How many packs are shuffled together."),
        ),
    ),
)
