"""Uno vache, written from the rule text alone by somebody who had not read the engine.

All hands are open, and luck is told from outside. From the engine come the names of the moves and nothing else.
"""

from collections import Counter

from dispenser.rules.engine.moves import (
    ANNOUNCE,
    DRAW,
    RETRACT,
    TAKE,
    TO_THE_LEFT,
    TO_THE_RIGHT,
    Act,
    cancel,
    catch,
    catch_retract,
    jump_in,
    lay,
    name,
)

WILD, FOUR, WHITE = 52, 53, 54
PLUS_TWO, REVERSE, SKIP = 10, 11, 12


def colour_of(card):
    return -1 if card >= 52 else card // 13


def symbol_of(card):
    return -1 if card >= 52 else card % 13


def plus(card):
    return card == FOUR or symbol_of(card) == PLUS_TWO


def root(number):
    while number > 9:
        number = sum(map(int, str(number)))
    return number


class Vache:
    ending = False
    v19 = None

    def __init__(self, seats, options):
        self.seats, self.options = seats, options
        self.phase = "idle"

    def deck(self):
        deck = []
        for card in range(52):
            deck += [card] * (1 if card % 13 == 0 else 2)
        return deck + [WILD] * 4 + [FOUR] * 4 + [WHITE] * self.options["white"]

    def size(self, seat):
        return sum(self.hands[seat].values())

    def alive(self):
        return [seat for seat in range(self.seats) if seat not in self.gone]

    def following(self, seat):
        while True:
            seat = (seat + self.direction) % self.seats
            if seat not in self.gone:
                return seat

    def begin(self, dealer, hands, first, pile):
        self.dealer = dealer
        self.hands = [Counter(held) for held in hands]
        self.pile = Counter(pile)
        self.order = list(pile)
        self.first = first
        self.gone = []
        self.demands = []
        self.exposed = set()
        self.calling = set()
        self.announced = set()
        self.unsaid = set()
        self.total = 0
        self.starter = self.last_plus = None
        self.fresh = None
        self.direction = 1
        self.talon = []
        self.colour = -1
        self.phase = "direction"
        self.turn = dealer

    def turn_up(self):
        first, order = self.first, self.order
        while first == FOUR:  # U-08
            self.pile[FOUR] += 1
            first = order.pop(0)
            self.pile[first] -= 1
        self.talon = [first]
        self.colour = colour_of(first)
        self.phase = "playing"
        after = self.following(self.dealer)
        symbol = symbol_of(first)
        if symbol == PLUS_TWO:
            self.demands.append([after, after, 2, False])
            self.turn = self.following(after)
        elif symbol == REVERSE:
            self.direction = -self.direction
            self.turn = self.following(self.dealer)
        elif symbol == SKIP:
            self.turn = self.following(after)
        elif first == WILD:
            self.turn = self.dealer
            self.phase = "naming"
        else:
            self.turn = after

    def fits(self, card):
        shown = self.talon[-1]
        if self.total:  # V-09, V-10, V-04
            return card == FOUR or (symbol_of(card) == PLUS_TWO and symbol_of(shown) == PLUS_TWO)
        if card >= 52:
            return True
        if self.colour < 0:
            return True  # white first: nothing to match, text silent
        return colour_of(card) == self.colour or (shown < 52 and symbol_of(card) == symbol_of(shown))

    def ways(self, card):
        if card < 52:
            return {lay(card)}
        if card == WHITE:
            return {lay(card, seat=one, other=other) for other in range(self.seats) for one in range(other)}
        return {lay(card, colour=colour) for colour in range(4)}

    def cancels(self, seat):
        if not self.total:
            return set()
        if not self.options["cancel-anyway"] and any(count and plus(card) for card, count in self.hands[seat].items()):
            return set()
        card = self.colour * 13 + root(self.total)
        return {cancel(card)} if self.hands[seat][card] else set()

    def legal(self, seat):
        moves = set()
        if self.phase in ("idle", "over"):
            return moves
        out = seat in self.gone
        free = not self.demands
        if (free and seat == self.turn and not out) or (self.phase in ("direction", "naming") and seat == self.turn):
            if self.phase == "direction":
                moves |= {TO_THE_LEFT, TO_THE_RIGHT}
            elif self.phase == "naming":
                moves |= {name(colour) for colour in range(4)}
            elif free:
                for card, count in self.hands[seat].items():
                    if count and self.fits(card):
                        moves |= self.ways(card)
                moves.add(TAKE if self.total else DRAW)
                if self.size(seat) == 2 and seat not in self.calling:
                    moves.add(ANNOUNCE)
        if out:
            return moves
        if self.phase == "playing" and free:
            moves |= self.cancels(seat)
            shown = self.fresh
            if shown is not None and seat != self.turn and self.hands[seat][shown]:
                moves |= {jump_in(way) for way in self.ways(shown)}
        if (
            self.size(seat) == 2
            and seat not in self.calling
            and any(one.act in (Act.JUMP_IN, Act.CANCEL) for one in moves)
        ):
            moves.add(ANNOUNCE)
        if seat in self.exposed:
            moves.add(ANNOUNCE)
        moves |= {catch(other) for other in self.exposed if other != seat} | {
            catch_retract(other) for other in self.unsaid if other != seat
        }
        if seat in self.announced and any(demand[1] == seat for demand in self.demands):
            moves.add(RETRACT)
        if seat in self.announced and free and seat == self.turn:  # V-23: just before it draws
            moves.add(RETRACT)
        if seat in self.unsaid:
            moves.add(RETRACT)
        return moves

    def acted(self):
        self.exposed.clear()
        self.unsaid.clear()
        self.calling_old = self.calling
        self.calling = set()

    def play(self, seat, move):
        act = move.act
        if act is Act.CHOOSE_DIRECTION:
            self.direction = move.direction
            self.turn_up()
            return
        if act is Act.NAME:
            self.colour = move.colour
            self.phase = "playing"
            self.turn = self.following(self.dealer)
            return
        if act is Act.ANNOUNCE:
            if seat in self.exposed:
                self.exposed.discard(seat)
                self.announced.add(seat)
            else:
                self.calling.add(seat)
            return
        if act is Act.RETRACT:
            if seat in self.unsaid:
                self.unsaid.discard(seat)
            else:
                self.announced.discard(seat)
            return
        if act in (Act.CATCH, Act.CATCH_RETRACT):
            (self.exposed if act is Act.CATCH else self.unsaid).discard(move.seat)
            self.demands.insert(0, [move.seat, move.seat, 1, True])
            return
        self.acted()
        called = seat in self.calling_old
        if act is Act.DRAW:
            self.demands.append([seat, seat, 1, False])
            self.turn = self.following(seat)
            self.fresh = None
            return
        if act is Act.TAKE:
            self.demands.append([seat, seat, self.total, False])
            self.total = 0
            self.turn = self.following(seat)
            self.fresh = None
            self.starter = self.last_plus = None
            return
        card = move.card
        symbol = symbol_of(card)
        last = self.size(seat) == 1
        in_turn = seat == self.turn
        self.hands[seat][card] -= 1
        self.talon.append(card)
        self.fresh = card
        before = [self.size(other) for other in range(self.seats)]
        if card != WHITE:
            self.colour = move.colour if card >= 52 else colour_of(card)
        if act is Act.CANCEL:
            starter = self.starter
            if starter not in self.gone:
                self.demands.append([starter, starter, self.total, True])
            self.total = 0
            base = seat if in_turn else self.last_plus
            self.starter = self.last_plus = None
            if self.size(seat) == 1:
                self.one(seat, called)
            if starter != seat:  # the engine's reading of V-14: who began the chain draws, so is not out
                self.outs([seat])
            self.turn = self.following(base)
            self.stop()
            return
        if plus(card):
            if not self.total:
                self.starter = seat
            self.total += 2 if symbol == PLUS_TWO else 4
            self.last_plus = seat
        if symbol == 0:  # V-13
            ring = self.alive()
            had = {other: before[other] + (other == seat) for other in ring}
            new = {self.following(other): self.hands[other] for other in ring}
            for other, held in new.items():
                self.hands[other] = held
            for other in ring:
                if other == seat and had[other] == 2 and called:
                    self.announced.add(seat)
                    had[other] = 1
                if other in self.announced and self.size(other) != had[other]:
                    self.grew(other)
                if self.size(other) == 1 and had[other] != 1:
                    self.one(other, called and other == seat)
        elif card == WHITE:
            one, another = move.seat, move.other
            had = list(before)
            had[seat] += 1
            if had[seat] == 2 and called:
                self.announced.add(seat)
                had[seat] = 1
            self.hands[one], self.hands[another] = self.hands[another], self.hands[one]
            for other in (one, another):
                if other in self.gone and self.size(other):
                    self.gone.remove(other)
                if other in self.announced and self.size(other) != had[other]:
                    self.grew(other)
                if self.size(other) == 1 and had[other] != 1:
                    self.one(other, called and other == seat)
            if seat not in (one, another) and self.size(seat) == 1 and had[seat] == 2:
                self.one(seat, called)
        elif self.size(seat) == 1:
            self.one(seat, called)
        if symbol == REVERSE:
            self.direction = -self.direction
        if last and card in (WILD, FOUR):  # V-19
            self.demands.append([seat, seat, 1, False])
            self.v19 = seat
            self.announced.discard(seat)
        else:
            self.outs([seat, *range(self.seats)])
        if symbol == SKIP:
            self.turn = self.following(self.following(seat))
        elif symbol == REVERSE and len(self.alive()) == 2 and seat not in self.gone:
            self.turn = seat
        else:
            self.turn = self.following(seat)
        self.stop()

    def grew(self, other):
        self.announced.discard(other)
        if self.size(other) > 1 or any(demand[1] == other for demand in self.demands):
            self.unsaid.add(other)

    def one(self, seat, called):
        (self.announced if called else self.exposed).add(seat)

    def outs(self, who):
        for other in who:
            if not self.size(other) and other not in self.gone:
                self.gone.append(other)
                self.announced.discard(other)
                self.exposed.discard(other)

    def stop(self):
        left = len(self.alive())
        stop = 1 if self.seats < 4 else 2 if self.seats < 6 else 3
        if left <= stop:
            self.ending = True
            if self.total:
                other = self.turn
                self.demands.append([other, other, self.total, False])
                self.total = 0
        else:
            self.ending = False
        self.over()

    def over(self):
        if self.ending and not self.demands and not self.total:
            self.phase = "over"

    def deliver(self, cards):
        demand = self.demands[0]
        seat = demand[1]
        for card in cards:
            self.pile[card] -= 1
            self.hands[seat][card] += 1
        if self.size(seat) > 1:
            self.exposed.discard(seat)
        if seat in self.announced:
            self.grew(seat)
        demand[2] -= len(cards)
        if demand[2]:
            self.settle()
        else:
            self.demands.pop(0)
            if self.v19 == seat:
                self.v19 = None
                self.exposed.add(seat)
        self.over()

    def penalise(self, seat):
        self.demands.insert(0, [seat, seat, 1, True])

    def settle(self):
        if self.demands and not +self.pile and len(self.talon) <= 1:
            demand = self.demands.pop(0)
            seat = demand[0]
            if self.v19 == seat:
                self.v19 = None
        if self.phase != "idle":
            self.over()

    def reload(self):
        for card in self.talon[:-1]:
            self.pile[card] += 1
        self.talon = self.talon[-1:]
