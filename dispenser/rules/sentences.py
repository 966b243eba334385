"""The sentences of ``dispenser.rules.telling``, in English and French, with places for what happened.

In a template, ``[says|say]`` is said of others or to the listener; ``{who}`` does it, ``{other}`` has it done to.
"""

from __future__ import annotations

from typing import Final

from dispenser.rules import events
from dispenser.rules.book.entry import Text

EVENTS: Final[dict[int, Text]] = {
    events.DREW: Text("{who} [draws|draw] {cards}.", "{who} [pioche|pioches] {cards}."),
    events.PRESSED: Text("{who} [presses|press]: {cards}!", "{who} [appuie|appuies] : {cards} !"),
    events.SHORT: Text(
        "{cards} short for {other}: there are none left.", "Il manque {cards} pour {other} : il n’y en a plus."
    ),
    events.RESHUFFLED: Text(
        "The discard pile is shuffled: {cards} to draw again.", "On mélange le talon : {cards} à piocher de nouveau."
    ),
    events.REVERSED: Text("Play now goes to the {side}.", "On joue maintenant vers la {side}."),
    events.SKIPPED: Text("{who} [misses|miss] a turn.", "{who} [perd son|perds ton] tour."),
    events.NAMED: Text("{who} [names|name] {colour}.", "{who} [annonce|annonces] {colour}."),
    events.OWES: Text("{who} [owes|owe] {owed}.", "{who} [doit|dois] {owed}."),
    events.TURN: Text("It is {whose} turn.", "C’est à {other} de jouer."),
    events.PASSED: Text("{whose} turn is over.", "{who} [a fini son|as fini ton] tour."),
    events.ANNOUNCED: Text("{who} [says|say] “{word}”.", "{who} [dit|dis] « {word} »."),
    events.CAUGHT: Text(
        "{who} [catches|catch] {caught}, who forgot to say “{word}”.",
        "{who} [prend|prends] {caught} en faute : « {word} » n’a pas été dit.",
    ),
    events.PENALISED: Text("{who} [is|are] at fault: {offence}.", "{who} [est|es] en faute : {offence}."),
    events.CHALLENGED: Text("{who} [doubts|doubt] the +4: {verdict}", "{who} [conteste|contestes] le +4 : {verdict}"),
    events.WENT_OUT: Text(
        "{who} [has|have] no cards left and [finishes|finish] {place}.",
        "{who} [n’a|n’as] plus de cartes et [finit|finis] à la {place} place.",
    ),
    events.ROUND_ENDED: Text("{who} [wins|win] {round} {value}.", "{who} [gagne|gagnes] la {round} {value}."),
    events.SCORED: Text("{who} [writes|write] down {points}.", "{who} [marque|marques] {points}."),
    events.ELIMINATED: Text(
        "{who} [is|are] over the limit and out of the match.",
        "{who} [dépasse|dépasses] la limite et [sort|sors] du jeu.",
    ),
    events.MATCH_ENDED: Text("{who} [wins|win] the match!", "{who} [gagne|gagnes] la partie !"),
    events.DEALER: Text("{who} [deals|deal].", "{who} [distribue|distribues]."),
    events.DEALER_DREW: Text(
        "{who} [draws|draw] {card} to see who deals.", "{who} [tire|tires] {card} pour savoir qui donne."
    ),
    events.TURNED_UP: Text("The first card is {card}.", "La première carte est {card}."),
    events.PUT_BACK: Text(
        "{card} may not be the first card: it goes back {back} the pile, and another is turned up.",
        "{card} ne peut pas commencer : la carte repart {back} la pioche, et l’on en retourne une autre.",
    ),
    events.DISCARDED: Text("{who} [lays|lay] {card} along with it.", "{who} [pose|poses] aussi {card}."),
    events.SWAPPED: Text(  # the listener, who may be neither, is the seat of the event
        "[{who} and {by}|{by} and you] swap hands.", "[{who} et {by} échangent leurs|{by} et toi échangez vos] mains."
    ),
    events.PASSED_ON: Text("Every hand goes to the next player.", "Chaque main passe à la place suivante."),
    events.CANCELLED: Text(  # who began it and draws now; that the chain is cancelled, the card has said
        "The chain turns back on {other}.", "La chaîne se retourne contre {other}."
    ),
    events.RELOAD_ASKED: Text(
        "Lift the discard pile but its top card ({cards}), shuffle it, load it and shut the lid.",
        "Ramasse le talon sauf la carte du dessus ({cards}), mélange-le, recharge et ferme le couvercle.",
    ),
    events.RELOADED: Text("The launcher is loaded again: {cards}.", "Le lance-cartes est rechargé : {cards}."),
    events.CORRECTED: Text("Set right: {who} [has|have] {cards}.", "Correction : {who} [a|as] {cards}."),
    events.TAKEN_BACK: Text("{who} [takes|take] {card} back.", "{who} [reprend|reprends] {card}."),
    events.FROZEN: Text("The discard pile is frozen.", "Le talon est gelé."),
    events.AGAIN: Text("{who} must play again.", "{who} [doit|dois] rejouer."),
    events.RETRACTED: Text("{who} [says|say] “OU PAS”.", "{who} [dit|dis] « OU PAS »."),
    events.OUT_AGAIN: Text(
        "{who} [has|have] cards again and [is|are] back in the game; who went out later moves up a place.",
        "{who} [a|as] de nouveau des cartes et [revient|reviens] dans le jeu ; qui a fini après gagne une place.",
    ),
    events.RULE_SHOWN: Text("The table does what the card says.", "La table fait ce que dit la carte."),
}
OTHERWISE: Final[dict[tuple[int, int], Text]] = {
    (events.DREW, 0): Text("There is no card for {other}.", "Il n’y a aucune carte pour {other}."),
    (events.PRESSED, 0): Text("{who} [presses|press]: nothing.", "{who} [appuie|appuies] : rien."),
    (events.CANCELLED, -1): Text(
        "Who began the chain is out: nobody draws.", "Qui a commencé la chaîne ne joue plus : personne ne pioche."
    ),
    (events.FROZEN, 0): Text("{who} [thaws|thaw] the discard pile.", "{who} [dégèle|dégèles] le talon."),
}
"""The same events, with a value that changes the sentence."""
NOBODY: Final[dict[int, Text]] = {
    events.MATCH_ENDED: Text("The match is over. Lost: {losers}.", "La partie est finie. Perdu : {losers}."),
    events.CORRECTED: Text("Set right: the draw pile has {cards}.", "Correction : la pioche a {cards}."),
}
"""The same events, with no seat."""
ROUND: Final[dict[str, Text]] = {
    "uno-extreme": Text("round", "manche"),
    "uno": Text("round", "manche"),
    "huit-americain": Text("deal", "donne"),
    "151": Text("deal", "donne"),
    "uno-vache": Text("round", "manche"),
}
"""What the rules of each game call a round; both French words are feminine."""
MAY_PLAY_AGAIN: Final = Text("{who} may play again.", "{who} [peut|peux] rejouer.")
TAKES: Final = Text("{who} [takes|take] {cards}.", "{who} [prend|prends] {cards}.")
YOU_FORGOT: Final = Text(
    "{who} catches you: you forgot to say “{word}”.", "{who} te prend en faute : tu n’as pas dit « {word} »."
)
CARD_SAYS: Final = Text("The card says: {rule}", "La carte dit : {rule}")

