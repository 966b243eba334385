"""What the second games and the engine are asked side by side, and the wrong things that both must refuse.

Compared after each step: all hands, their sizes, the talon, the direction, the colour, what is owed and by whom,
whose turn it is, who can be caught, all lawful moves of all seats and who may act; at the end of a round the scores,
and who has won or lost. Before each step, moves that the second game does not know must be refused by the engine, now
and then also a delivery of cards that are not owed or not there.

Where the rule text is silent, the second games do as the engine does:

- Of several seats that owe cards, the order is the engine's.
- E-22: more presses can be given while some are owed, and when all are paid the card is carried out.
- G-01, U-16: while a +4 can be challenged, the card beneath it stays on the talon, too.
- U-16, U-19: a +4 can be challenged even as the last card.
- V-14, V-18: who has begun a chain and cancels it with the last card draws its total, and so is not out.
- E-30: when all who are left go over the limit in the same round, its winner stays in.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from dispenser.rules import IllegalMove
from dispenser.rules.engine.moves import Act, Move
from dispenser.rules.engine.phases import Phase

TALK = frozenset({Act.ANNOUNCE, Act.CATCH, Act.RETRACT, Act.CATCH_RETRACT})


class DisagreementError(AssertionError):
    """The engine and the second game differ."""


class Match:
    """One match of both: the engine's ``game`` and the second game ``mine``."""

    exact = True  # whether an exact number of cards is owed, not presses
    compares_penalties = True  # whether the second game, too, tells a penalty from what a move costs

    def __init__(self, seed: int, seen: Counter[str]) -> None:
        self.seed, self.seen = seed, seen
        self.chance = Random(seed)
        self.crowded = seed % 4 == 3  # the launcher is nearly empty after the deal
        self.told: list[object] = []  # what has been played, for the failure's text
        self.game = None
        self.mine = None

    def tell(self, *what: object) -> None:
        self.told.append(what if len(what) > 1 else what[0])

    def differ(self, what: str, engine: object, second: object) -> None:
        last = "\n  ".join(str(told) for told in [self.told[0], "...", *self.told[1:][-8:]])
        raise DisagreementError(f"seed {self.seed}, {what}: the engine {engine}, the second game {second}\n  {last}")

    def agree(self, what: str, engine: object, second: object) -> None:
        if engine != second:
            self.differ(what, engine, second)

    def agree_on_the_end(self) -> None:
        """All that is known when nobody may do anything any more."""
        game, mine = self.game, self.mine
        self.agree("phase", game.phase, Phase.IDLE if mine.phase == "idle" else Phase.MATCH_OVER)
        self.agree("scores", list(game.state.scores), mine.scores)
        ranking = game.ranking()
        if mine.winners:
            self.agree("winners", set(game.outcome.winners), mine.winners)
            self.agree("first ranks", set(ranking[: len(mine.winners)]), mine.winners)
        if mine.phase == "over" and mine.losers:
            self.agree("losers", set(game.outcome.losers), mine.losers)
            self.agree("last ranks", set(ranking[-len(mine.losers) :]), mine.losers)
        for seat in range(mine.seats):
            self.agree(f"moves of seat {seat} after the end", list(game.legal_moves(seat)), [])

    def agree_on_hands(self) -> None:
        state, mine = self.game.state, self.mine
        self.agree("cards are conserved", state.conserved(), True)
        for seat in range(mine.seats):
            if seat not in getattr(mine, "out", ()):
                self.agree(f"hand of seat {seat}", Counter(state.held(seat)), +mine.hands[seat])
                self.agree(f"size of seat {seat}", state.sizes[seat], mine.size(seat))

    def agree_on_demands(self) -> None:
        """In any order: the text says none, and the second game takes the engine's."""
        owed = [[each.payer, each.receiver, each.number, each.penalty, each.rule] for each in self.game.state.demands]
        number = 4 if self.compares_penalties else 3
        engine, second = ([demand[:number] for demand in demands] for demands in (owed, self.mine.demands))
        self.agree("demands", sorted(engine), sorted(second))
        self.mine.demands = owed

    def agree_on_moves(self) -> None:
        game, mine = self.game, self.mine
        may_act = set()
        for seat in range(mine.seats):
            engine, second = set(game.legal_moves(seat)), mine.legal(seat)
            if engine != second:
                self.differ(f"moves of seat {seat}", f"also {engine - second}", f"also {second - engine}")
            if second:
                may_act.add(seat)
        self.agree("who may act", set(game.actors()), may_act)

    def refuse(self) -> None:
        """Moves that the second game does not know, and now and then a delivery that cannot be."""
        for _ in range(2):
            seat, move = self.chance.randrange(self.mine.seats), self.wrong_move()
            if move not in self.mine.legal(seat):
                try:
                    self.game.play(seat, move)
                except IllegalMove:
                    self.seen["refused"] += 1
                else:
                    self.differ("move", f"allows seat {seat} {move}", "does not")
        if self.chance.random() < 0.05:
            self.refuse_delivery()

    def wrong_move(self) -> Move:
        """Anything at all, what somebody may do, or a card of a hand laid in whatever way."""
        chance, mine = self.chance, self.mine
        luck = chance.random()
        if luck < 0.2 or mine.phase in ("idle", "over"):
            return self.any_move()
        if luck < 0.5:
            lawful = [move for seat in range(mine.seats) for move in lawful_moves(mine, seat)]
            return chance.choice(lawful) if lawful else self.any_move()
        hands = mine.hands if chance.random() < 0.3 else [mine.hands[mine.turn]]
        held = sorted(card for hand in hands for card in hand.elements())
        if not held:
            return self.any_move()
        card = chance.choice(held)
        if card < 52 and chance.random() < 0.8:
            return Move(Act.LAY, card)
        return Move(
            Act.LAY,
            card,
            chance.choice([0, 1, 2, 3, 4, -1, None]),
            chance.choice([None, None, None, -1, *range(mine.seats + 1)]),
            stands_for=chance.choice([None, *range(53)]) if card == 52 and chance.random() < 0.5 else None,
        )

    def any_move(self) -> Move:
        chance, seats = self.chance, self.mine.seats
        act = chance.choice(list(Act))

        def perhaps(value: int, share: float = 0.5) -> int | None:
            return value if chance.random() < share else None

        match act:
            case Act.LAY | Act.JUMP_IN:
                colour, seat = perhaps(chance.randrange(4)), perhaps(chance.randrange(seats), 0.2)
                other = perhaps(chance.randrange(seats), 0.05)
                return Move(act, chance.randrange(56), colour, seat, other, perhaps(chance.randrange(52), 0.1))
            case Act.CATCH | Act.CATCH_RETRACT:
                return Move(act, seat=chance.randrange(-1, seats + 1))
            case Act.NAME:
                return Move(act, colour=chance.randrange(-1, 5))
            case Act.STAND:
                return Move(act, stands_for=chance.randrange(-1, 54), colour=perhaps(chance.randrange(4)))
            case Act.EFFECT:
                return Move(act, seat=chance.randrange(-1, seats + 1), presses=chance.randrange(-1, 7))
            case Act.CANCEL:
                return Move(act, chance.randrange(56))
            case Act.CHOOSE_DIRECTION:
                return Move(act, direction=chance.choice([1, -1]))
            case _:
                return Move(act)

    def refuse_delivery(self) -> None:
        """Cards that nobody is owed, one more than are owed, or one that is not there; nothing changes."""
        mine, there = self.mine, sorted((+self.mine.pile).elements())
        if not mine.demands:
            cards = there[:1]
        elif self.exact and self.chance.random() < 0.5:
            if len(there) <= mine.demands[0][2]:
                return
            cards = self.chance.sample(there, mine.demands[0][2] + 1)
        else:
            elsewhere = [
                card for card in sorted(set(mine.deck())) if not mine.pile[card] and card not in mine.talon[:-1]
            ]
            if not elsewhere:
                return
            cards = [self.chance.choice(elsewhere)]
        before = self.game.state.position()
        try:
            self.game.fulfil(cards)
        except IllegalMove:
            self.seen["deliveries refused"] += 1
        else:
            self.differ("delivery", f"takes {cards}", f"is owed {mine.demands} and has {there}")
        self.agree("a refused delivery changes nothing", self.game.state.position(), before)

    def both_play(self, seat: int, move: Move) -> None:
        self.tell("play", seat, move)
        self.seen[move.act.value] += 1
        self.game.play(seat, move)
        self.mine.play(seat, move)

    def plays_one_of(self, acts: frozenset[Act], share: float) -> bool:
        """Whether somebody now did something of that kind: in a ``share`` of the times that anybody may."""
        seats = range(self.mine.seats)
        may = [(seat, move) for seat in seats for move in lawful_moves(self.mine, seat) if move.act in acts]
        if not may or self.chance.random() >= share:
            return False
        self.both_play(*self.chance.choice(may))
        return True

    def both_penalise(self, seat: int, offence: str) -> None:
        self.tell("penalise", seat)
        self.game.penalise(seat, offence)
        self.mine.penalise(seat)

    def plays_in_turn(self, laying: float) -> None:
        """Whoever's turn it is; a card in that share of the times that one can be laid."""
        seat = self.mine.turn
        moves = [move for move in lawful_moves(self.mine, seat) if move.act is not Act.CATCH]
        lays = [move for move in moves if move.act is Act.LAY]
        self.both_play(seat, self.chance.choice(lays if lays and self.chance.random() < laying else moves))

    def hand_size(self, usual: int, cards: int, seats: int) -> int:
        if self.crowded:
            return max(2, (cards - self.chance.choice([2, 3, 5, 9])) // seats)
        return self.chance.choice([usual, usual, 4, 3, 2])


def lawful_moves(mine, seat: int) -> list[Move]:
    """Always in the same order, so that a seed is always the same match."""
    return sorted(mine.legal(seat), key=repr)


def put_last(deck: list[int], special) -> None:
    """Put a special card last, which is the one that is turned up."""
    index = next((index for index, card in enumerate(deck) if special(card)), 0)
    deck.append(deck.pop(index))
