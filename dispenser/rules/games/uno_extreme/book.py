"""Uno Extrême (E-01 to E-32)."""

from __future__ import annotations

from dispenser.rules.book.entry import FreeText, GameBook, Option, Rule, Section, Text
from dispenser.rules.games.uno_extreme.book_start import CARDS, SETTING_UP

_TURN: Section = (
    Text("Your turn", "Ton tour"),
    (
        Rule(
            "E-13",
            Text("Which card fits", "Quelle carte convient"),
            Text(
                "Your card fits if it has the same colour, the same number or the same symbol as the top card of the "
                "discard pile.",
                "Ta carte convient si elle a la couleur, le chiffre ou le symbole de la carte du dessus du talon.",
            ),
        ),
        Rule(
            "E-14",
            Text("Pressing instead of playing", "Appuyer au lieu de jouer"),
            Text(
                "If you cannot play, or would rather not, press the button once. Whatever comes out goes into your "
                "hand, even if it is nothing, and your turn is over. You do not play the cards that you have just "
                "received.",
                "Si tu ne peux pas jouer, ou si tu préfères t’abstenir, appuie une fois sur le bouton. Ce qui sort "
                "rejoint ta main, même si ce n’est rien, et ton tour est fini. Tu ne joues pas les cartes que tu viens "
                "de recevoir.",
            ),
        ),
    ),
)

_ACTION_CARDS: Section = (
    Text("The action cards", "Les cartes Action"),
    (
        Rule(
            "E-15",
            Text("Reverse", "Inversion"),
            Text("From now on, turns go round the other way.", "À partir de là, on tourne dans l’autre sens."),
        ),
        Rule(
            "E-16",
            Text("Skip", "Passer"),
            Text(
                "The next player misses a turn, and has nothing to press.",
                "Le joueur suivant perd son tour, et il n’a pas à appuyer.",
            ),
        ),
        Rule(
            "E-17",
            Text("Press 2", "Appuyer 2 fois"),
            Text(
                "The next player presses the button twice and misses a turn.",
                "Le joueur suivant appuie deux fois sur le bouton et perd son tour.",
            ),
        ),
        Rule(
            "E-18",
            Text("Discard All", "Poser Tout"),
            Text(
                "Together with this card you lay down every card of its colour that you hold. The Discard All ends up "
                "on top, and no other symbol in the heap counts. You may play it on its own colour or on another "
                "Discard All.",
                "Avec cette carte, tu poses toutes celles de sa couleur que tu as en main. Le Poser Tout finit sur le "
                "dessus, et aucun autre symbole du tas ne compte. Tu peux le jouer sur sa couleur ou sur un autre "
                "Poser Tout.",
            ),
            reading=Text(
                "The original text leaves open whether you may finish with it. You may: an empty hand wins the round. "
                "Wild cards have no colour, so they stay in your hand.",
                "Le texte d’origine ne précise pas si l’on peut finir ainsi. C’est permis : une main vide gagne la "
                "manche. Les jokers n’ont pas de couleur, ils restent donc dans ta main.",
            ),
        ),
        Rule(
            "E-19",
            Text("Wild", "Joker"),
            Text(
                "You may play it on any card, whenever it is your turn, even if something else would fit. You name the "
                "colour that counts next; it may be the one that counts already.",
                "Tu peux le poser sur n’importe quelle carte, à n’importe lequel de tes tours, même si autre chose "
                "convient. Tu annonces la couleur qui suit ; tu peux aussi garder celle en cours.",
            ),
        ),
        Rule(
            "E-20",
            Text("Press 4", "Appuyer 4 fois"),
            Text(
                "This is a wild card, so you name the colour. The next player presses the button four times and misses "
                "a turn.",
                "C’est aussi un joker : tu annonces la couleur. Le joueur suivant appuie quatre fois sur le bouton et "
                "perd son tour.",
            ),
        ),
        Rule(
            "E-21",
            Text("Extreme Hit", "Coup Extrême"),
            Text(
                "This is a wild card: name the colour and pick any other player. Turn the launcher towards that player "
                "and press the button twice yourself; what comes out goes to the player you picked. After that, the "
                "next player has a turn as usual, and nobody is skipped.",
                "C’est un joker : annonce la couleur et désigne n’importe quel autre joueur. Tourne le lance-cartes "
                "vers lui et appuie toi-même deux fois ; ce qui sort est pour lui. Ensuite, le joueur suivant joue "
                "comme d’habitude, et personne ne perd son tour.",
            ),
            reading=Text(
                "The original text lets “the second player from you” go on. We count the one who has played the card: "
                "the second is the next player.",
                "Le texte d’origine fait continuer « le second à partir de toi ». Nous comptons qui a posé la carte : "
                "le second est le joueur suivant.",
            ),
        ),
        Rule(
            "E-22",
            Text("Customizable", "Carte à customiser"),
            Text(
                "This is a wild card, so you name the colour. Its rule is the one that your table has written for it, "
                "and it is shown when the card is played. The table says when it has been carried out. Its effect can "
                "also be entered as a number of presses that one player owes.",
                "C’est un joker : tu annonces la couleur. Sa règle est celle que votre table a écrite, et elle "
                "s’affiche quand on joue la carte. La table dit quand c’est fait. Son effet peut aussi se régler en un "
                "nombre d’appuis à faire par un joueur.",
            ),
            options=("custom-rule",),
        ),
    ),
)

