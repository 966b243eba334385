"""Vocabulary of Uno Extrême, and names of its cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dispenser.i18n import Text
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.rules import Rules
from dispenser.rules.engine.uno_cards import FEMININE_COLOURS
from dispenser.rules.games.uno_extreme import cards as extreme
from dispenser.rules.words.cards import THE_ELIDED, WILD_SHAPE, CardWords
from dispenser.rules.words.vocabulary import PRESSING, Choice, Vocabulary

DISCARDED: Final = "discarded"  # question about the cards discarded with a Discard All (E-18)

_DO_AS_IT_SAYS: Final = Text("The table does what the card says.")
_IT_SAYS: Final = Text("The card says: {rule}")


def _rule_shown(game: Rules, _event: Event) -> Text:
    return _IT_SAYS if _places(game)["rule"] else _DO_AS_IT_SAYS


def _places(game: Rules) -> Mapping[str, str]:
    """Return the table's rule on its customizable cards, as a sentence (E-22)."""
    rule = str(game.options["custom-rule"]).strip()
    return {"rule": rule if rule.endswith((".", "!", "?", "…")) or not rule else f"{rule}."}


WORDS: Final = Vocabulary(
    cards=CardWords(
        extreme.UNO_EXTREME,
        in_sentences={
            extreme.PRESS_TWO: Text("the {card}", context="press 2"),
            extreme.REVERSE: THE_ELIDED,
            extreme.SKIP: Text("the {card}", context="skip"),
            extreme.DISCARD_ALL: Text("the {card}", context="discard all"),
            extreme.EXTREME_HIT: Text("an Extreme Hit"),
            extreme.CUSTOMIZABLE: Text("a customizable card"),
            extreme.PRESS_FOUR: Text("a {card}", context="press 4"),
        },
        also={
            extreme.PRESS_TWO: "+2",
            extreme.REVERSE: "sens",
            extreme.SKIP: "passe|passer un tour",
            extreme.DISCARD_ALL: "discard|poser",
            extreme.EXTREME_HIT: "hit",
            extreme.CUSTOMIZABLE: "customiser|perso",
            extreme.PRESS_FOUR: "+4",
        },
        feminine=FEMININE_COLOURS,
        signs={
            extreme.PRESS_TWO: "2×",
            extreme.REVERSE: "⇄",
            extreme.SKIP: "⊘",
            extreme.DISCARD_ALL: "≡",
            extreme.WILD: WILD_SHAPE,
            extreme.EXTREME_HIT: "✶",
            extreme.CUSTOMIZABLE: "✎",
            extreme.PRESS_FOUR: "4×",
        },
    ),
    rules={
        extreme.PRESS_TWO: "E-17",
        extreme.REVERSE: "E-15",
        extreme.SKIP: "E-16",
        extreme.DISCARD_ALL: "E-18",
        extreme.WILD: "E-19",
        extreme.EXTREME_HIT: "E-21",
        extreme.CUSTOMIZABLE: "E-22",
        extreme.PRESS_FOUR: "E-20",
    },
    matching="E-13",
    asks={
        extreme.WILD: Choice.COLOUR,
        extreme.EXTREME_HIT: Choice.COLOUR_AND_SEAT,
        extreme.CUSTOMIZABLE: Choice.COLOUR,
        extreme.PRESS_FOUR: Choice.COLOUR,
    },
    most_presses=extreme.MOST_PRESSES,
    drawing=PRESSING,
    events={What.RULE_SHOWN: _rule_shown},
    places=_places,
    questions={
        DISCARDED: Text("Which cards did {whom} play along with the Discard All?"),
    },
    offences={"advice": Text("advice given to a player")},
    blameless=frozenset({"E-22"}),
    typed=(
        (
            Text("done"),
            Text(
                "the rule on a customizable card has been carried out; effect 2 Bob: its rule was two presses for Bob"
            ),
        ),
    ),
)
