"""Uno (U-01 to U-21)."""

from __future__ import annotations

from dispenser.rules.book.entry import GameBook, Option, Rule, Section, Text

_DEAL: Section = (
    Text("The cards and the deal", "Les cartes et la donne"),
    (
        Rule(
            "U-01",
            Text("The deck", "Le paquet"),
            Text(
                "There are 108 cards. Each of the four colours has a single 0, every number from 1 to 9 twice, two +2, "
                "two Reverse and two Skip. The cards without a colour are four Wild and four Wild +4.",
                "Il y a 108 cartes. Chacune des quatre couleurs compte un seul 0, deux fois chaque chiffre de 1 à 9, "
                "deux +2, deux Inversions et deux Passer. Les cartes sans couleur sont quatre Jokers et quatre +4.",
            ),
        ),
        Rule(
            "U-02",
            Text("Who deals", "Qui donne"),
            Text(
                "At the start of each round everybody draws one card, and whoever has the highest number deals. Action "
                "cards count as 0 for this.",
                "Au début de chaque manche, chacun tire une carte, et le plus grand chiffre désigne le donneur. Les "
                "cartes spéciales comptent ici pour 0.",
            ),
        ),
        Rule(
            "U-03",
            Text("Dealing and starting", "La donne et le départ"),
            Text(
                "Each player receives seven cards, and the next card is turned up to start the discard pile. The "
                "player on the dealer’s left begins.",
                "Chaque joueur reçoit sept cartes, et l’on retourne la suivante pour commencer le talon. Le voisin de "
                "gauche du donneur commence.",
            ),
        ),
    ),
)

_FIRST_CARD: Section = (
    Text("A special card to start with", "Une carte spéciale pour commencer"),
    (
        Rule(
            "U-04",
            Text("+2 as the first card", "+2 en première carte"),
            Text(
                "The player who would begin draws two cards and misses that turn.",
                "Le joueur qui devait commencer pioche deux cartes et perd ce tour.",
            ),
        ),
        Rule(
            "U-05",
            Text("Reverse as the first card", "Inversion en première carte"),
            Text(
                "The player on the dealer’s right begins, and play runs to the right.",
                "Le voisin de droite du donneur commence, et l’on tourne vers la droite.",
            ),
        ),
        Rule(
            "U-06",
            Text("Skip as the first card", "Passer en première carte"),
            Text(
                "The first player on the dealer’s left misses a turn, so the second on the left begins.",
                "Le voisin de gauche du donneur perd son tour, et le suivant à gauche commence.",
            ),
            reading=Text(
                "The original text has the second player on the right begin, although it seats the first player on the "
                "left. We count on the left.",
                "Le texte d’origine fait commencer le deuxième joueur à droite, alors qu’il place le premier à gauche. "
                "Nous comptons à gauche.",
            ),
        ),
        Rule(
            "U-07",
            Text("Wild as the first card", "Joker en première carte"),
            Text("The dealer names the colour to start with.", "Le donneur annonce la couleur de départ."),
        ),
        Rule(
            "U-08",
            Text("+4 as the first card", "+4 en première carte"),
            Text(
                "The +4 returns to the draw pile, and another card is turned up.",
                "Le +4 retourne dans la pioche, et l’on retourne une autre carte.",
            ),
        ),
    ),
)

_TURN: Section = (
    Text("Your turn", "Ton tour"),
    (
        Rule(
            "U-09",
            Text("Which card fits", "Quelle carte convient"),
            Text(
                "Your card fits if it has the same colour, the same number or the same symbol as the top card of the "
                "discard pile. A Wild fits at any time.",
                "Ta carte convient si elle a la couleur, le chiffre ou le symbole de la carte du dessus du talon. Un "
                "Joker convient à tout moment.",
            ),
        ),
        Rule(
            "U-10",
            Text("Drawing instead of playing", "Piocher au lieu de jouer"),
            Text(
                "If you cannot play, or would rather not, draw one card. If that card fits, you may play it at once; "
                "no other card may be played any more. Otherwise your turn is over.",
                "Si tu ne peux pas jouer, ou si tu préfères t’abstenir, pioche une carte. Si elle convient, tu peux la "
                "poser aussitôt, elle et aucune autre. Sinon, ton tour est fini.",
            ),
        ),
    ),
)

