"""Uno vache, Uno with harsh house rules (V-01 to V-24)."""

from __future__ import annotations

from dispenser.rules.book.entry import GameBook, Option, Rule, Section, Text

_DEAL: Section = (
    Text("The cards and the deal", "Les cartes et la donne"),
    (
        Rule(
            "V-01",
            Text("The deck", "Le paquet"),
            Text(
                "You play with the Uno deck. Up to four white cards may be added; normally there are none.",
                "On joue avec le paquet d’Uno. On peut y ajouter jusqu’à quatre cartes blanches ; d’habitude, il n’y "
                "en a pas.",
            ),
            options=("white",),
        ),
        Rule(
            "V-02",
            Text("Dealing", "La donne"),
            Text(
                "Each player receives seven cards. The dealer decides which way round play goes.",
                "Chaque joueur reçoit sept cartes. Le donneur décide dans quel sens on joue.",
            ),
        ),
        Rule(
            "V-03",
            Text("A special card to start with", "Une carte spéciale pour commencer"),
            Text(
                "If the first card is special, it acts before anybody has played, as in Uno (U-04 to U-08).",
                "Si la première carte est spéciale, elle agit avant que quelqu’un ait joué, comme à l’Uno (U-04 à "
                "U-08).",
            ),
            reading=Text(
                "The list in the original text is lost, so we take the rules of Uno. A 0 or a white card turned up "
                "first does nothing.",
                "La liste du texte d’origine est perdue : nous prenons donc les règles de l’Uno. Un 0 ou une carte "
                "blanche en premier ne fait rien.",
            ),
        ),
    ),
)

_TURN: Section = (
    Text("Your turn", "Ton tour"),
    (
        Rule(
            "V-04",
            Text("Which card fits", "Quelle carte convient"),
            Text(
                "Your card fits if it has the same colour, the same number or the same symbol as the top card of the "
                "discard pile. A Wild fits on everything except a “+” that nobody has drawn for yet.",
                "Ta carte convient si elle a la couleur, le chiffre ou le symbole de la carte du dessus du talon. Un "
                "Joker va sur tout, sauf sur un « + » pour lequel personne n’a encore pioché.",
            ),
        ),
        Rule(
            "V-05",
            Text("Drawing instead of playing", "Piocher au lieu de jouer"),
            Text(
                "If you cannot play, draw one card and your turn is over. You do not play the card that you have just "
                "drawn.",
                "Si tu ne peux pas jouer, pioche une carte, et ton tour est fini. Tu ne joues pas la carte que tu "
                "viens de piocher.",
            ),
        ),
    ),
)

_SPECIAL_CARDS: Section = (
    Text("The special cards", "Les cartes spéciales"),
    (
        Rule(
            "V-06",
            Text("Wild", "Joker"),
            Text(
                "As in Uno: whoever plays it names the colour that counts next.",
                "Comme à l’Uno : celui qui le joue annonce la couleur qui suit.",
            ),
        ),
        Rule(
            "V-07",
            Text("Reverse", "Inversion"),
            Text(
                "As in Uno: turns go round the other way from now on.",
                "Comme à l’Uno : à partir de là, on tourne dans l’autre sens.",
            ),
        ),
        Rule(
            "V-08",
            Text("Skip", "Passer"),
            Text(
                "As in Uno: the next player misses a turn. A Skip may also go on another Skip.",
                "Comme à l’Uno : le joueur suivant perd son tour. Un Passer va aussi sur un autre Passer.",
            ),
        ),
    ),
)

_PLUS_CARDS: Section = (
    Text("The “+” cards", "Les cartes « + »"),
    (
        Rule(
            "V-09",
            Text("Stacking a +2", "Empiler les +2"),
            Text(
                "After a +2, the next player may add another +2 or a +4; the sum then passes on to the player after. "
                "Whoever adds nothing draws the whole sum and misses a turn.",
                "Après un +2, le joueur suivant peut ajouter un +2 ou un +4 ; la somme passe alors à celui d’après. "
                "Qui n’ajoute rien pioche toute la somme et perd son tour.",
            ),
        ),
        Rule(
            "V-10",
            Text("Stacking a +4", "Empiler les +4"),
            Text(
                "Once a +4 is on top, only another +4 may be added to it.",
                "Sur un +4, on ne peut ajouter qu’un autre +4.",
            ),
        ),
    ),
)