_END_OF_ROUND: Section = (
    Text("The end of a round and penalties", "La fin de manche et les pénalités"),
    (
        Rule(
            "E-23",
            Text("When the round is over", "Quand la manche est finie"),
            Text(
                "The round ends once somebody has no card left and the last card’s order has been carried out. A final "
                "Extreme Hit is played in full: its player still picks somebody and presses twice.",
                "La manche prend fin dès que quelqu’un n’a plus de cartes et que l’ordre de la dernière carte est "
                "exécuté. Un Coup Extrême final se joue en entier : on désigne quelqu’un et l’on appuie deux fois.",
            ),
            reading=Text(
                "The original text speaks of the Extreme Hit alone. We treat a final Press 2, Press 4 and Customizable "
                "in the same way. Whoever has laid the last card has won: nothing that comes out afterwards takes that "
                "back, and no penalty can be given to them any more.",
                "Le texte d’origine ne parle que du Coup Extrême. Nous faisons de même pour un dernier Appuyer 2 fois, "
                "Appuyer 4 fois ou une carte à customiser. Qui a posé sa dernière carte a gagné : plus rien de ce qui "
                "sort ensuite n’y change, et plus aucune pénalité ne peut lui être donnée.",
            ),
        ),
        Rule(
            "E-24",
            Text("UNO forgotten", "« UNO » oublié"),
            Text(
                "If you are caught having forgotten to say “UNO” (G-03), you press the button twice.",
                "Si l’on te prend en faute pour ne pas avoir dit « UNO » (G-03), tu dois deux appuis sur le bouton.",
            ),
            reading=Text(
                "The original text does not say whether this uses up a turn. It does not: a penalty never costs you "
                "your turn. You can also say it along with a Discard All that leaves you one card.",
                "Le texte d’origine ne dit pas si cela te prend ton tour. Ce n’est pas le cas : une pénalité ne coûte "
                "jamais le tour. Tu peux aussi le dire en posant un Poser Tout qui ne te laisse qu’une carte.",
            ),
        ),
        Rule(
            "E-25",
            Text("Giving advice", "Donner un conseil"),
            Text(
                "If you tell another player what to play, you press the button four times.",
                "Si tu conseilles à quelqu’un une carte à jouer, tu appuies quatre fois sur le bouton.",
            ),
            reading=Text(
                "The original text does not say whether this uses up a turn. It does not: a penalty never costs you "
                "your turn.",
                "Le texte d’origine ne dit pas si cela te prend ton tour. Ce n’est pas le cas : une pénalité ne coûte "
                "jamais le tour.",
            ),
        ),
    ),
)

