"""Uno Extrême, written from the rule text alone by somebody who had not read the engine.

All hands are open, and luck is told from outside. From the engine come the names of the moves and nothing else.
"""

from collections import Counter

from dispenser.rules.engine.moves import ANNOUNCE, DONE, DRAW, Act, catch, effect, lay, name

WILD, HIT, CUSTOM, FOUR = 52, 53, 54, 55
PRESS_TWO, REVERSE, SKIP, DISCARD_ALL = 9, 10, 11, 12


def colour_of(card):
    return -1 if card >= 52 else card // 13


def symbol_of(card):
    return -1 if card >= 52 else card % 13


def points(card):  # E-26
    if card >= 52:
        return 40 if card == FOUR else 50
    symbol = card % 13
    return symbol + 1 if symbol < 9 else 30 if symbol == DISCARD_ALL else 20


class Extreme:
    def __init__(self, seats, options):
        self.seats, self.options = seats, options
        self.scores = [0] * seats
        self.out = set()
        self.winners = None
        self.losers = None
        self.phase = "idle"

    def deck(self):
        deck = []
        for card in range(52):
            deck += [card] * (1 if card % 13 == REVERSE else 2)
        return deck + [WILD] * 4 + [HIT] * 4 + [CUSTOM] * self.options["customizable"] + [FOUR]

    def seats_in(self):
        return [seat for seat in range(self.seats) if seat not in self.out]

    def following(self, seat, count=1):
        while count:
            seat = (seat + self.direction) % self.seats
            if seat not in self.out:
                count -= 1
        return seat

    def begin(self, dealer, hands, first, pile):
        self.hands = [Counter(held) for held in hands]
        self.pile = Counter(pile)
        self.talon = []
        self.direction = 1
        self.demands = []
        self.exposed = set()
        self.announced = set()
        self.calling = set()
        self.phase = "playing"
        self.winner = None
        while first == HIT:  # E-11
            self.pile[HIT] += 1
            first = pile[0]
            pile = pile[1:]
            self.pile[first] -= 1
        self.talon = [first]
        self.colour = colour_of(first)
        left = self.following(dealer)
        symbol = symbol_of(first)
        if symbol == REVERSE:
            self.direction = -1
            self.turn = dealer  # E-05
        elif symbol == SKIP:
            self.turn = self.following(left)  # E-06
        elif symbol == PRESS_TWO:
            self.demands.append([left, left, 2, False])
            self.turn = self.following(left)
        elif first in (WILD, CUSTOM):
            self.turn = left
            self.phase = "naming"  # E-08, E-10
        elif first == FOUR:
            self.demands.append([left, left, 4, False])
            self.turn = self.following(left)
            self.phase = "naming"
        else:
            self.turn = left

    def size(self, seat):
        return sum(self.hands[seat].values())

    def fits(self, card):
        if card >= 52:
            return True
        shown = self.talon[-1]
        return colour_of(card) == self.colour or (shown < 52 and symbol_of(card) == symbol_of(shown))

    def lays(self, seat):
        moves = set()
        for card, count in self.hands[seat].items():
            if count and self.fits(card):
                if card < 52:
                    moves.add(lay(card))
                else:
                    for colour in range(4):
                        if card == HIT:
                            for other in self.seats_in():
                                if other != seat:
                                    moves.add(lay(card, colour=colour, seat=other))
                        else:
                            moves.add(lay(card, colour=colour))
        return moves

    def left_after(self, seat, card):
        left = self.size(seat) - 1
        if symbol_of(card) == DISCARD_ALL:
            left -= sum(count for one, count in self.hands[seat].items() if colour_of(one) == colour_of(card)) - 1
        return left

    def legal(self, seat):
        moves = set()
        if self.phase in ("idle", "over") or seat in self.out:
            return moves
        if not self.demands and seat == self.turn:
            if self.phase == "naming":
                moves |= {name(colour) for colour in range(4)}
            if self.phase == "playing":
                lays = self.lays(seat)
                moves |= lays | {DRAW}
                if seat not in self.calling and (
                    self.size(seat) == 2 or any(self.left_after(seat, move.card) == 1 for move in lays)
                ):
                    moves.add(ANNOUNCE)
            if self.phase == "custom":
                moves.add(DONE)
        if self.phase == "custom" and seat == self.turn:
            moves |= {effect(other, presses) for other in self.seats_in() for presses in range(1, 5)}
        if seat in self.exposed:
            moves.add(ANNOUNCE)
        for other in self.exposed:
            if other != seat:
                moves.add(catch(other))
        return moves

    def acted(self):
        self.exposed.clear()

    def play(self, seat, move):
        act = move.act
        if act is Act.ANNOUNCE:
            if seat in self.exposed:
                self.exposed.discard(seat)
                self.announced.add(seat)
            else:
                self.calling.add(seat)
            return
        if act is Act.CATCH:
            self.exposed.discard(move.seat)
            self.demands.insert(0, [move.seat, move.seat, 2, True])
            return
        if act is Act.NAME:
            self.colour = move.colour
            self.phase = "playing"
            return
        if act is Act.DONE:
            self.phase = "playing"
            self.turn = self.following(seat)
            self.over()
            return
        if act is Act.EFFECT:
            is_next = move.seat == self.following(seat)  # G-03: then it is the next player's act
            self.demands.append([move.seat, move.seat, move.presses, not is_next, "E-22"])
            return
        self.acted()
        called = seat in self.calling
        self.calling.clear()
        if act is Act.DRAW:
            self.demands.append([seat, seat, 1, False])
            self.turn = self.following(seat)
            return
        assert act is Act.LAY
        card = move.card
        self.hands[seat][card] -= 1
        if symbol_of(card) == DISCARD_ALL:
            for one in list(self.hands[seat]):
                if colour_of(one) == colour_of(card):
                    self.talon += [one] * self.hands[seat][one]
                    self.hands[seat][one] = 0
        self.talon.append(card)
        self.colour = move.colour if card >= 52 else colour_of(card)
        count = self.size(seat)
        if count == 1:
            (self.announced if called else self.exposed).add(seat)
        if count == 0:
            self.winner = seat
        two = len(self.seats_in()) == 2
        symbol = symbol_of(card)
        after = self.following(seat)
        if symbol == REVERSE:
            self.direction = -self.direction
            self.turn = seat if two else self.following(seat)
        elif symbol == SKIP:
            self.turn = self.following(after)
        elif symbol == PRESS_TWO:
            self.demands.append([after, after, 2, False])
            self.turn = self.following(after)
        elif card == FOUR:
            self.demands.append([after, after, 4, False])
            self.turn = self.following(after)
        elif card == HIT:
            self.demands.append([seat, move.seat, 2, False])
            self.turn = after
        elif card == CUSTOM:
            self.phase = "custom"
            return
        else:
            self.turn = after
        self.over()

    def press(self, cards):
        demand = self.demands[0]
        if not demand[3] and demand[1] == demand[0] and demand[0] not in self.exposed:
            self.acted()
        for card in cards:
            self.pile[card] -= 1
            self.hands[demand[1]][card] += 1
        if cards:
            self.announced.discard(demand[1])
            self.exposed.discard(demand[1])
        demand[2] -= 1
        if not demand[2]:
            self.demands.pop(0)
            if demand[4:] == ["E-22"] and all(other[4:] != ["E-22"] for other in self.demands):
                self.phase = "playing"
                self.turn = self.following(self.turn)
        self.over()

    def penalise(self, seat):
        self.demands.insert(0, [seat, seat, 4, True])

    def reload(self):
        for card in self.talon[:-1]:
            self.pile[card] += 1
        self.talon = self.talon[-1:]

    def over(self):
        if self.winner is None or self.demands or self.phase == "custom":
            return
        winner = self.winner
        self.phase = "idle"
        held = [sum(points(card) * count for card, count in hand.items()) for hand in self.hands]
        mode, target = self.options["scoring"], self.options["target"]
        if mode == "winner":
            self.scores[winner] += sum(held[seat] for seat in range(self.seats) if seat != winner)
            if self.scores[winner] >= target:
                self.winners = {winner}
        else:
            for seat in self.seats_in():
                self.scores[seat] += held[seat]
            if mode == "low-score":
                if max(self.scores) > target:
                    low = min(self.scores)
                    self.winners = {seat for seat in range(self.seats) if self.scores[seat] == low}
            else:
                over = {seat for seat in self.seats_in() if self.scores[seat] > target}
                if over == set(self.seats_in()):
                    over.discard(winner)  # E-30, reading: who has won the round stays in
                self.out |= over
                if len(self.seats_in()) == 1:
                    self.winners = set(self.seats_in())
        if self.winners:
            self.phase = "over"
