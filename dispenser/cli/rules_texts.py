"""What a match at the terminal says by itself; what happens in the game, ``dispenser.rules.telling`` says."""

from __future__ import annotations

from typing import Final

from dispenser.rules.book.entry import Text

PRESS: Final = Text("Press Enter to press the launcher… ", "Entrée pour appuyer sur le lance-cartes… ")
NEXT_ROUND: Final = Text("Enter for the next round… ", "Entrée pour la manche suivante… ")
YOU_GET: Final = Text("  You get: ", "  Tu reçois : ")
YOU_CAN: Final = Text("You can: {}.", "Tu peux : {}.")
OR: Final = Text("or", "ou")
ENTER: Final = Text("     Enter: {}", "     Entrée : {}")
LET_PASS: Final = Text("Enter lets it pass. ", "Entrée pour laisser passer. ")
NOTHING_TO_UNDO: Final = Text("You have not made a move yet.", "Tu n’as encore rien joué.")
TAKEN_BACK: Final = Text("Taken back: {}.", "Annulé : {}.")
WHAT: Final = Text("Your move? (? for help)", "Ton coup ? (? pour l’aide)")
SAVED: Final = Text("The match is in {}.", "La partie est dans {}.")
NOT_SAVED: Final = Text(
    "The match could not be saved in {}: {}. Go on, or type q and another file name; Ctrl-C leaves without saving.",
    "La partie n’a pas pu être enregistrée dans {} : {}. Continue, ou tape q et un autre nom de fichier ; Ctrl-C pour "
    "partir sans enregistrer.",
)
RATHER_NOT: Final = Text("or choose not to play: {}", "ou choisis de ne pas jouer : {}")
PROMPT: Final = Text("You> ", "Toi> ")