_OUT_OF_TURN: Section = (
    Text("Out of turn", "Hors de son tour"),
    (
        Rule(
            "V-11",
            Text("Jump-in", "Court-circuit"),
            Text(
                "Do you hold a card identical to the one just laid, in value and colour, or the same wild? Then you "
                "may lay it out of turn, before the player whose turn it is has played. Play goes on from you.",
                "Tu as une carte identique à celle qu’on vient de poser, valeur et couleur, ou le même joker ? Tu peux "
                "la poser hors de ton tour, avant que le joueur dont c’est le tour ait joué. La suite part de toi.",
            ),
        ),
        Rule(
            "V-12",
            Text("Jumping in on yourself", "Se court-circuiter soi-même"),
            Text(
                "The card that you jump in on may be your own.",
                "La carte que tu court-circuites peut être la tienne.",
            ),
        ),
    ),
)

_ZERO: Section = (
    Text("The 0", "Le 0"),
    (
        Rule(
            "V-13",
            Text("Hands go round", "Les mains tournent"),
            Text(
                "When a 0 is played, everybody who has cards passes their whole hand to the next player in the "
                "direction of play. Announcements for one card are due after the exchange. A player who had one card, "
                "and again has one, need not say anything.",
                "Quand un 0 est joué, tous ceux qui ont des cartes donnent leur main entière au suivant, dans le sens "
                "du jeu. Les annonces de dernière carte se font après l’échange. Celui qui avait une carte, et en a de "
                "nouveau une seule, n’a rien à dire.",
            ),
        ),
    ),
)

_CANCELLING: Section = (
    Text("Cancelling a “+” chain", "Annuler une chaîne de « + »"),
    (
        Rule(
            "V-14",
            Text("Cancelling", "Annuler"),
            Text(
                "A run of “+” cards can be cancelled with a number card. Its colour must be that of the last +2, or "
                "the one named with the +4, and its number must be the sum to draw. If the sum is above 9, add its "
                "digits until one digit is left. The player who started the run then draws the whole sum.",
                "Une chaîne de « + » s’annule avec une carte chiffrée. Elle doit avoir la couleur du dernier +2, ou "
                "celle annoncée avec le +4, et pour chiffre la somme à piocher. Si la somme dépasse 9, additionne ses "
                "chiffres jusqu’à n’en avoir qu’un. C’est alors le premier de la chaîne qui pioche toute la somme.",
            ),
        ),
        Rule(
            "V-15",
            Text("Cancelling out of turn", "Annuler hors de son tour"),
            Text(
                "You may lay the cancelling card even when it is not your turn. The player after the last one who laid "
                "a “+” is then next.",
                "La carte d’annulation peut se poser hors de son tour. On reprend ensuite après le dernier joueur qui "
                "a posé un « + ».",
            ),
        ),
    ),
)

_WHITE_CARDS: Section = (
    Text("White cards and conduct", "Les cartes blanches et la conduite"),
    (
        Rule(
            "V-16",
            Text("White card", "Carte blanche"),
            Text(
                "Whoever plays a white card exchanges any two hands at the table. Their own may be one of them, and so "
                "may the empty hand of a player who is already out.",
                "Celui qui joue une carte blanche échange deux mains au choix. La sienne peut en être, tout comme la "
                "main vide d’un joueur déjà sorti.",
            ),
        ),
        Rule(
            "V-17",
            Text("Breaking the rules of conduct", "Les fautes de conduite"),
            Text(
                "A wrong card, a card out of turn or a forgotten announcement costs one penalty card.",
                "Une mauvaise carte, une carte hors de son tour ou une annonce oubliée coûte une carte de pénalité.",
            ),
            reading=Text(
                "The list of faults is missing from the original text. So it is the table that declares one, and the "
                "player at fault draws one card.",
                "La liste des fautes manque dans le texte d’origine. C’est donc la table qui en déclare une, et le "
                "fautif pioche une carte.",
            ),
        ),
    ),
)

