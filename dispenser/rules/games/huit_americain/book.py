"""Huit américain (H-01 to H-12)."""

from __future__ import annotations

from dispenser.rules.book.entry import GameBook, Option, Rule, Section, Text

_DEAL: Section = (
    Text("The cards and the deal", "Les cartes et la donne"),
    (
        Rule(
            "H-01",
            Text("The cards", "Les cartes"),
            Text(
                "You play with one pack of 52 cards, with two packs, or with packs of 54 that contain two jokers.",
                "On joue avec un jeu de 52 cartes, avec deux jeux, ou avec des jeux de 54 qui contiennent deux jokers.",
            ),
            reading=Text(
                "The original text has no rule for the jokers. If they are in, you play a joker as an 8.",
                "Le texte d’origine ne donne aucune règle pour les jokers. S’ils sont là, un joker se joue comme un 8.",
            ),
            options=("packs", "jokers"),
        ),
        Rule(
            "H-02",
            Text("Dealing", "La donne"),
            Text(
                "Each player receives eight cards, and one more is turned up. If it is a special card (7, 8, 10 or "
                "ace), it goes to the bottom of the draw pile, and the next one is turned up.",
                "Chaque joueur reçoit huit cartes, et l’on en retourne une de plus. Si elle est spéciale (7, 8, 10 ou "
                "as), elle passe sous la pioche, et l’on retourne la suivante.",
            ),
        ),
        Rule(
            "H-03",
            Text("Who begins", "Qui commence"),
            Text(
                "The player on the dealer’s left begins, and turns go round clockwise.",
                "Le voisin de gauche du donneur commence, et l’on tourne dans le sens horaire.",
            ),
        ),
    ),
)

_TURN: Section = (
    Text("Your turn", "Ton tour"),
    (
        Rule(
            "H-04",
            Text("Which card fits", "Quelle carte convient"),
            Text(
                "Your card fits if it has the same suit or the same rank as the top card of the discard pile. An 8 "
                "fits on everything.",
                "Ta carte convient si elle a la couleur ou la hauteur de la carte du dessus du talon. Un 8 convient "
                "sur tout.",
            ),
        ),
        Rule(
            "H-05",
            Text("Drawing instead of playing", "Piocher au lieu de jouer"),
            Text(
                "If you cannot play, or would rather not, draw one card. If it fits, you may play it.",
                "Si tu ne peux pas jouer, ou si tu préfères t’abstenir, pioche une carte. Si elle convient, tu peux la "
                "poser.",
            ),
        ),
    ),
)

_SPECIAL_CARDS: Section = (
    Text("The special cards", "Les cartes spéciales"),
    (
        Rule(
            "H-06",
            Text("The 7", "Le 7"),
            Text("The next player misses a turn.", "Le joueur suivant perd son tour."),
        ),
        Rule(
            "H-07",
            Text("The 8", "Le 8"),
            Text(
                "Whoever plays an 8 may ask for a different suit.",
                "Celui qui joue un 8 peut demander une autre couleur.",
            ),
        ),
        Rule(
            "H-08",
            Text("The 10", "Le 10"),
            Text(
                "After a 10 you must play once more, under the same rules, and you may follow it with another 10. If "
                "you cannot, draw one card, which you may play if it fits. So nobody goes out with a bare 10: it has "
                "to be covered.",
                "Après un 10, tu dois rejouer, selon les mêmes règles, et tu peux enchaîner avec un autre 10. Si tu ne "
                "peux pas, pioche une carte, que tu peux poser si elle convient. Personne ne finit donc sur un 10 tout "
                "seul : il faut le couvrir.",
            ),
        ),
        Rule(
            "H-09",
            Text("The ace", "L’as"),
            Text(
                "The next player draws two cards, unless that player has an ace and plays it. Then the one after draws "
                "four, with a third ace six, and so on.",
                "Le joueur suivant pioche deux cartes, à moins de jouer un as à son tour. Celui d’après en pioche "
                "alors quatre, six avec un troisième as, et ainsi de suite.",
            ),
            reading=Text(
                "The original text does not say whether whoever draws still plays. Here, drawing for the aces uses up "
                "the turn. An ace laid as the last card ends the deal at once: nobody answers it, nobody draws.",
                "Le texte d’origine ne dit pas si celui qui pioche joue encore. Ici, piocher pour les as fait perdre "
                "le tour. Un as posé en dernière carte finit la donne aussitôt : personne n’y répond, personne ne "
                "pioche.",
            ),
        ),
        Rule(
            "H-10",
            Text("Carte forgotten", "« Carte » oublié"),
            Text(
                "When you lay your last card but one, you say “Carte!”. If you forget and are caught (G-03), you draw "
                "two cards.",
                "En posant ton avant-dernière carte, tu dis « Carte ! ». Si tu oublies et si l’on te prend en faute "
                "(G-03), tu pioches deux cartes.",
            ),
        ),
    ),
)

