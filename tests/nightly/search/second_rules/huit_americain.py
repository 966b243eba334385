"""Huit américain, written from the rule text alone by somebody who had not read the engine.

All hands are open, and luck is told from outside. From the engine come the names of the moves and nothing else.
"""

from dispenser.rules.engine.moves import DRAW, PASS, TAKE, Act, lay
from tests.nightly.search.second_rules.hands import Base

ACE, SEVEN, EIGHT, TEN = 0, 6, 7, 9


class HuitAmericain(Base):
    replay = False

    def deck(self):
        return (list(range(52)) + ([52, 52] if self.options["jokers"] else [])) * self.options["packs"]

    def setup(self, first):
        while first == 52 or first % 13 in (SEVEN, EIGHT, TEN, ACE):
            self.pile[first] += 1
            self.under[first] += 1
            first = self.order.pop(0)
            self.pile[first] -= 1
        self.talon = [first]
        self.colour = first // 13
        self.total = 0
        self.turn_to(self.following(self.dealer))

    def ways(self, _seat, card):
        if self.total:
            return {lay(card)} if card < 52 and card % 13 == ACE else set()
        if card == 52 or card % 13 == EIGHT:
            return {lay(card, colour=colour) for colour in range(4)}
        shown = self.talon[-1]
        return {lay(card)} if card // 13 == self.colour or (shown < 52 and shown % 13 == card % 13) else set()

    def mine(self, seat):
        if self.phase == "drew":
            return self.ways(seat, self.drawn) | {PASS}
        moves = set().union(*(self.ways(seat, card) for card, count in self.hands[seat].items() if count))
        if self.total:
            return moves | {TAKE}
        return moves if self.phase == "again" and moves else moves | {DRAW}  # G-02, H-08

    def does(self, seat, move):
        act = move.act
        self.exposed &= {seat} if self.phase == "again" or (self.phase == "drew" and self.replay) else set()
        if act is Act.DRAW:
            self.replay = self.phase == "again"
            self.owe(seat, 1, self.drew)
        elif act is Act.PASS:
            self.turn_to(self.following(seat))
        elif act is Act.TAKE:
            self.owe(seat, self.total)
            self.total = 0
            self.turn_to(self.following(seat))
        else:
            card = move.card
            self.put(seat, card)
            self.replay = False
            symbol = card % 13 if card < 52 else EIGHT
            self.colour = move.colour if symbol == EIGHT else card // 13
            if not self.size(seat) and symbol != TEN:
                self.winner = seat
                self.total = 0
                self.over()
                return
            if symbol == TEN:
                self.phase = "again"
                self.turn = seat
                self.drawn = None
            elif symbol == SEVEN:
                self.turn_to(self.following(seat, 2))
            else:
                if symbol == ACE:
                    self.total += 2
                self.turn_to(self.following(seat))

    def count(self):
        def value(card):
            symbol = card % 13 if card < 52 else EIGHT
            return 50 if symbol == EIGHT else 25 if symbol in (SEVEN, TEN, ACE) else 10 if symbol > 9 else 5

        held = [sum(value(card) * count for card, count in one.items()) for one in self.hands]
        target = self.options["target"]
        own = self.options["scoring"] == "own-points"
        if own and self.options["match"] != "single":
            self.scores = [before + more for before, more in zip(self.scores, held, strict=True)]
        else:
            self.scores[self.winner] += sum(held)
        if self.options["match"] == "single":
            self.winners = {self.winner}
        elif own and max(self.scores) >= target:
            lowest = min(self.scores)
            self.winners = {seat for seat in range(self.seats) if self.scores[seat] == lowest}
        elif not own and self.scores[self.winner] >= target:
            self.winners = {self.winner}