LAID: Final = Text("{who} [plays|play] {card}{choice}.", "{who} [pose|poses] {card}{choice}.")
JUMPED_IN: Final = Text(
    "{who} [jumps|jump] in with {card}{choice}.", "{who} [court-circuite|court-circuites] avec {card}{choice}."
)
CANCELLED: Final = Text("{who} [cancels|cancel] with {card}.", "{who} [annule|annules] avec {card}.")
STOOD: Final = Text(
    "{who} [says|say] that the joker is {stands}{choice}.",
    "{who} [dit|dis] que le joker vaut {stands}{choice}.",
)
NAMING: Final = Text(" and [names|name] {colour}", " et [annonce|annonces] {colour}")
AIMING: Final = Text(" at {target}", " contre {target}")
STANDING: Final = Text(" as {stands}", " en {stands}")

VERDICTS: Final = (Text("it was lawful.", "il était permis."), Text("it was a bluff!", "c’était du bluff !"))
SIDES: Final = {1: Text("left", "gauche"), -1: Text("right", "droite")}
BACK: Final = {False: Text("into", "dans"), True: Text("under", "sous")}
PLACES: Final = Text(
    "first second third fourth fifth sixth seventh eighth ninth tenth",
    "première deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième",
)
AND: Final = Text(" and ", " et ")

MUST_PRESS: Final = Text(
    "{who} must {adverb}press {times}{target}{why}.", "{who} [doit|dois] {adverb}appuyer {times}{target}{why}."
)
MUST_DRAW: Final = Text(
    "{who} must {adverb}draw {number}{target}{why}.", "{who} [doit|dois] {adverb}piocher {number}{target}{why}."
)
STILL: Final = Text("", "encore ")
FIRST: Final = Text("first ", "d’abord ")
PENALTY: Final = Text(" as a penalty", " en pénalité")
NO_FAULT: Final = frozenset({"V-14", "E-22"})
"""Rules that make somebody draw out of turn, like a penalty, who has done nothing wrong."""

NOT_IN_YOUR_HAND: Final = {
    False: Text("{card} is not in your hand", "{card} n’est pas dans ta main"),
    True: Text("your hand has no {card}", "tu n’as pas de {card}"),
}
"""Of a card with a colour, and of a wild."""

QUESTIONS: Final[dict[str, Text]] = {
    "turn-up": Text("Which card was turned up?", "Quelle carte a été retournée ?"),
    "discarded": Text(
        "Which cards did {other} lay down along with the Discard All?",
        "Quelles cartes sont parties avec le Poser Tout ?",
    ),
    "bluff": Text("Did {other} have another card to play?", "{who} [avait|avais] une autre carte à jouer ?"),
    "points": Text(
        "How many points, or which cards, [does|do] {who} still hold?",
        "Combien de points, ou quelles cartes, reste-t-il en main pour {other} ?",
    ),
}