_POINTS: Section = (
    Text("Points and winning", "Les points et la victoire"),
    (
        Rule(
            "H-11",
            Text("Points", "Les points"),
            Text(
                "Cards left in hand count as follows: an 8 is 50; a 7, a 10 or an ace is 25; a king, a queen or a jack "
                "is 10; any other card is 5. Whoever wins the deal scores what the others hold.",
                "Les cartes restées en main comptent ainsi : un 8 vaut 50 ; un 7, un 10 ou un as vaut 25 ; un roi, une "
                "dame ou un valet vaut 10 ; toute autre carte vaut 5. Le vainqueur de la donne marque ce que les "
                "autres ont en main.",
            ),
            reading=Text(
                "The original text gives the joker no value. We count it as the 8 that it stands for: 50. Who scores "
                "is not quite clear there either; the option lets each write down their own points.",
                "Le texte d’origine ne donne pas de valeur au joker. Nous le comptons comme le 8 qu’il remplace : 50.",
            ),
        ),
        Rule(
            "H-12",
            Text("One deal or a longer game", "Une donne ou une partie"),
            Text(
                "You play either a single deal, won by whoever has no card left first, or for points: the first to "
                "reach 500 wins.",
                "On joue soit une seule donne, gagnée par le premier qui n’a plus de cartes, soit aux points : le "
                "premier à atteindre 500 gagne.",
            ),
            options=("match", "target"),
        ),
    ),
)

HUIT_AMERICAIN = GameBook(
    "huit-americain",
    Text("Huit américain", "Huit américain"),
    seats=range(2, 9),
    summary=Text(
        "Ordinary playing cards: an 8 changes the suit, a 10 plays again, and aces pile up.",
        "Des cartes ordinaires : le 8 change la couleur, le 10 fait rejouer, et les as s’accumulent.",
    ),
    sections=(
        _DEAL,
        _TURN,
        _SPECIAL_CARDS,
        _POINTS,
    ),
    options=(
        Option(
            "packs",
            rule="H-01",
            default=1,
            values=range(1, 5),
            label=Text("Packs of cards", "Jeux de cartes"),
            text=Text("How many packs are shuffled together.", "Le nombre de jeux mélangés ensemble."),
        ),
        Option(
            "jokers",
            rule="H-01",
            default=False,
            values=(False, True),
            label=Text("With jokers", "Avec les jokers"),
            text=Text("Whether each pack keeps its two jokers.", "Si chaque jeu garde ses deux jokers."),
        ),
        Option(
            "match",
            rule="H-12",
            default="single",
            values=("single", "points"),
            label=Text("Length of the game", "Durée de la partie"),
            text=Text(
                "“single”: one deal decides. “points”: you play deal after deal, up to a total.",
                "« single » : une seule donne décide. « points » : on joue donne après donne, jusqu’à un total.",
            ),
        ),
        Option(
            "scoring",
            rule="H-11",
            default="winner",
            values=("winner", "own-points"),
            label=Text("Counting", "Comptage"),
            text=Text(
                "“winner”: whoever wins the deal scores what the others hold. “own-points”: everybody writes down what "
                "is left in their own hand; when somebody has the points of the end, the lowest total wins. A game "
                "of a single deal is won by whoever goes out first, either way.",
                "« winner » : le vainqueur de la donne marque ce que les autres ont en main. « own-points » : chacun "
                "note ce qui lui reste en main ; quand quelqu’un atteint les points de la fin, le plus petit total "
                "gagne. Une partie d’une seule donne revient de toute façon au premier qui n’a plus de cartes.",
            ),
        ),
        Option(
            "target",
            rule="H-12",
            default=500,
            values=range(50, 2001),
            label=Text("Points to win", "Points pour gagner"),
            text=Text(
                "The total that wins, or with “own-points” ends, a game played for points.",
                "Le total qui gagne une partie jouée aux points, ou qui la finit avec « own-points ».",
            ),
        ),
    ),
)