_SPECIAL_CARDS: Section = (
    Text("The special cards", "Les cartes spéciales"),
    (
        Rule(
            "U-11",
            Text("+2", "+2"),
            Text(
                "You play it on its own colour or on another +2. The next player draws two cards and misses a turn; "
                "adding another +2 to hand the draw on is not allowed.",
                "Tu le joues sur sa couleur ou sur un autre +2. Le joueur suivant pioche deux cartes et perd son "
                "tour ; il ne peut pas ajouter un +2 pour s’en décharger sur le suivant.",
            ),
        ),
        Rule(
            "U-12",
            Text("Reverse", "Inversion"),
            Text(
                "From now on, turns go round the other way.",
                "À partir de là, on tourne dans l’autre sens.",
            ),
            reading=Text(
                "The original text does not say what it does when you are two. Here it works like a Skip.",
                "Le texte d’origine ne dit pas ce qu’elle fait à deux. Ici, elle agit comme un Passer.",
            ),
        ),
        Rule(
            "U-13",
            Text("Skip", "Passer"),
            Text("The next player misses a turn.", "Le joueur suivant perd son tour."),
        ),
        Rule(
            "U-14",
            Text("Wild", "Joker"),
            Text("Its player names the colour that counts next.", "Celui qui le joue annonce la couleur qui suit."),
        ),
        Rule(
            "U-15",
            Text("+4", "+4"),
            Text(
                "You name the colour; the next player draws four cards and misses a turn. It is lawful only if nothing "
                "else in your hand could be played. But nobody sees your hand, so you may bluff and hope that you are "
                "not challenged (U-16).",
                "Tu annonces la couleur ; le joueur suivant pioche quatre cartes et perd son tour. Ce n’est permis que "
                "si rien d’autre dans ta main ne peut se jouer. Mais personne ne voit ta main : tu peux bluffer, en "
                "espérant ne pas être contesté (U-16).",
            ),
        ),
        Rule(
            "U-16",
            Text("Challenging a +4", "Contester un +4"),
            Text(
                "Before drawing, the next player may ask to see the hand that the +4 came from. If it was a bluff, the "
                "+4 returns to that hand, its player draws four cards and that turn is over. If it was not, the "
                "challenger draws six cards and misses a turn.",
                "Avant de piocher, le joueur suivant peut demander à voir la main d’où vient le +4. Si c’était un "
                "bluff, le +4 retourne dans cette main, son joueur pioche quatre cartes et son tour est fini. Sinon, "
                "celui qui conteste pioche six cartes et perd son tour.",
            ),
            reading=Text(
                "The original text does not say what lies on top after a bluff. It is the card beneath, with the "
                "colour that counted then, and the challenger plays on it.",
                "Le texte d’origine ne dit pas ce qu’il y a sur le talon après un bluff. C’est la carte du dessous, "
                "avec la couleur d’alors, et celui qui a contesté joue.",
            ),
        ),
    ),
)

_END_OF_ROUND: Section = (
    Text("Penalties and the end of a round", "Les pénalités et la fin de manche"),
    (
        Rule(
            "U-17",
            Text("UNO forgotten", "« UNO » oublié"),
            Text(
                "If you are caught having forgotten to say “UNO” (G-03), you draw two cards.",
                "Si l’on te prend en faute pour ne pas avoir dit « UNO » (G-03), tu pioches deux cartes.",
            ),
        ),
        Rule(
            "U-18",
            Text("Remarks and advice", "Remarques et conseils"),
            Text(
                "An untimely remark, or advice to another player, costs four cards.",
                "Une remarque déplacée, ou un conseil à quelqu’un, coûte quatre cartes.",
            ),
        ),
        Rule(
            "U-19",
            Text("Ending on a +2 or +4", "Finir sur un +2 ou un +4"),
            Text(
                "If the last card is a +2 or a +4, the next player draws the cards first, and only then are the hands "
                "counted.",
                "Si la dernière carte est un +2 ou un +4, le joueur suivant pioche d’abord ses cartes, et l’on ne "
                "compte les mains qu’ensuite.",
            ),
            reading=Text(
                "Whoever has laid the last card has won the round: nothing that comes afterwards takes that back.",
                "Celui qui a posé sa dernière carte a gagné la manche : rien de ce qui suit ne l’annule.",
            ),
        ),
    ),
)

_POINTS: Section = (
    Text("Points and winning", "Les points et la victoire"),
    (
        Rule(
            "U-20",
            Text("Points", "Les points"),
            Text(
                "The numbers 0 to 9 count what they show. +2, Reverse and Skip count 20 each, Wild and +4 count 50 "
                "each. Whoever wins the round scores all the cards that are left in the other hands. The first to "
                "reach 500 wins the game.",
                "Les chiffres de 0 à 9 comptent leur valeur. +2, Inversion et Passer comptent 20 chacun, Joker et +4 "
                "comptent 50 chacun. Le vainqueur de la manche marque toutes les cartes restées dans les autres mains. "
                "Le premier à atteindre 500 gagne la partie.",
            ),
            options=("scoring", "target"),
        ),
        Rule(
            "U-21",
            Text("The lowest total wins", "Le plus petit total gagne"),
            Text(
                "If you choose this way of scoring, everybody notes the points of their own hand after each round. "
                "When somebody reaches 500, the game is over and the smallest total wins.",
                "Si vous choisissez ce décompte, chacun note les points de sa propre main après chaque manche. Quand "
                "quelqu’un atteint 500, la partie s’arrête et le plus petit total gagne.",
            ),
            options=("scoring", "target"),
        ),
    ),
)

UNO = GameBook(
    "uno",
    Text("Uno", "Uno"),
    seats=range(2, 11),
    summary=Text(
        "The classic: match the colour, the number or the symbol, and bluff with a +4 if you dare.",
        "Le classique : suis la couleur, le chiffre ou le symbole, et bluffe au +4 si tu l’oses.",
    ),
    sections=(
        _DEAL,
        _FIRST_CARD,
        _TURN,
        _SPECIAL_CARDS,
        _END_OF_ROUND,
        _POINTS,
    ),
    options=(
        Option(
            "scoring",
            rule="U-20",
            default="winner",
            values=("winner", "low-score"),
            label=Text("How points are kept", "Le décompte des points"),
            text=Text(
                "“winner”: the winner of a round scores (U-20). “low-score”: all note their own hand, and the lowest "
                "total wins (U-21).",
                "« winner » : le vainqueur de la manche marque (U-20). « low-score » : chacun note sa main, et le plus "
                "petit total gagne (U-21).",
            ),
        ),
        Option(
            "target",
            rule="U-20",
            default=500,
            values=range(50, 2001),
            label=Text("Points that end the game", "Points qui décident de la partie"),
            text=Text(
                "The total that ends the game when somebody reaches it.",
                "Le total qui met fin à la partie dès que quelqu’un l’atteint.",
            ),
        ),
    ),
)
