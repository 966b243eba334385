"""Uno Extrême beside the engine; a press may give no card, one or several."""

from __future__ import annotations

from dispenser.rules import new_game
from dispenser.rules.engine.moves import Act
from dispenser.rules.engine.phases import Phase
from tests.nightly.search.second_rules.beside import Match, put_last
from tests.nightly.search.second_rules.extreme import Extreme

PHASES = {"naming": Phase.NAMING, "playing": Phase.PLAYING, "custom": Phase.CARRYING_OUT}


class ExtremeMatch(Match):
    exact = False

    def compare(self) -> None:
        game, mine, state = self.game, self.mine, self.game.state
        if mine.phase in ("idle", "over"):
            self.agree_on_the_end()
            return
        self.agree_on_hands()
        self.agree("top of the talon", state.talon[-1:], mine.talon[-1:])
        self.agree("size of the talon", len(state.talon), len(mine.talon))
        self.agree("direction", state.direction, mine.direction)
        self.agree_on_demands()
        if mine.phase == "playing" and mine.colour >= 0:
            self.agree("colour", state.colour, mine.colour)
        if mine.winner is None:
            if not mine.demands:
                self.agree("phase", game.phase, PHASES[mine.phase])
                self.agree("turn", game.turn, mine.turn)
            self.agree("who can be caught", set(state.exposed), mine.exposed)
        self.agree_on_moves()

    def play(self) -> None:
        chance = self.chance
        seats = chance.choice([2, 2, 3, 3, 4, 5, 6, 10])
        options = {
            "customizable": chance.randrange(4),
            "scoring": chance.choice(["winner", "low-score", "elimination"]),
            "target": chance.choice([60, 150, 500]),
            "reload-at": chance.choice([20, 52]),
        }
        self.tell(seats, options)
        self.game, self.mine = new_game("uno-extreme", seats=seats, options=options), Extreme(seats, options)
        talking = chance.choice([0.15, 0.5])
        for _ in range(40):
            self.deal()
            if not self.play_round(talking):
                self.seen["not ended"] += 1
                return
            if self.mine.winners:
                break
        self.seen["matches"] += 1

    def deal(self) -> None:
        chance, mine = self.chance, self.mine
        deck = mine.deck()
        chance.shuffle(deck)
        if chance.random() < 0.4:
            put_last(deck, lambda card: card >= 52 or card % 13 >= 9)
        size = self.hand_size(7, len(deck), len(mine.seats_in()))
        hands = [[deck.pop(0) for _ in range(size)] if seat not in mine.out else [] for seat in range(mine.seats)]
        first, dealer = deck.pop(), chance.choice(mine.seats_in())
        self.tell("begin", dealer, hands, first, deck[:6])
        self.game.begin(dealer=dealer, hands=hands, first=first, pile=deck)
        mine.begin(dealer, hands, first, deck)
        self.seen["rounds"] += 1

    def play_round(self, talking: float) -> bool:
        """Whether it came to an end."""
        chance, mine = self.chance, self.mine
        for _ in range(3000):
            self.compare()
            if mine.phase in ("idle", "over"):
                return True
            self.refuse()
            self.seen["steps"] += 1
            if chance.random() < 0.01 and mine.winner is None:
                self.both_penalise(chance.choice(mine.seats_in()), "advice")
            elif self.plays_one_of(frozenset({Act.ANNOUNCE, Act.CATCH}), talking):
                pass
            elif len(mine.talon) > 1 and self.is_time_to_reload():
                self.tell("reload")
                self.game.reload()
                mine.reload()
            elif mine.demands and self.plays_one_of(frozenset({Act.EFFECT}), 0.2):
                pass
            elif mine.demands:
                self.both_press()
            else:
                self.plays_in_turn(0.95)
        return False

    def is_time_to_reload(self) -> bool:
        due = self.game.observe(0).public["reload_due"] and self.chance.random() < 0.3
        return bool(due or (self.mine.demands and not +self.mine.pile))

    def both_press(self) -> None:
        cards = sorted(self.mine.pile.elements())
        self.chance.shuffle(cards)
        out = cards[: self.chance.choice([0, 0, 0, 1, 2, 3, 8])]
        self.tell("fulfil", out)
        self.game.fulfil(out)
        self.mine.press(out)
        self.seen["presses"] += 1
