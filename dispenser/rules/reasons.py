"""Why something is not allowed, as one says it at the table. Each is raised with the ID of the rule that forbids it."""

from __future__ import annotations

from typing import Final

from dispenser.language import Text

# Not the time for it
NOTHING_OWED: Final = Text("nobody owes the launcher anything", "personne ne doit rien au lance-cartes")
HAS_WON: Final = Text(
    "that player has laid the last card and won: nothing takes that back",
    "cette personne a posé sa dernière carte et gagné : plus rien n’y change",
)
NOTHING_ASKED: Final = Text("the table was not asked anything", "rien n’a été demandé à la table")
MATCH_IS_OVER: Final = Text("the match is over", "la partie est finie")
ROUND_UNDER_WAY: Final = Text("a round is under way", "une manche est en cours")
NO_ROUND: Final = Text("no round is under way: deal first", "aucune manche en cours : distribue d’abord")
ANSWER_FIRST: Final = Text("the engine waits for an answer first", "le jeu attend d’abord une réponse")
NOT_YOUR_TURN: Final = Text("it is another seat’s turn", "c’est à quelqu’un d’autre de jouer")
PAY_FIRST: Final = Text(
    "the presses or cards that are owed come first", "d’abord les appuis ou les cartes que quelqu’un doit encore"
)
NO_SUCH_SEAT: Final = Text("there is no such seat, or it no longer plays", "cette place n’existe pas, ou ne joue plus")

# Not those cards
NOT_IN_HAND: Final = Text("that card is not in the hand", "cette carte n’est pas dans la main")
NO_MATCH: Final = Text("that card does not match the one on top", "cette carte ne va pas sur celle du dessus")
ONLY_DRAWN: Final = Text("only the card just drawn may be played now", "seule la carte piochée peut être jouée")
HAS_DRAWN: Final = Text("one draws once in a turn", "on ne pioche qu’une fois par tour")
NOT_UNSEEN: Final = Text(
    "that card cannot be there: all of its kind have been seen elsewhere",
    "cette carte ne peut pas être là : toutes ses pareilles ont été vues ailleurs",
)
MAKE_A_CHOICE: Final = Text(
    "say what the card asks for (a colour, a suit, a seat, a card)",
    "dis ce que la carte demande (une couleur, une place, une carte)",
)
NOTHING_TO_ANNOUNCE: Final = Text("there is nothing to announce now", "il n’y a rien à annoncer pour l’instant")
NOT_FORGOTTEN: Final = Text(
    "that player has forgotten nothing, or it is too late to catch them",
    "cette personne n’a rien oublié, ou il est trop tard pour la prendre en faute",
)
NOTHING_TO_SAY: Final = NOTHING_TO_ANNOUNCE
NO_SUCH_CARD: Final = Text("there is no such card in this game", "cette carte n’existe pas dans ce jeu")
NO_SUCH_MOVE: Final = Text("that move does not exist here", "ce coup n’existe pas ici")

YES_OR_NO: Final = Text("answer yes or no", "réponds par oui ou par non")
ANSWER_FOUR: Final = Text(
    "the +4 first: challenge it or take the cards", "d’abord le +4 : conteste-le ou prends les cartes"
)
NAME_FIRST: Final = Text("name the colour first", "nomme d’abord la couleur")
NO_FOUR: Final = Text("there is no +4 to answer", "il n’y a pas de +4 auquel répondre")
DRAW_FIRST: Final = Text("who does not play draws first", "qui ne joue pas pioche d’abord")

# Not that outside world
NO_CHANCE: Final = Text("without a seed, give the order of the draw pile", "sans graine, donne l’ordre de la pioche")
SAY_HOW_MANY: Final = Text(
    "without a seed, say how many cards came out", "sans graine, dis combien de cartes sont sorties"
)
NO_ORDER: Final = Text(
    "the order of the draw pile is given only without a seed and with open cards",
    "l’ordre de la pioche ne se donne que sans graine et à cartes ouvertes",
)
NO_DEALER: Final = Text("without a seed, say who deals", "sans graine, dis qui distribue")
NONE_TO_TURN_UP: Final = Text("no card is left to turn up", "il ne reste aucune carte à retourner")
MORE_DRAWS: Final = Text(
    "give a card for each seat that draws for the deal, and again for those who tie",
    "donne une carte à chaque place qui tire pour la donne, puis aux ex æquo",
)
FEWER_DRAWS: Final = Text(
    "more cards are given than were drawn for the deal", "il y a plus de cartes que de tirages pour la donne"
)
ONLY_AT_FIRST: Final = Text(
    "a match is taken over at its first deal only", "une partie ne se reprend qu’à la première donne"
)
WHOLE_POSITION: Final = Text(
    "for the middle of a round say whose turn it is, the hands and the card on top",
    "pour le milieu d’une manche, dis à qui c’est de jouer, les mains et la carte du dessus",
)
HANDS_OF_ALL: Final = Text("give every seat its cards, one at least", "donne ses cartes à chaque place, une au moins")
NO_RELOAD_HERE: Final = Text(
    "this game reshuffles by itself when the draw pile is empty",
    "ce jeu mélange de lui-même quand la pioche est vide",
)
FINISH_FIRST: Final = Text(
    "finish what is owed, asked or being chosen first", "termine d’abord ce qui est dû, demandé ou à choisir"
)
SIZE_OR_CARDS: Final = Text(
    "give the size of a hidden hand, or the cards of the hand",
    "donne la taille d’une main cachée, ou les cartes de la main",
)
NO_RELOAD: Final = Text("the talon has no card to reload", "le talon n’a aucune carte à recharger")


def not_in_deck(card: Text) -> Text:
    """The deck does not have that card, or not so often."""
    return Text("the deck has no {card} left for that", "le jeu n’a plus de « {card} » pour cela").filled(card=card)


def not_in_pile(card: Text) -> Text:
    """The draw pile does not have that card."""
    return Text("there is no {card} in the draw pile", "la pioche n’a pas de « {card} »").filled(card=card)


def too_many(available: int) -> Text:
    """More came out than there are."""
    return Text(
        "only {number} card can come out: correct the counts first",
        plural="only {number} cards can come out: correct the counts first",
    ).filled(number=available)


def no_such_points(least: int, most: int) -> Text:
    """The hand cannot count that."""
    return Text("that hand counts {least} to {most}", "cette main vaut de {least} à {most}").filled(
        least=least, most=most
    )


def hand_has(card: Text) -> Text:
    """The hand is known to hold that card."""
    return Text("that hand is known to hold {card}", "on sait que cette main contient « {card} »").filled(card=card)


def hand_size(size: int) -> Text:
    """The hand has another size."""
    return Text("that hand has {number} card", plural="that hand has {number} cards").filled(number=size)


def no_offence(known: str) -> Text:
    """The table cannot declare that."""
    nothing = Text("nothing in this game", "rien ici")
    return Text("the table can declare: {known}", "on peut déclarer : {known}").filled(known=known or nothing)


def no_such_size(least: int, most: int) -> Text:
    """The hand cannot have that size."""
    return Text(
        "that hand can have {least} to {most} cards", "cette main peut avoir de {least} à {most} cartes"
    ).filled(least=least, most=most)
