"""151 (C-01 to C-16)."""

from __future__ import annotations

from dispenser.rules.book.entry import GameBook, Option, Rule, Section, Text

_DEAL: Section = (
    Text("The cards and the deal", "Les cartes et la donne"),
    (
        Rule(
            "C-01",
            Text("The cards", "Les cartes"),
            Text(
                "You play with packs of 54 cards, jokers included, and take as many packs as the table needs. Ten to "
                "twelve players take two.",
                "On joue avec des jeux de 54 cartes, jokers compris, autant qu’il en faut pour la table. De dix à "
                "douze joueurs, on en prend deux.",
            ),
            reading=Text(
                "The original text leaves the number to the table for fewer players. Unless you choose, it is one pack "
                "for up to six players and two for more.",
                "Le texte d’origine laisse le nombre libre quand on est moins. Sans choix de votre part, c’est un jeu "
                "jusqu’à six joueurs et deux au-delà.",
            ),
            options=("packs",),
        ),
        Rule(
            "C-02",
            Text("Who deals", "Qui donne"),
            Text(
                "Whoever draws the lowest card deals first. After that, each player deals in turn.",
                "Celui qui tire la plus petite carte donne en premier. Ensuite, chacun donne à son tour.",
            ),
        ),
        Rule(
            "C-03",
            Text("Dealing", "La donne"),
            Text(
                "Each player receives five cards, dealt one at a time.",
                "Chaque joueur reçoit cinq cartes, distribuées une par une.",
            ),
        ),
        Rule(
            "C-04",
            Text("The first card", "La première carte"),
            Text(
                "The next card is turned up. If it is a special card (2, 6, 8, 10, queen, ace or joker), its effect is "
                "the same as if it were the dealer who played it.",
                "On retourne la carte suivante. Si elle est spéciale (2, 6, 8, 10, dame, as ou joker), elle a le même "
                "effet que si le donneur venait de la jouer.",
            ),
        ),
    ),
)

_TURN: Section = (
    Text("Your turn", "Ton tour"),
    (
        Rule(
            "C-05",
            Text("Which card fits", "Quelle carte convient"),
            Text(
                "Your card fits if it has the same suit or the same rank as the top card of the discard pile.",
                "Ta carte convient si elle a la couleur ou la hauteur de la carte du dessus du talon.",
            ),
            reading=Text(
                "The original text does not say whether an 8 goes on anything. Here it has to match like any other "
                "card, except on a frozen pile (C-11); an option lets it go anywhere.",
                "Le texte d’origine ne dit pas si un 8 va sur tout. Ici, il doit convenir comme les autres cartes, "
                "sauf sur un talon gelé (C-11) ; une option le laisse aller partout.",
            ),
            options=("eight-anywhere",),
        ),
    ),
)

_SPECIAL_CARDS: Section = (
    Text("The special cards", "Les cartes spéciales"),
    (
        Rule(
            "C-06",
            Text("The 2", "Le 2"),
            Text(
                "The next player draws two cards and does not play.",
                "Le joueur suivant pioche deux cartes et ne joue pas.",
            ),
        ),
        Rule(
            "C-07",
            Text("The 6", "Le 6"),
            Text("The turn jumps to the player sitting opposite.", "Le tour passe au joueur assis en face."),
            reading=Text(
                "The original text does not say who sits opposite at an odd table. We count half the number of "
                "players, rounded down, in the direction of play.",
                "Le texte d’origine ne dit pas qui est en face quand le nombre de joueurs est impair. Nous comptons la "
                "moitié des joueurs, arrondie vers le bas, dans le sens du jeu.",
            ),
        ),
        Rule(
            "C-08",
            Text("The 8", "Le 8"),
            Text("Its player names the suit that counts next.", "Celui qui le joue annonce la couleur qui suit."),
        ),
        Rule(
            "C-09",
            Text("The 10", "Le 10"),
            Text("From now on, turns go round the other way.", "À partir de là, on tourne dans l’autre sens."),
        ),
        Rule(
            "C-10",
            Text("The queen", "La dame"),
            Text(
                "Its player may play once more, with a card that fits. In the very first turn that you play, however, "
                "you may not go out.",
                "Celui qui la joue peut rejouer, avec une carte qui convient. Mais au tout premier tour que tu joues, "
                "tu n’as pas le droit de finir.",
            ),
        ),
        Rule(
            "C-11",
            Text("The ace", "L’as"),
            Text(
                "An ace freezes the pile. What goes on it is another ace, which keeps it frozen, an 8, which thaws it "
                "and calls for a suit, or a joker used as one of the two. Nothing else is allowed.",
                "Un as gèle le talon. On n’y pose qu’un autre as, qui le laisse gelé, un 8, qui le dégèle et annonce "
                "une couleur, ou un joker mis pour l’un des deux. Rien d’autre n’est permis.",
            ),
        ),
        Rule(
            "C-12",
            Text("The joker", "Le joker"),
            Text(
                "A joker can be any card that would be allowed in its place. Its player says which one, and it acts as "
                "that card would.",
                "Un joker remplace n’importe quelle carte qu’on pourrait poser à cet endroit. Celui qui le joue dit "
                "laquelle, et il agit comme elle.",
            ),
        ),
        Rule(
            "C-13",
            Text("Drawing instead of playing", "Piocher au lieu de jouer"),
            Text(
                "If you cannot play, or would rather not, draw one card. You may play it if it fits; otherwise your "
                "turn is over. After a 2 this does not apply, since you owe two cards there (C-06).",
                "Si tu ne peux pas jouer, ou si tu préfères t’abstenir, pioche une carte. Si elle convient, tu peux la "
                "poser ; sinon, ton tour est fini. Cela ne vaut pas après un 2, où tu dois piocher deux cartes (C-06).",
            ),
        ),
    ),
)