_POINTS: Section = (
    Text("Points and winning", "Les points et la victoire"),
    (
        Rule(
            "E-26",
            Text("What the cards count", "Ce que valent les cartes"),
            Text(
                "A number counts what it shows. Reverse, Skip and Press 2 count 20 each, Discard All 30, Press 4 40. "
                "Wild, Extreme Hit and Customizable count 50 each. Whoever wins the round scores all the cards that "
                "are left in the other hands.",
                "Un chiffre compte sa valeur. Inversion, Passer et Appuyer 2 fois comptent 20 chacun, Poser Tout 30, "
                "Appuyer 4 fois 40. Joker, Coup Extrême et carte à customiser comptent 50 chacun. Le vainqueur de la "
                "manche marque toutes les cartes restées dans les autres mains.",
            ),
        ),
        Rule(
            "E-27",
            Text("Winning the game", "Gagner la partie"),
            Text(
                "The first player to have 500 points or more wins the game.",
                "Le premier joueur à totaliser 500 points ou plus gagne la partie.",
            ),
            options=("scoring", "target"),
        ),
        Rule(
            "E-28",
            Text("The lowest total wins", "Le plus petit total gagne"),
            Text(
                "If you choose this way of scoring, everybody notes the points of their own hand after each round. "
                "When somebody has more than 500, the game is over and the smallest total wins.",
                "Si vous choisissez ce décompte, chacun note les points de sa propre main après chaque manche. Quand "
                "quelqu’un dépasse 500, la partie s’arrête et le plus petit total gagne.",
            ),
            reading=Text(
                "The original text says both “go over” and, a line above, “reach or go over”. With 500 exactly you "
                "play on.",
                "Le texte d’origine dit « dépasse », et une ligne plus haut « atteindre ou dépasser ». Avec 500 tout "
                "juste, on continue.",
            ),
            options=("scoring", "target"),
        ),
    ),
)

_VARIANTS: Section = (
    Text("Other ways to play", "Autres façons de jouer"),
    (
        Rule(
            "E-29",
            Text("Two players", "À deux"),
            Text(
                "When you are two, a Reverse or a Skip gives you another turn at once. With a Press 2, your opponent "
                "presses twice, and then you play again.",
                "À deux, une Inversion ou un Passer te fait rejouer aussitôt. Avec Appuyer 2 fois, ton adversaire "
                "appuie deux fois, puis c’est encore à toi.",
            ),
            reading=Text(
                "The original text does not mention Press 4 here. We treat it in the same way: your opponent presses "
                "four times, and you play again.",
                "Le texte d’origine ne parle pas ici d’Appuyer 4 fois. Nous faisons de même : ton adversaire appuie "
                "quatre fois, et tu rejoues.",
            ),
        ),
        Rule(
            "E-30",
            Text("Elimination", "Élimination"),
            Text(
                "If you choose this way of scoring, each player adds up, round after round, the points left in their "
                "own hand. Whoever goes over the limit, normally 500, is out. When only two are left, the rule for two "
                "players applies (E-29). The last player still in wins.",
                "Si vous choisissez ce décompte, chacun additionne, manche après manche, les points restés dans sa "
                "main. Qui dépasse la limite, 500 d’habitude, est éliminé. Dès que vous n’êtes plus que deux, on suit "
                "la règle à deux (E-29). Le dernier qui reste gagne.",
            ),
            options=("scoring", "target"),
        ),
    ),
)

