"""Uno Extrême, before the first turn: the cards and the set-up (E-01 to E-12)."""

from __future__ import annotations

from dispenser.rules.book.entry import Rule, Section, Text

CARDS: Section = (
    Text("The cards", "Les cartes"),
    (
        Rule(
            "E-01",
            Text("The deck", "Le paquet"),
            Text(
                "There are 112 cards. Each of the four colours has every number from 1 to 9 twice, two Press 2, one "
                "Reverse, two Skip and two Discard All. The cards without a colour are four Wild, four Extreme Hit, "
                "three Customizable and a single Press 4.",
                "Il y a 112 cartes. Chacune des quatre couleurs compte deux fois chaque chiffre de 1 à 9, deux Appuyer "
                "2 fois, une Inversion, deux Passer et deux Poser Tout. Les cartes sans couleur sont quatre Jokers, "
                "quatre Coups Extrêmes, trois cartes à customiser et un seul Appuyer 4 fois.",
            ),
        ),
        Rule(
            "E-02",
            Text("How many Customizable cards", "Combien de cartes à customiser"),
            Text(
                "Before the game, the table agrees on how many of the three Customizable cards are shuffled in; none "
                "at all is possible, too. Unless you agree otherwise, it is all three.",
                "Avant la partie, la table décide combien des trois cartes à customiser elle ajoute au paquet ; on "
                "peut aussi s’en passer. Sans accord contraire, on met les trois.",
            ),
            options=("customizable",),
        ),
    ),
)

SETTING_UP: Section = (
    Text("Setting up", "La mise en place"),
    (
        Rule(
            "E-03",
            Text("Who deals", "Qui donne"),
            Text(
                "Everybody draws one card, and whoever has the highest number deals. Action cards count as 0 for this. "
                "If several share the highest number, they draw again.",
                "Chacun tire une carte, et le plus grand chiffre désigne le donneur. Les cartes Action comptent ici "
                "pour 0. En cas d’égalité, on tire de nouveau.",
            ),
        ),
        Rule(
            "E-04",
            Text("Dealing and starting", "La donne et le départ"),
            Text(
                "Each player receives seven cards, and one card is laid face up. All the others go into the launcher: "
                "shut the lid and switch on. One beep tells you that the lid is properly closed. The player on the "
                "dealer’s left begins, and turns go round clockwise.",
                "Chaque joueur reçoit sept cartes, et l’on en pose une face visible. Toutes les autres vont dans le "
                "lance-cartes : ferme le couvercle et allume. Un bip confirme que tout est bien fermé. Le voisin de "
                "gauche du donneur commence, et l’on tourne dans le sens horaire.",
            ),
        ),
        Rule(
            "E-05",
            Text("Reverse as the first card", "Inversion en première carte"),
            Text(
                "The dealer takes the first turn, and from there play runs to the right.",
                "Le premier tour revient au donneur, et de là on tourne vers la droite.",
            ),
        ),
        Rule(
            "E-06",
            Text("Skip as the first card", "Passer en première carte"),
            Text(
                "The first player on the dealer’s left misses a turn, and the second on the left begins.",
                "Le voisin de gauche du donneur perd son tour, et le suivant à gauche commence.",
            ),
        ),
        Rule(
            "E-07",
            Text("Press 2 as the first card", "Appuyer 2 fois en première carte"),
            Text(
                "The first player on the dealer’s left presses the button twice, and the second on the left begins.",
                "Le voisin de gauche du donneur appuie deux fois sur le bouton, et le suivant à gauche commence.",
            ),
        ),
        Rule(
            "E-08",
            Text("Wild as the first card", "Joker en première carte"),
            Text(
                "The first player on the dealer’s left names a colour and then plays.",
                "Le voisin de gauche du donneur annonce une couleur, puis il joue.",
            ),
        ),
        Rule(
            "E-09",
            Text("Press 4 as the first card", "Appuyer 4 fois en première carte"),
            Text(
                "The first player on the dealer’s left presses the button four times, and the second on the left "
                "begins.",
                "Le voisin de gauche du donneur appuie quatre fois sur le bouton, et le suivant à gauche commence.",
            ),
            reading=Text(
                "The original text does not say who names the colour. We leave it to the player who begins.",
                "Le texte d’origine ne dit pas qui annonce la couleur. Nous laissons ce choix au joueur qui commence.",
            ),
        ),
        Rule(
            "E-10",
            Text("Customizable as the first card", "Carte à customiser en première carte"),
            Text(
                "The first player on the dealer’s left chooses the colour and begins.",
                "Le voisin de gauche du donneur annonce la couleur et commence.",
            ),
        ),
        Rule(
            "E-11",
            Text("Extreme Hit as the first card", "Coup Extrême en première carte"),
            Text(
                "The card is put back among the others, and another one is turned up.",
                "On remet la carte parmi les autres et l’on en retourne une nouvelle.",
            ),
            reading=Text(
                "The original text says nothing about this case. Since nobody has played the card, nobody could aim "
                "it, so we start with another one.",
                "Le texte d’origine ne dit rien de ce cas. Comme personne n’a joué la carte, personne ne peut viser : "
                "nous partons donc d’une autre.",
            ),
        ),
        Rule(
            "E-12",
            Text("Discard All as the first card", "Poser Tout en première carte"),
            Text(
                "It counts as an ordinary card of its colour, and nobody lays anything down because of it.",
                "Il compte comme une carte ordinaire de sa couleur, et personne ne pose rien d’autre à cause de lui.",
            ),
            reading=Text(
                "The original text says nothing about this case. We let the card set the colour and nothing more.",
                "Le texte d’origine ne dit rien de ce cas. Nous le laissons donner la couleur, sans plus.",
            ),
        ),
    ),
)