_GOING_OUT: Section = (
    Text("Going out", "Finir"),
    (
        Rule(
            "V-18",
            Text("When the game stops", "Quand la partie s’arrête"),
            Text(
                "Once out, a player remains out, unless a white card brings them back (V-16). The game stops when only "
                "two players still have cards, or three if you were six or more at the start.",
                "Un joueur sorti le reste, sauf si une carte blanche le ramène (V-16). La partie s’arrête quand deux "
                "joueurs seulement ont encore des cartes, ou trois si vous étiez six ou plus au départ.",
            ),
            reading=Text(
                "The original text does not say how a small table ends. With fewer than four players, the game goes on "
                "until one is left.",
                "Le texte d’origine ne dit pas comment finit une petite table. À moins de quatre joueurs, on joue "
                "jusqu’à ce qu’il n’en reste qu’un.",
            ),
        ),
        Rule(
            "V-19",
            Text("No black card to finish", "Pas de carte noire pour finir"),
            Text(
                "A black card, Wild or +4, cannot end your game. If it is your last one, you lay it, name a colour, "
                "draw one card and say “UNO”.",
                "Personne ne finit sur une carte noire, Joker ou +4. Si c’est ta dernière, tu la poses, tu annonces "
                "une couleur, tu pioches une carte et tu dis « UNO ».",
            ),
        ),
        Rule(
            "V-20",
            Text("A special card to finish", "Finir sur une carte spéciale"),
            Text(
                "A special card that is laid last still acts on the players after, as always.",
                "Une carte spéciale posée en dernier agit comme toujours sur les joueurs suivants.",
            ),
        ),
        Rule(
            "V-21",
            Text("A 0 to finish", "Finir sur un 0"),
            Text(
                "If your last card is a 0, you are not out: you are given the hand of the player before you. The "
                "player after you is given your empty hand, and goes out instead.",
                "Si ta dernière carte est un 0, tu ne sors pas : tu reçois la main du joueur qui te précède. Le joueur "
                "qui te suit reçoit ta main vide, et c’est lui qui sort.",
            ),
        ),
        Rule(
            "V-22",
            Text("Saying UNO", "Dire « UNO »"),
            Text(
                "You say “UNO” when you lay your last card but one. If you forget and are caught (G-03), you draw one "
                "card.",
                "Tu dis « UNO » en posant ton avant-dernière carte. Si tu oublies et si l’on te prend en faute (G-03), "
                "tu pioches une carte.",
            ),
            reading=Text(
                "A card laid out of turn (V-11, V-15) ends the moment to catch somebody, like any other card.",
                "Une carte posée hors tour (V-11, V-15) met fin, comme toute autre, au moment où l’on peut prendre "
                "quelqu’un en faute.",
            ),
        ),
        Rule(
            "V-23",
            Text("Saying OU PAS", "Dire « OU PAS »"),
            Text(
                "If you have said “UNO” and are then about to get more cards, you say “OU PAS” just before you take "
                "them. If you forget and are caught, you draw one card.",
                "Si tu as dit « UNO » et si tu vas recevoir d’autres cartes, tu dis « OU PAS » juste avant de les "
                "prendre. Si tu oublies et si l’on te prend en faute, tu pioches une carte.",
            ),
        ),
        Rule(
            "V-24",
            Text("The ranking", "Le classement"),
            Text(
                "You are ranked in the order in which you went out.",
                "On vous classe dans l’ordre où vous êtes sortis.",
            ),
        ),
    ),
)

UNO_VACHE = GameBook(
    "uno-vache",
    Text("Uno vache", "Uno vache"),
    seats=range(2, 11),
    summary=Text(
        "Uno with harsh house rules: “+” cards pile up, hands change owners, and players jump in out of turn.",
        "Uno avec des règles maison sans pitié : les « + » s’empilent, les mains changent de place et l’on joue hors "
        "de son tour.",
    ),
    sections=(
        _DEAL,
        _TURN,
        _SPECIAL_CARDS,
        _PLUS_CARDS,
        _OUT_OF_TURN,
        _ZERO,
        _CANCELLING,
        _WHITE_CARDS,
        _GOING_OUT,
    ),
    options=(
        Option(
            "white",
            rule="V-01",
            default=0,
            values=range(5),
            label=Text("White cards", "Cartes blanches"),
            text=Text("How many white cards are shuffled in.", "Le nombre de cartes blanches ajoutées au paquet."),
        ),
        Option(
            "cancel-anyway",
            rule="V-14",
            default=False,
            values=(False, True),
            label=Text("Cancelling with a “+” in hand", "Annuler avec un « + » en main"),
            text=Text(
                "Whether somebody who holds a “+” may cancel a chain as well.",
                "Si l’on peut annuler une chaîne même avec un « + » en main.",
            ),
        ),
    ),
)