_LAUNCHER: Section = (
    Text("The launcher at the table", "Le lance-cartes à table"),
    (
        Rule(
            "E-31",
            Text("Reloading", "Recharger"),
            Text(
                "When the discard pile is as big as a pack of cards, normally 52, or when nothing is left in the "
                "launcher, the table is asked to reload. Leave the top card and pick up the rest of the discard pile. "
                "Shuffle, put the cards into the launcher and shut the lid. The game goes on.",
                "Quand le talon est aussi gros qu’un jeu de cartes, 52 d’habitude, ou que le lance-cartes est vide, la "
                "table est invitée à recharger. Laisse la carte du dessus et ramasse le reste du talon. Mélange, "
                "remets les cartes dans le lance-cartes et ferme le couvercle. La partie continue.",
            ),
            options=("reload-at",),
        ),
        Rule(
            "E-32",
            Text("Where the launcher points", "Vers qui tourner le lance-cartes"),
            Text(
                "The launcher faces the player who has to press, no matter whose turn it is, and the table is told who "
                "that is. Only for an Extreme Hit does it face the target instead (E-21).",
                "Le lance-cartes fait face à celui qui doit appuyer, quel que soit le joueur dont c’est le tour, et on "
                "dit à la table qui c’est. Pour un Coup Extrême seulement, il fait face à la cible (E-21).",
            ),
        ),
    ),
)

UNO_EXTREME = GameBook(
    "uno-extreme",
    Text("Uno Extrême", "Uno Extrême"),
    seats=range(2, 11),
    summary=Text(
        "A button instead of a draw pile: press it, and the launcher throws you several cards or none at all.",
        "Un bouton en guise de pioche : tu appuies, et le lance-cartes t’envoie plusieurs cartes, ou rien du tout.",
    ),
    sections=(
        CARDS,
        SETTING_UP,
        _TURN,
        _ACTION_CARDS,
        _END_OF_ROUND,
        _POINTS,
        _VARIANTS,
        _LAUNCHER,
    ),
    options=(
        Option(
            "customizable",
            rule="E-02",
            default=3,
            values=range(4),
            label=Text("Customizable cards", "Cartes à customiser"),
            text=Text("How many of these cards are in the deck.", "Le nombre de ces cartes dans le paquet."),
        ),
        Option(
            "custom-rule",
            rule="E-22",
            default="",
            values=FreeText(200),
            label=Text("The rule on the Customizable cards", "La règle des cartes à customiser"),
            text=Text(
                "The words that your table has written on these cards. They are shown when one is played.",
                "Les mots que votre table a écrits sur ces cartes. Ils s’affichent quand on en joue une.",
            ),
        ),
        Option(
            "scoring",
            rule="E-27",
            default="winner",
            values=("winner", "low-score", "elimination"),
            label=Text("How points are kept", "Le décompte des points"),
            text=Text(
                "“winner”: the winner of a round scores (E-27). “low-score”: all note their own hand, and the lowest "
                "total wins (E-28). “elimination”: who goes over the limit is out (E-30).",
                "« winner » : le vainqueur de la manche marque (E-27). « low-score » : chacun note sa main, et le plus "
                "petit total gagne (E-28). « elimination » : qui dépasse la limite est éliminé (E-30).",
            ),
        ),
        Option(
            "target",
            rule="E-27",
            default=500,
            values=range(50, 2001),
            label=Text("Points that end the game", "Points qui décident de la partie"),
            text=Text(
                "The total that has to be reached (E-27); with “low-score” and “elimination”, the limit not to go over "
                "(E-28, E-30).",
                "Le total à atteindre (E-27) ; avec « low-score » et « elimination », la limite à ne pas dépasser "
                "(E-28, E-30).",
            ),
        ),
        Option(
            "reload-at",
            rule="E-31",
            default=52,
            values=range(10, 113),
            label=Text("Cards before a reload", "Cartes avant de recharger"),
            text=Text(
                "How many cards the discard pile may hold before the table is asked to reload.",
                "Le nombre de cartes du talon à partir duquel la table est invitée à recharger.",
            ),
        ),
    ),
)
