"""Uno vache beside the engine."""

from __future__ import annotations

from dispenser.rules import new_game
from dispenser.rules.engine.moves import Act
from dispenser.rules.engine.phases import Phase
from tests.nightly.search.second_rules.beside import TALK, Match, put_last
from tests.nightly.search.second_rules.vache import Vache

OUT_OF_TURN = frozenset({Act.JUMP_IN, Act.CANCEL})


class VacheMatch(Match):
    def compare(self) -> None:
        game, mine, state = self.game, self.mine, self.game.state
        self.agree_on_hands()
        self.agree("over", game.phase is Phase.MATCH_OVER, mine.phase == "over")
        if mine.phase == "over":
            self.agree("ranking of those who are out", game.ranking()[: len(mine.gone)], tuple(mine.gone))
            self.agree("winner", game.outcome.winners[0], mine.gone[0])
            for seat in range(mine.seats):
                self.agree(f"moves of seat {seat} after the end", list(game.legal_moves(seat)), [])
            return
        self.agree("talon", state.talon, mine.talon)
        if mine.phase != "direction":
            self.agree("direction", state.direction, mine.direction)
        self.agree_on_demands()
        self.agree("who is out", set(state.gone), set(mine.gone))
        if mine.phase == "playing":
            self.agree("colour", state.colour, mine.colour)
        self.agree("total of the chain", game.observe(0).public["total"], mine.total)
        if not mine.demands:
            self.agree("turn", game.turn, mine.turn)
        self.agree("who can be caught without UNO", set(state.exposed), mine.exposed)
        self.agree("who can be caught without OU PAS", set(state.unsaid), mine.unsaid)
        self.agree("who has said UNO", set(state.announced), mine.announced)
        self.agree_on_moves()

    def play(self) -> None:
        chance = self.chance
        seats = chance.choice([2, 3, 3, 4, 5, 6, 7, 10])
        options = {"white": chance.choice([0, 0, 0, 2, 4]), "cancel-anyway": chance.random() < 0.4}
        self.tell(seats, options)
        self.game, self.mine = new_game("uno-vache", seats=seats, options=options), Vache(seats, options)
        talking = chance.choice([0.15, 0.4])
        self.deal()
        for _ in range(3000):
            self.compare()
            if self.mine.phase == "over":
                self.seen["matches"] += 1
                return
            self.refuse()
            self.seen["steps"] += 1
            self.step(talking)
        self.seen["not ended"] += 1

    def deal(self) -> None:
        chance, mine = self.chance, self.mine
        deck = mine.deck()
        chance.shuffle(deck)
        if chance.random() < 0.4:
            put_last(deck, lambda card: card >= 52 or card % 13 >= 10 or card % 13 == 0)
        if chance.random() < 0.5:  # more chains and more identical cards
            deck.sort(key=lambda card: chance.random() - (card >= 52 or card % 13 in (0, 10)) * 0.4)
        size = self.hand_size(7, len(deck), mine.seats)
        hands = [[deck.pop(0) for _ in range(size)] for _ in range(mine.seats)]
        first, dealer = deck.pop(), chance.randrange(mine.seats)
        self.tell("begin", dealer, hands, first, deck[:6])
        self.game.begin(dealer=dealer, hands=hands, first=first, pile=deck)
        mine.begin(dealer, hands, first, deck)

    def step(self, talking: float) -> None:
        chance, mine = self.chance, self.mine
        if chance.random() < 0.01 and mine.phase == "playing":
            self.both_penalise(chance.choice(mine.alive()), "conduct")
        elif self.plays_one_of(TALK, talking) or self.plays_one_of(OUT_OF_TURN, 0.6):
            pass
        elif mine.demands:
            self.both_deliver()
        else:
            self.plays_in_turn(0.95)

    def both_deliver(self) -> None:
        chance, mine = self.chance, self.mine
        cards = sorted(mine.pile.elements()) or sorted(mine.talon[:-1])
        chance.shuffle(cards)
        out = cards[: min(mine.demands[0][2], chance.choice([1, 2, 3, 4, 8, 30]))]
        self.tell("fulfil", out)
        self.game.fulfil(out)
        if not +mine.pile:
            mine.reload()
            self.seen["reshuffles"] += 1
        mine.deliver(out)
