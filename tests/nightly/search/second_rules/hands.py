"""What Uno, Huit américain and 151 share, written from the rule text alone by somebody who had not read the engine.

All hands are open, and luck is told from outside. From the engine come the names of the moves and nothing else.
"""

from collections import Counter

from dispenser.rules.engine.moves import ANNOUNCE, Act, catch


class Base:
    forgot = 2
    offence = None

    def __init__(self, seats, options):
        self.seats, self.options = seats, options
        self.scores = [0] * seats
        self.winners = None
        self.losers = None
        self.phase = "idle"

    def size(self, seat):
        return sum(self.hands[seat].values())

    def following(self, seat, count=1):
        return (seat + self.direction * count) % self.seats

    def begin(self, dealer, hands, first, pile):
        self.dealer = dealer
        self.hands = [Counter(held) for held in hands]
        self.pile = Counter(pile)
        self.order = list(pile)
        self.direction = 1
        self.demands = []
        self.exposed = set()
        self.announced = set()
        self.calling = set()
        self.phase = "playing"
        self.winner = None
        self.drawn = None
        self.after = None
        self.talon = []
        self.under = Counter()
        self.setup(first)

    def reload(self):  # while a +4 can be challenged, the card beneath stays too
        count = 2 if self.phase == "answer" else 1
        for card in self.talon[:-count]:
            self.pile[card] += 1
        self.talon = self.talon[-count:]

    def legal(self, seat):
        moves = set()
        if self.phase in ("idle", "over"):
            return moves
        if not self.demands and seat == self.turn and (self.winner is None or self.phase == "answer"):
            moves |= self.mine(seat)
            if self.phase not in ("naming", "standing", "answer") and self.size(seat) == 2 and seat not in self.calling:
                moves.add(ANNOUNCE)
        if seat in self.exposed:
            moves.add(ANNOUNCE)
        return moves | {catch(other) for other in self.exposed if other != seat}

    def play(self, seat, move):
        act = move.act
        if act is Act.ANNOUNCE:
            if seat in self.exposed:
                self.exposed.discard(seat)
                self.announced.add(seat)
            else:
                self.calling.add(seat)
        elif act is Act.CATCH:
            self.exposed.discard(move.seat)
            self.demands.insert(0, [move.seat, move.seat, self.forgot, True])
        else:
            self.does(seat, move)
        self.over()

    def put(self, seat, card):
        self.hands[seat][card] -= 1
        self.talon.append(card)
        called = seat in self.calling
        self.calling.discard(seat)
        count = self.size(seat)
        self.exposed.discard(seat)
        if count == 1:
            (self.announced if called else self.exposed).add(seat)
        if count == 0:
            self.announced.discard(seat)

    def owe(self, seat, count, after=None):
        self.demands.append([seat, seat, count, False])
        self.after = after

    def settle(self):  # G-01: nothing left to draw
        if self.demands and not +self.pile and len(self.talon) <= (2 if self.phase == "answer" else 1):
            demand = self.demands.pop(0)
            if not demand[3] and self.after:
                then, self.after = self.after, None
                then(demand[0])
        self.over()

    def deliver(self, cards):
        demand = self.demands[0]
        seat = demand[0]
        if not demand[3]:
            self.exposed &= {seat}
        for card in cards:
            self.pile[card] -= 1
            self.hands[seat][card] += 1
        if self.size(seat) > 1:
            self.announced.discard(seat)
            self.exposed.discard(seat)
        demand[2] -= len(cards)
        last = cards[-1] if cards else None
        if not demand[3] and self.after:
            self.drawn = last
        if not demand[2]:
            self.demands.pop(0)
            if not demand[3] and self.after:
                then, self.after = self.after, None
                then(seat)
            self.over()
        else:
            self.settle()

    def penalise(self, seat):
        self.demands.insert(0, [seat, seat, 4, True])

    def turn_to(self, seat):
        self.turn = seat
        self.phase = "playing"
        self.drawn = None
        self.calling.clear()

    def drew(self, seat):
        if self.drawn is not None and self.ways(seat, self.drawn):
            self.phase = "drew"
        else:
            self.turn_to(self.following(seat))

    def over(self):
        if self.winner is None or self.demands or self.phase in ("idle", "over", "answer"):
            return
        self.phase = "idle"
        self.count()
        if self.winners or self.losers:
            self.phase = "over"
