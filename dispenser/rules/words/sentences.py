"""The sentences of ``telling``, with places for what happened; a game's vocabulary may have others.

In a template, ``[says|say]`` is said of others or to the listener. ``{who}`` does it, ``{whom}`` is the same seat that
has it done to, ``{other}`` the other seat of the event.
"""

from __future__ import annotations

from typing import Final

from dispenser.language import Text
from dispenser.rules.engine.demands import POINTS, TURN_UP, Owed
from dispenser.rules.engine.events import What

EVENTS: Final[dict[What, Text]] = {
    What.DEALER_DREW: Text(
        "{who} [draws|draw] {card} to see who deals.", "{who} [tire|tires] {card} pour savoir qui donne."
    ),
    What.DEALER: Text("{who} [deals|deal].", "{who} [distribue|distribues]."),
    What.TURNED_UP: Text("The first card is {card}.", "La première carte est {card}."),
    What.PUT_BACK: Text(
        "{card} may not be the first card: it goes back into the pile, and another is turned up.",
        "{card} ne peut pas commencer : la carte repart dans la pioche, et l’on en retourne une autre.",
    ),
    What.TURN: Text("It is {whose} turn.", "C’est à {whom} de jouer."),
    What.DISCARDED: Text("{who} [lays|lay] {card} along with it.", "{who} [pose|poses] aussi {card}."),
    What.TAKEN_BACK: Text("{who} [takes|take] {card} back.", "{who} [reprend|reprends] {card}."),
    What.PASSED: Text("{whose} turn is over.", "{who} [a fini son|as fini ton] tour."),
    What.OWES: Text("{who} [owes|owe] {owed}.", "{who} [doit|dois] {owed}."),
    What.PRESSED: Text("{who} [presses|press]{aim}{why}: {cards}!", "{who} [appuie|appuies]{aim}{why} : {cards} !"),
    What.DREW: Text("{who} [draws|draw] {cards}{why}.", "{who} [pioche|pioches] {cards}{why}."),
    What.SHORT: Text(
        "{cards} short for {whom}: there are none left.", "Il manque {cards} pour {whom} : il n’y en a plus."
    ),
    What.RESHUFFLED: Text(
        "The discard pile is shuffled: {cards} to draw again.", "On mélange le talon : {cards} à piocher de nouveau."
    ),
    What.RELOAD_ASKED: Text(
        "Lift the discard pile but its top card ({cards}), shuffle it, load it and shut the lid.",
        "Ramasse le talon sauf la carte du dessus ({cards}), mélange-le, recharge et ferme le couvercle.",
    ),
    What.RELOADED: Text("The launcher is loaded again: {cards}.", "Le lance-cartes est rechargé : {cards}."),
    What.REVERSED: Text("Play now goes to the {side}.", "On joue maintenant vers la {side}."),
    What.DIRECTION_CHOSEN: Text(
        "{who} [chooses|choose] the direction: play goes to the {side}.",
        "{who} [choisit|choisis] le sens : on joue vers la {side}.",
    ),
    What.SKIPPED: Text("{who} [misses|miss] a turn.", "{who} [perd son|perds ton] tour."),
    What.AGAIN: Text("{who} must play again.", "{who} [doit|dois] rejouer."),
    What.NAMED: Text("{who} [names|name] {colour}.", "{who} [annonce|annonces] {colour}."),
    What.STOOD: Text(
        "{who} [says|say] that the joker is {stands}{choice}.", "{who} [dit|dis] que le joker vaut {stands}{choice}."
    ),
    What.FROZE: Text("The discard pile is frozen.", "Le talon est gelé."),
    What.THAWED: Text("{who} [thaws|thaw] the discard pile.", "{who} [dégèle|dégèles] le talon."),
    What.ANNOUNCED: Text("{who} [says|say] “{word}”.", "{who} [dit|dis] « {word} »."),
    What.RETRACTED: Text("{who} [says|say] “OU PAS”.", "{who} [dit|dis] « OU PAS »."),
    What.CAUGHT: Text(
        "{other} [catches|catch] {whom}, who forgot to say “{word}”.",
        "{other} [prend|prends] {whom} en faute : « {word} » n’a pas été dit.",
    ),
    What.PENALISED: Text("{who} [is|are] at fault: {offence}.", "{who} [est|es] en faute : {offence}."),
    What.CHALLENGED: Text(
        "{who} [doubts|doubt] the +4: it was lawful.", "{who} [conteste|contestes] le +4 : il était permis."
    ),
    What.CANCELLED: Text(  # who began it and draws now; that the chain is cancelled, the card has said
        "The chain turns back on {other}.", "La chaîne se retourne contre {other}."
    ),
    What.PASSED_ON: Text("Every hand goes to the next player.", "Chaque main passe à la place suivante."),
    What.SWAPPED: Text(  # the listener, who may be neither, is {who}
        "[{who} and {other}|{other} and you] swap hands.",
        "[{who} et {other} échangent leurs|{other} et toi échangez vos] mains.",
    ),
    What.WENT_OUT: Text(
        "{who} [has|have] no cards left and [finishes|finish] {place}.",
        "{who} [n’a|n’as] plus de cartes et [finit|finis] à la {place} place.",
    ),
    What.OUT_AGAIN: Text(
        "{who} [has|have] cards again and [is|are] back in the game; who went out later moves up a place.",
        "{who} [a|as] de nouveau des cartes et [revient|reviens] dans le jeu ; qui a fini après gagne une place.",
    ),
    What.ROUND_ENDED: Text("{who} [wins|win] {round} {number}.", "{who} [gagne|gagnes] la {round} {number}."),
    What.SCORED: Text("{who} [writes|write] down {points}.", "{who} [marque|marques] {points}."),
    What.ELIMINATED: Text(
        "{who} [is|are] over the limit and out of the match.",
        "{who} [dépasse|dépasses] la limite et [sort|sors] du jeu.",
    ),
    What.MATCH_ENDED: Text("{who} [wins|win] the match!", "{who} [gagne|gagnes] la partie !"),
    What.CORRECTED: Text("Set right: {who} [has|have] {cards}.", "Correction : {who} [a|as] {cards}."),
}
# The same events, when it is a little otherwise
UNDER_THE_PILE: Final = Text(
    "{card} may not be the first card: it goes back under the pile, and another is turned up.",
    "{card} ne peut pas commencer : la carte repart sous la pioche, et l’on en retourne une autre.",
)
NO_CARD: Final = Text("There is no card for {whom}.", "Il n’y a aucune carte pour {whom}.")
TAKES: Final = Text("{who} [takes|take] {cards}.", "{who} [prend|prends] {cards}.")
DUD: Final = Text("{who} [presses|press]{aim}{why}: nothing.", "{who} [appuie|appuies]{aim}{why} : rien.")
OWES_AND_MISSES: Final = {
    Owed.PRESSES: Text(
        "{who} must press {times} and [misses|miss] a turn.",
        "{who} [doit|dois] appuyer {times} et [perd son|perds ton] tour.",
    ),
    Owed.CARDS: Text(
        "{who} must draw {owed} and [misses|miss] a turn.",
        "{who} [doit|dois] piocher {owed} et [perd son|perds ton] tour.",
    ),
}
YOU_FORGOT: Final = Text(
    "{other} catches you: you forgot to say “{word}”.", "{other} te prend en faute : tu n’as pas dit « {word} »."
)
BLUFF: Final = Text(
    "{who} [doubts|doubt] the +4: it was a bluff!", "{who} [conteste|contestes] le +4 : c’était du bluff !"
)
NOBODY_DRAWS: Final = Text(
    "Who began the chain is out: nobody draws.", "Qui a commencé la chaîne ne joue plus : personne ne pioche."
)
ONLY_LOST: Final = Text("The match is over. Lost: {losers}.", "La partie est finie. Perdu : {losers}.")

