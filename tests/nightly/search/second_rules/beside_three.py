"""Uno, Huit américain and 151 beside the engine."""

from __future__ import annotations

from dispenser.rules import new_game
from dispenser.rules.engine.moves import Act
from dispenser.rules.engine.phases import Phase
from tests.nightly.search.second_rules.beside import Match, put_last
from tests.nightly.search.second_rules.cent_cinquante_et_un import CentCinquanteEtUn
from tests.nightly.search.second_rules.huit_americain import HuitAmericain
from tests.nightly.search.second_rules.uno import Uno

PHASES = {
    "naming": {Phase.NAMING},
    "standing": {Phase.NAMING},
    "playing": {Phase.PLAYING, Phase.ANSWERING},  # the second game has no word for answering an ace (H-09)
    "drew": {Phase.DREW},
    "answer": {Phase.ANSWERING},
    "again": {Phase.AGAIN},
}


class ThreeMatch(Match):
    compares_penalties = False
    game_id: str
    second: type
    hand: int
    special: tuple[int, ...]
    more_seats: tuple[int, ...] = ()

    def choose_options(self, seats: int) -> dict[str, object]:
        raise NotImplementedError

    def is_special(self, card: int) -> bool:
        return card >= 52 or card % 13 in self.special

    def compare(self) -> None:
        game, mine, state = self.game, self.mine, self.game.state
        if mine.phase in ("idle", "over"):
            self.agree_on_the_end()
            return
        self.agree_on_hands()
        self.agree("talon", state.talon, mine.talon)
        self.agree("direction", state.direction, mine.direction)
        self.agree_on_demands()
        if mine.phase not in ("naming", "standing") and mine.winner is None:
            self.agree("colour", state.colour, mine.colour)
        if not mine.demands:
            self.agree("phase", game.phase in PHASES[mine.phase], True)
            self.agree("turn", game.turn, mine.turn)
        if mine.winner is None:
            self.agree("who can be caught", set(state.exposed), mine.exposed)
        self.agree_on_moves()

    def play(self) -> None:
        chance = self.chance
        seats = chance.choice([2, 2, 3, 3, 4, 5, 6, 8, *self.more_seats])
        options = self.choose_options(seats)
        self.tell(seats, options)
        self.game, self.mine = new_game(self.game_id, seats=seats, options=options), self.second(seats, options)
        talking = chance.choice([0.15, 0.5])
        dealer = chance.randrange(seats)
        for number in range(30):
            if not self.deal(self.next_dealer(dealer, number), number):
                return
            if not self.play_round(talking):
                self.seen["not ended"] += 1
                return
            if self.mine.phase == "over":
                break
        self.seen["matches"] += 1

    def next_dealer(self, _first: int, _number: int) -> int:
        return self.chance.randrange(self.mine.seats)

    def deal(self, dealer: int, number: int) -> bool:
        """Whether a card can be turned up at all."""
        chance, mine = self.chance, self.mine
        deck = mine.deck()
        chance.shuffle(deck)
        if chance.random() < 0.5:
            put_last(deck, self.is_special)
        if chance.random() < 0.4:
            deck.sort(key=lambda card: chance.random() - self.is_special(card) * 0.4)
        size = self.hand_size(self.hand, len(deck), mine.seats)
        hands = [[deck.pop(0) for _ in range(size)] for _ in range(mine.seats)]
        first = deck.pop()
        chance.shuffle(deck)
        self.tell("begin", dealer, hands, first, deck[:6])
        if not self.can_begin(first, deck):
            return False
        self.game.begin(dealer=self.told_dealer(dealer, number), hands=hands, first=first, pile=deck)
        mine.begin(dealer, hands, first, deck)
        self.seen["rounds"] += 1
        return True

    def can_begin(self, _first: int, _pile: list[int]) -> bool:
        return True

    def told_dealer(self, dealer: int, _number: int) -> int | None:
        return dealer

    def play_round(self, talking: float) -> bool:
        """Whether it came to an end."""
        chance, mine = self.chance, self.mine
        for _ in range(2500):
            self.compare()
            if mine.phase in ("idle", "over"):
                return True
            self.refuse()
            self.seen["steps"] += 1
            if mine.offence and chance.random() < 0.01 and mine.winner is None and mine.phase != "naming":
                self.both_penalise(chance.randrange(mine.seats), mine.offence)
            elif self.plays_one_of(frozenset({Act.ANNOUNCE, Act.CATCH}), talking):
                pass
            elif mine.demands:
                self.both_deliver()
            else:
                self.plays_in_turn(0.9)
        return False

    def both_deliver(self) -> None:
        """What went under the pile at the start (H-02) comes last; then the talon is turned over (G-01)."""
        chance, mine = self.chance, self.mine
        cards = sorted((+mine.pile - mine.under).elements())
        if not cards and +mine.pile:
            mine.under.clear()
            cards = sorted(mine.pile.elements())
        if not cards:
            cards = mine.talon[:-2] if mine.phase == "answer" else mine.talon[:-1]
        chance.shuffle(cards)
        out = cards[: min(mine.demands[0][2], chance.choice([1, 2, 9]))]
        self.tell("fulfil", out)
        self.game.fulfil(out)
        if not +mine.pile and out:
            mine.reload()
            self.seen["reshuffles"] += 1
        mine.deliver(out)


class UnoMatch(ThreeMatch):
    game_id, second, hand, special, more_seats = "uno", Uno, 7, (0, 10, 11, 12), (10,)

    def choose_options(self, _seats: int) -> dict[str, object]:
        chance = self.chance
        return {"scoring": chance.choice(["winner", "low-score"]), "target": chance.choice([50, 150, 500])}


class HuitAmericainMatch(ThreeMatch):
    game_id, second, hand, special = "huit-americain", HuitAmericain, 8, (0, 6, 7, 9)

    def choose_options(self, seats: int) -> dict[str, object]:
        chance = self.chance
        return {
            "packs": 2 if seats > 5 else chance.choice([1, 2]),
            "jokers": chance.random() < 0.5,
            "match": chance.choice(["single", "points"]),
            "scoring": chance.choice(["winner", "own-points"]),
            "target": chance.choice([50, 200, 500]),
        }

    def can_begin(self, first: int, pile: list[int]) -> bool:
        return not all(self.is_special(card) for card in [first, *pile])


class CentCinquanteEtUnMatch(ThreeMatch):
    game_id, second, hand, special = "151", CentCinquanteEtUn, 5, (0, 1, 5, 7, 9, 11)
    more_seats = (7, 9, 12)

    def choose_options(self, _seats: int) -> dict[str, object]:
        chance = self.chance
        return {
            "packs": chance.choice([0, 0, 2]),
            "eight-anywhere": chance.random() < 0.5,
            "joker-points": chance.choice([150, 20]),
            "limit": chance.choice([60, 151]),
        }

    def next_dealer(self, first: int, number: int) -> int:
        """C-02: each in turn."""
        return (first + number) % self.mine.seats

    def told_dealer(self, dealer: int, number: int) -> int | None:
        return None if number else dealer
