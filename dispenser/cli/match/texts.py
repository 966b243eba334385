"""What a match at the terminal says by itself; what happens in the game, ``dispenser.rules.telling`` says."""

from __future__ import annotations

from typing import Final

from dispenser.rules.book.entry import Text

PRESS: Final = Text("Press Enter to press the launcher… ", "Entrée pour appuyer sur le lance-cartes… ")
NEXT_ROUND: Final = Text("Enter for the next {}… ", "Entrée pour la {} suivante… ")
ROUND_IS_OVER: Final = Text("The {} is over: Enter for the next one.", "La {} est finie : Entrée pour la suivante.")
YOU_GET: Final = Text("  You get: ", "  Tu reçois : ")
YOU_CAN: Final = Text("You can: {}.", "Tu peux : {}.")
OR: Final = Text("or", "ou")
ENTER: Final = Text("     Enter: {}", "     Entrée : {}")
LET_PASS: Final = Text("Enter lets it pass. ", "Entrée pour laisser passer. ")
CARRY_OUT: Final = Text(
    "Do what the card says, then Enter (done). Does it make somebody press? Then type “effect 2 {}”: 2 presses for {}.",
    "Fais ce que dit la carte, puis Entrée (fait). Elle fait appuyer quelqu’un ? Tape « effet 2 {} » : 2 appuis "
    "pour {}.",
)
NO_CUSTOM_RULE: Final = Text(
    "This table has no rule for that card yet (--option custom-rule=… gives it one): agree on one.",
    "Cette table n’a pas encore de règle pour cette carte (--option custom-rule=… lui en donne une) : mettez-vous "
    "d’accord.",
)
NOTHING_TO_UNDO: Final = Text("You have not made a move yet.", "Tu n’as encore rien joué.")
TAKEN_BACK: Final = Text("Taken back: {}.", "Annulé : {}.")
WHAT: Final = Text("Your move? (? for help)", "Ton coup ? (? pour l’aide)")
SAVED: Final = Text("The match is saved in {}.", "Partie enregistrée dans {}.")
SAVED_BESIDE: Final = Text(
    "{} is there already: the match is saved in {}.", "{} existe déjà : partie enregistrée dans {}."
)
SAVED_ELSEWHERE: Final = Text(
    "{} cannot be written: {}. The match is saved in {} instead.",
    "Impossible d’écrire {} : {}. Partie enregistrée dans {} à la place.",
)
NOT_SAVED: Final = Text(
    "The match could not be saved in {}: {}. Go on, or type q and another file name.",
    "La partie n’a pas pu être enregistrée dans {} : {}. Continue, ou tape q et un autre nom de fichier.",
)
RATHER_NOT: Final = Text("or choose not to play: {}", "sinon : {}")
PROMPT: Final = Text("You> ", "Toi> ")