_END_OF_DEAL: Section = (
    Text("The end of a deal", "La fin d’une donne"),
    (
        Rule(
            "C-14",
            Text("Saying Carte", "Dire « Carte »"),
            Text(
                "Say “Carte” before you lay your last card but one. If you forget and are caught before the next "
                "player has played, you draw one card. If you have just played an 8 or a joker, you say your wish, "
                "suit or card, before you look at what you drew.",
                "Dis « Carte » avant de poser ton avant-dernière carte. Si tu oublies et si l’on te prend en faute "
                "avant que le suivant ait joué, tu pioches une carte. Si tu viens de jouer un 8 ou un joker, annonce "
                "ton souhait, couleur ou carte, avant de regarder ce que tu as pioché.",
            ),
        ),
        Rule(
            "C-15",
            Text("Points", "Les points"),
            Text(
                "Whoever goes out takes 10 points off their total. The others count their hands: an 8 is 32, an ace "
                "11, a king, queen or jack 10, and any other card its number. A joker counts the 150 printed in the "
                "original text, unless you set another value.",
                "Celui qui finit retire 10 points de son total. Les autres comptent leur main : un 8 vaut 32, un as "
                "11, une figure 10, et toute autre carte son chiffre. Un joker compte les 150 imprimés dans le texte "
                "d’origine, sauf si vous réglez une autre valeur.",
            ),
            options=("joker-points",),
        ),
        Rule(
            "C-16",
            Text("Who loses", "Qui perd"),
            Text(
                "The first player to reach 151 points or more has lost. If more than one gets there in the same deal, "
                "the loser is the one who is furthest over.",
                "Le premier qui atteint 151 points ou plus a perdu. Si plusieurs y arrivent dans la même donne, c’est "
                "celui qui dépasse le plus qui perd.",
            ),
            options=("limit",),
        ),
    ),
)

CENT_CINQUANTE_ET_UN = GameBook(
    "151",
    Text("151", "151"),
    seats=range(2, 13),
    summary=Text(
        "Frozen piles, jokers that can be any card, and the first to 151 points loses.",
        "Des talons gelés, des jokers qui remplacent tout, et le premier à 151 points a perdu.",
    ),
    sections=(
        _DEAL,
        _TURN,
        _SPECIAL_CARDS,
        _END_OF_DEAL,
    ),
    options=(
        Option(
            "packs",
            rule="C-01",
            default=0,
            values=range(5),
            label=Text("Packs of cards", "Jeux de cartes"),
            text=Text(
                "How many packs are shuffled together; 0 takes as many as the number of players calls for.",
                "Le nombre de jeux mélangés ensemble ; 0 en prend autant qu’il en faut pour le nombre de joueurs.",
            ),
        ),
        Option(
            "eight-anywhere",
            rule="C-05",
            default=False,
            values=(False, True),
            label=Text("An 8 on anything", "Un 8 sur tout"),
            text=Text(
                "Whether an 8 may be played on any card at all.",
                "Si un 8 peut se poser sur n’importe quelle carte.",
            ),
        ),
        Option(
            "joker-points",
            rule="C-15",
            default=150,
            values=range(201),
            label=Text("Points for a joker", "Points d’un joker"),
            text=Text("What a joker counts when it is still in hand.", "Ce que vaut un joker resté en main."),
        ),
        Option(
            "limit",
            rule="C-16",
            default=151,
            values=range(50, 1001),
            label=Text("Points that lose", "Points qui font perdre"),
            text=Text("The total at which a player has lost.", "Le total auquel un joueur a perdu."),
        ),
    ),
)
