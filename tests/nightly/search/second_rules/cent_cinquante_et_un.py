"""151, written from the rule text alone by somebody who had not read the engine.

All hands are open, and luck is told from outside. From the engine come the names of the moves and nothing else.
"""

from dispenser.rules.engine.moves import DRAW, PASS, Act, lay, name, stand
from tests.nightly.search.second_rules.hands import Base

ACE, SIX, EIGHT, TEN, QUEEN, JOKER = 0, 5, 7, 9, 11, 52


class CentCinquanteEtUn(Base):
    forgot = 1

    def deck(self):
        return [*range(52), 52, 52] * (self.options["packs"] or (1 if self.seats <= 6 else 2))

    def setup(self, first):
        self.talon = [first]
        self.frozen = False
        self.fresh = set(range(self.seats))
        self.top = -1
        self.colour = -1
        if first == JOKER:
            self.turn = self.dealer
            self.phase = "standing"
        elif first % 13 == EIGHT:
            self.top = first
            self.turn = self.dealer
            self.phase = "naming"
        else:
            self.turn = self.dealer
            self.does_card(self.dealer, first, None)

    def does_card(self, seat, card, colour):
        symbol = card % 13
        self.top = card
        self.colour = colour if symbol == EIGHT else card // 13
        self.frozen = symbol == ACE
        after = self.following(seat)
        if symbol == 1:
            self.owe(after, 2)
            self.turn_to(self.following(after))
        elif symbol == SIX:
            self.turn_to(self.following(seat, self.seats // 2))
        elif symbol == TEN:
            self.direction = -self.direction
            self.turn_to(self.following(seat))
        elif symbol == QUEEN:
            self.turn = seat
            self.phase = "again"
            self.drawn = None
        else:
            self.turn_to(after)

    def could(self, card):
        symbol = card % 13
        if self.frozen:
            return symbol in (ACE, EIGHT)
        if symbol == EIGHT and self.options["eight-anywhere"]:
            return True
        return card // 13 == self.colour or symbol == self.top % 13

    def ways(self, seat, card):
        if self.size(seat) == 1 and seat in self.fresh:
            return set()  # C-10
        if card == JOKER:
            moves = set()
            for one in range(52):
                if self.could(one):
                    moves |= (
                        {lay(card, stands_for=one, colour=colour) for colour in range(4)}
                        if one % 13 == EIGHT
                        else {lay(card, stands_for=one)}
                    )
            return moves
        if not self.could(card):
            return set()
        return {lay(card, colour=colour) for colour in range(4)} if card % 13 == EIGHT else {lay(card)}

    def mine(self, seat):
        if self.phase == "naming":
            return {name(colour) for colour in range(4)}
        if self.phase == "standing":
            return {stand(one) for one in range(52) if one % 13 != EIGHT} | {
                stand(one, colour=colour) for one in range(52) if one % 13 == EIGHT for colour in range(4)
            }
        if self.phase == "drew":
            return self.ways(seat, self.drawn) | {PASS}
        moves = set().union(*(self.ways(seat, card) for card, count in self.hands[seat].items() if count))
        return moves | ({PASS} if self.phase == "again" else {DRAW})

    def does(self, seat, move):
        act = move.act
        if act is Act.NAME:
            self.does_card(self.dealer, self.top, move.colour)
            return
        if act is Act.STAND:
            self.does_card(self.dealer, move.stands_for, move.colour)
            return
        self.exposed &= {seat} if self.phase == "again" else set()
        if act is Act.DRAW:
            self.owe(seat, 1, self.drew)
        elif act is Act.PASS:
            self.turn_to(self.following(seat))
        else:
            card = move.card
            self.put(seat, card)
            if not self.size(seat):
                self.winner = seat
                self.over()
                return
            self.does_card(seat, move.stands_for if card == JOKER else card, move.colour)
        if self.phase == "playing" and not self.after:
            self.fresh.discard(seat)

    def drew(self, seat):
        super().drew(seat)
        if self.turn != seat:
            self.fresh.discard(seat)

    def count(self):
        def value(card):
            if card == JOKER:
                return self.options["joker-points"]
            symbol = card % 13
            return 32 if symbol == EIGHT else 11 if symbol == ACE else 10 if symbol > 9 else symbol + 1

        for seat in range(self.seats):
            self.scores[seat] += (
                -10 if seat == self.winner else sum(value(card) * count for card, count in self.hands[seat].items())
            )
        highest = max(self.scores)
        if highest >= self.options["limit"]:
            self.losers = {seat for seat in range(self.seats) if self.scores[seat] == highest}