LAID: Final = Text("{who} [plays|play] {card}{choice}.", "{who} [pose|poses] {card}{choice}.")
JUMPED_IN: Final = Text(
    "{who} [jumps|jump] in with {card}{choice}.", "{who} [court-circuite|court-circuites] avec {card}{choice}."
)
CANCELLED: Final = Text("{who} [cancels|cancel] with {card}.", "{who} [annule|annules] avec {card}.")
NAMING: Final = Text(" and [names|name] {colour}", " et [annonce|annonces] {colour}")
AIMING: Final = Text(" at {other}", " contre {other}")
STANDING: Final = Text(" as {stands}", " en {stands}")

PLACES: Final = Text(
    "first second third fourth fifth sixth seventh eighth ninth tenth",
    "première deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième",
)
AND: Final = Text(" and ", " et ")
SEPARATOR: Final = Text("; ", " ; ")
YOU_DO: Final = Text("you", "tu")

DEMANDS: Final = {
    Owed.PRESSES: Text(
        "{who} must {adverb}press {times}{aim}{why}.", "{who} [doit|dois] {adverb}appuyer {times}{aim}{why}."
    ),
    Owed.CARDS: Text(
        "{who} must {adverb}draw {owed}{aim}{why}.", "{who} [doit|dois] {adverb}piocher {owed}{aim}{why}."
    ),
}
FOR_ANOTHER: Final = Text(" for {other}", " pour {other}")
AS_A_PENALTY: Final = Text(" as a penalty", " en pénalité")
STILL: Final = Text("still ", "encore ")
FIRST: Final = Text("first ", "d’abord ")
AIM: Final = Text("Turn the launcher to {whom}.", "Tourne le lance-cartes vers {whom}.")

CARDS: Final = Text("{number} card", plural="{number} cards")
SO_MANY_POINTS: Final = Text("{number} point", plural="{number} points")
TIMES: Final = Text("{number} times", "{number} fois")
FEW_TIMES: Final = {1: Text("once", "une fois"), 2: Text("twice", "deux fois")}

NOT_ALLOWED: Final = Text("Not allowed by {rule}: {reason}.", "Interdit par {rule} : {reason}.")
CAN: Final = Text("{who} can: {moves}.", "{who} [peut|peux] : {moves}.")
NOT_IN_YOUR_HAND: Final = Text("{card} is not in your hand", "{card} n’est pas dans ta main")
NONE_IN_YOUR_HAND: Final = Text("your hand has no {card}", "tu n’as pas de {card}")
ON_TOP: Final = Text("{reason} ({top})", "{reason} ({top})")

QUESTIONS: Final[dict[str, Text]] = {
    TURN_UP: Text("Which card was turned up?", "Quelle carte a été retournée ?"),
    POINTS: Text(
        "How many points, or which cards, [does|do] {who} still hold?",
        "Combien de points, ou quelles cartes, reste-t-il en main pour {whom} ?",
    ),
}
