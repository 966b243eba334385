"""Uno, written from the rule text alone by somebody who had not read the engine.

All hands are open, and luck is told from outside. From the engine come the names of the moves and nothing else.
"""

from dispenser.rules.engine.moves import CHALLENGE, DRAW, PASS, TAKE, Act, lay, name
from tests.nightly.search.second_rules.hands import Base


class Uno(Base):
    WILD, FOUR = 52, 53
    PLUS_TWO, REVERSE, SKIP = 10, 11, 12
    offence = "advice"

    def deck(self):
        deck = []
        for card in range(52):
            deck += [card] * (1 if card % 13 == 0 else 2)
        return deck + [52] * 4 + [53] * 4

    def setup(self, first):
        while first == 53:
            self.pile[53] += 1
            first = self.order.pop(0)
            self.pile[first] -= 1
        self.talon = [first]
        self.colour = first // 13 if first < 52 else -1
        left = self.following(self.dealer)
        symbol = first % 13 if first < 52 else -1
        if symbol == 10:
            self.owe(left, 2)
            self.turn_to(self.following(left))
        elif symbol == 11:
            self.direction = -1
            self.turn_to(self.following(self.dealer))
        elif symbol == 12:
            self.turn_to(self.following(left))
        elif first == 52:
            self.turn = self.dealer
            self.phase = "naming"
        else:
            self.turn_to(left)

    def fits(self, card, top=None, colour=None):
        shown = self.talon[-1] if top is None else top
        asked = self.colour if colour is None else colour
        return card >= 52 or card // 13 == asked or (shown < 52 and card % 13 == shown % 13)

    def ways(self, _seat, card):
        if not self.fits(card):
            return set()
        return {lay(card)} if card < 52 else {lay(card, colour=colour) for colour in range(4)}

    def mine(self, seat):
        if self.phase == "naming":
            return {name(colour) for colour in range(4)}
        if self.phase == "answer":
            return {TAKE, CHALLENGE}
        if self.phase == "drew":
            return self.ways(seat, self.drawn) | {PASS}
        return set().union(*(self.ways(seat, card) for card, count in self.hands[seat].items() if count)) | {DRAW}

    def does(self, seat, move):
        act = move.act
        if act is Act.NAME:
            self.colour = move.colour
            self.turn_to(self.following(self.dealer))
            return
        self.exposed.clear()
        if act is Act.DRAW:
            self.owe(seat, 1, self.drew)
        elif act is Act.PASS:
            self.turn_to(self.following(seat))
        elif act is Act.TAKE:
            self.owe(seat, 4)
            self.turn_to(self.following(seat))
        elif act is Act.CHALLENGE:
            if self.bluff:
                layer = self.layer
                self.talon.pop()
                self.hands[layer][53] += 1
                self.colour = self.before[1]
                self.announced.discard(layer)
                self.owe(layer, 4)
                self.turn_to(seat)
            else:
                self.owe(seat, 6)
                self.turn_to(self.following(seat))
        else:
            card = move.card
            top, colour = self.talon[-1], self.colour
            self.put(seat, card)
            self.colour = move.colour if card >= 52 else card // 13
            symbol = card % 13 if card < 52 else -1
            after = self.following(seat)
            if not self.size(seat):
                self.winner = seat
            if symbol == 10:
                self.owe(after, 2)
                self.turn_to(self.following(after))
            elif symbol == 11:
                self.direction = -self.direction
                self.turn_to(seat if self.seats == 2 else self.following(seat))
            elif symbol == 12:
                self.turn_to(self.following(after))
            elif card == 53:
                self.layer = seat
                self.before = (top, colour)
                self.turn_to(after)
                # U-15: lawful only with nothing else playable in hand
                self.bluff = any(
                    count and one != 53 and self.fits(one, top, colour) for one, count in self.hands[seat].items()
                )
                self.phase = "answer"
                return
            else:
                self.turn_to(after)
            self.over()

    def count(self):
        def value(card):
            return 50 if card >= 52 else 20 if card % 13 > 9 else card % 13

        held = [sum(value(card) * count for card, count in one.items()) for one in self.hands]
        target = self.options["target"]
        if self.options["scoring"] == "winner":
            self.scores[self.winner] += sum(held) - held[self.winner]
            if self.scores[self.winner] >= target:
                self.winners = {self.winner}
        else:
            self.scores = [before + more for before, more in zip(self.scores, held, strict=True)]
            if max(self.scores) >= target:
                lowest = min(self.scores)
                self.winners = {seat for seat in range(self.seats) if self.scores[seat] == lowest}
