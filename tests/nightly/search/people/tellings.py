"""From now on the table is told more, or less, in the middle of a round."""

from __future__ import annotations

from typing import Any

from dispenser.rules import Game, new_game
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.handover import can_hand_over, position_of
from dispenser.table import messages as m
from dispenser.table.words import Telling
from tests.nightly.search.people.cards import Hands
from tests.nightly.search.people.moves import Players


class Changers(Players):
    """See the module."""

    def change_telling(self, game: Game) -> bool:
        """Change it, now or, where nobody says how the round stands, from the next one on; whether it has changed."""
        table, match = self.sitting.table, self.match
        if not can_hand_over(game) or not match.in_round or not game.state.talon or table.asked or table.pushes:
            return False
        wanted = self.dice.choice([telling for telling in Telling if telling is not match.telling])
        bots = any(self.is_bot(seat) for seat in range(game.seats))
        if bots or (wanted is Telling.CARDS and self.maybe(0.3)):
            return self._wish(wanted)
        deal = position_of(game, hidden=True)
        if "stands_for" in deal:  # no form asks for that
            return False
        deal = {name: value for name, value in deal.items() if name not in {"scores", "gone", "dealer"}}
        if self.virtual:
            self._take_real_cards(game)
        hands = [tuple(self.held(seat)) for seat in range(game.seats)]
        if any(not hand and game.state.is_in(seat) for seat, hand in enumerate(hands)):
            return False  # somebody is out and nobody has noticed: then there may be no round to go on with
        told = match.by_itself or wanted is Telling.CARDS
        position = None
        if told and wanted is not Telling.COUNTER:
            position = self._form(deal, hands, open_hands=wanted is Telling.CARDS)
        self.did(f"from {match.telling} to {wanted}")
        self.say(m.ChangeTelling(wanted, position), self.anybody())
        self.unnoticed.clear()
        if wanted is Telling.COUNTER:
            self._into_the_heads(deal, hands)
        elif told:
            self.hands.lift(1)  # the form asks for the top card alone
        if self.virtual:
            self._put_cards_away(hands)
        return True

    def _wish(self, telling: Telling) -> bool:
        if self.sitting.table.wished is not telling:
            self.did(f"{telling} from the next round on")
            self.say(m.ChangeTelling(telling), self.anybody())
        return False

    def _form(self, deal: dict[str, Any], hands: list[tuple[int, ...]], *, open_hands: bool) -> dict[str, Any]:
        """What somebody fills in."""
        parts = {name: value for name, value in deal.items() if name != "talon"} | {"hands": hands}
        _, _, written = self.match.notes.write(Action(Deed.BEGIN, None, parts))
        form = dict(written)
        if not open_hands:
            del form["hands"]
            form["sizes"] = [len(hand) for hand in hands]
        return form

    def _into_the_heads(self, deal: dict[str, Any], hands: list[tuple[int, ...]]) -> None:
        begun = self.match.begun
        self.heads_of, self.heads = begun, new_game(
            self.game_id, len(begun.order), begun.options, hidden=True, seed=self.dice.getrandbits(32),
            scores=begun.scores, gone=begun.gone,
        )  # fmt: skip
        unknown = self.heads.state.unknown
        self.heads.begin(**deal | {"hands": [(unknown,) * len(hand) for hand in hands]})

    def _take_real_cards(self, game: Game) -> None:
        """Each looks at the phone and takes those very cards in hand."""
        state = game.state
        hands = {self.person(seat): list(state.held(seat)) for seat in range(game.seats)}
        talon = list(state.talon)
        stack = list(state.deck())
        for card in (*talon, *(card for hand in hands.values() for card in hand)):
            stack.remove(card)
        self.dice.shuffle(stack)
        self.hands = Hands(self.dice, stack, hands, talon)

    def _put_cards_away(self, hands: list[tuple[int, ...]]) -> None:
        self.hands = Hands(self.dice, [0] * 10_000, {self.person(s): [0] * len(hand) for s, hand in enumerate(hands)})
        self.unnoticed.clear()
        self.drawn = None
