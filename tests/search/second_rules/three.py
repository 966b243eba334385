"""Uno, Huit américain and 151, written from the rule text alone by somebody who had not read the engine.

All hands are open, and luck is told from outside. From the engine come the names of the moves and nothing else.
"""

from collections import Counter

from dispenser.rules.engine.moves import ANNOUNCE, CHALLENGE, DRAW, PASS, TAKE, Act, catch, lay, name, stand


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


ACE, SIX, SEVEN, EIGHT, TEN, QUEEN, JOKER = 0, 5, 6, 7, 9, 11, 52


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
            self.exposed.clear()
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
