"""What every game shares (G-01 to G-06)."""

from __future__ import annotations

from dispenser.rules.book.entry import Rule, Section, Text

SHARED: Section = (
    Text("What every game shares", "Ce que tous les jeux partagent"),
    (
        Rule(
            "G-01",
            Text("When the draw pile runs out", "Quand la pioche est vide"),
            Text(
                "When there is nothing left to draw, the top card of the discard pile stays where it is. All the "
                "others are shuffled and become the new draw pile. A wild card that is shuffled in loses the colour "
                "that was named with it. If this still gives too little, you take what there is, the table hears how "
                "many cards are missing, and the game continues.",
                "Quand il ne reste rien à piocher, la carte du dessus du talon ne bouge pas. On mélange toutes les "
                "autres, et elles forment la nouvelle pioche. Un joker remis dans la pioche perd la couleur annoncée "
                "avec lui. Si cela ne suffit toujours pas, tu prends ce qu’il y a, on annonce à la table combien de "
                "cartes manquent, et la partie continue.",
            ),
        ),
        Rule(
            "G-02",
            Text("Not playing is allowed", "On a le droit de ne pas jouer"),
            Text(
                "You may keep a card that you could play. You then accept what it costs not to play: a draw, or a "
                "press on the button. You do not have this choice while a rule leaves you only one thing to do, such "
                "as drawing or pressing what you owe, or playing again after a card that obliges you to.",
                "Tu peux garder une carte que tu pourrais poser. Tu acceptes alors ce que cela coûte : piocher, ou "
                "appuyer sur le bouton. Tu n’as pas ce choix quand la règle ne te laisse qu’une chose à faire, comme "
                "piocher ou appuyer autant que tu le dois, ou rejouer après une carte qui t’y oblige.",
            ),
        ),
        Rule(
            "G-03",
            Text("Announcing the last card", "Annoncer sa dernière carte"),
            Text(
                "When you come down to one card, you say so aloud: “UNO” or “Carte”, depending on the game. If you "
                "forget, any other player may catch you until the next player has played, drawn or pressed. If you "
                "think of it before you are caught, you are safe.",
                "Quand il ne te reste plus qu’une carte, tu le dis à voix haute : « UNO » ou « Carte », selon le jeu. "
                "Si tu oublies, n’importe qui peut te prendre en faute tant que le joueur suivant n’a pas joué, pioché "
                "ou appuyé. Si tu y penses avant qu’on te prenne, tu ne risques rien.",
            ),
            reading=Text(
                "Before the card that leaves you one, along with it, or right after it: all count, however that card is "
                "laid, also with a Discard All or out of turn. Said before, it holds for a card of that same turn. The "
                "next player has acted as soon as they say that they draw, press, take the cards or doubt the +4.",
                "Avant la carte qui ne t’en laisse qu’une, en la posant ou juste après : tout compte, de quelque façon "
                "que tu la poses, aussi avec un Poser Tout ou hors de ton tour. Dit avant, cela vaut pour une carte de "
                "ce même tour. Le joueur suivant a joué dès qu’il annonce qu’il pioche, qu’il appuie, qu’il prend les "
                "cartes ou qu’il conteste le +4.",
            ),
        ),
        Rule(
            "G-04",
            Text("No card gets lost", "Aucune carte ne se perd"),
            Text(
                "At every moment, the hands, the draw pile, the discard pile and the cards that were set aside make up "
                "the complete deck.",
                "À tout moment, les mains, la pioche, le talon et les cartes mises de côté forment ensemble le paquet "
                "complet.",
            ),
        ),
        Rule(
            "G-05",
            Text("A single source of chance", "Un seul hasard"),
            Text(
                "All that is left to chance comes from one generator, started from one seed: shuffling, drawing for "
                "the dealer, what the launcher throws. With the same seed and the same moves, the game turns out the "
                "same.",
                "Tout ce qui relève du hasard vient d’un seul générateur, lancé à partir d’une seule graine : le "
                "mélange, le tirage du donneur, ce que le lance-cartes éjecte. Avec la même graine et les mêmes coups, "
                "on retrouve la même partie.",
            ),
        ),
        Rule(
            "G-06",
            Text("A forbidden move changes nothing", "Un coup interdit ne change rien"),
            Text(
                "If a move is against the rules, everything stays as it was, and the answer gives the number of the "
                "rule that forbids it.",
                "Si un coup est contraire aux règles, tout reste comme avant, et la réponse donne le numéro de la "
                "règle qui l’interdit.",
            ),
        ),
    ),
)
