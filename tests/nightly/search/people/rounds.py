"""A round: the cards are dealt, people play until it is over, and in calm moments cards and table are compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from dispenser.rules import Game, new_game
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.phases import DREW, IDLE, MATCH_OVER, PLAYING
from dispenser.table import commands as c
from dispenser.table import events as e
from tests.nightly.search.people.cards import Hands
from tests.nightly.search.people.moves import Players

STEPS: Final = 300
"""A round that takes longer is given up, and counted as it stands."""
LATE: Final = 70
"""After so many steps people put cards back again."""


class Rounds(Players):
    """See the module."""

    def round(self) -> None:
        self._shuffle()
        if self.virtual:
            self.give_helpers()
        if self.match.by_itself:
            self._begin_in_the_heads()
        if self.match.dealing:
            self._the_launcher_deals()
        else:
            self._deal_by_hand()
        before = self.match.scores
        kept = tuple(self.written.get(person, 0) for person in self.match.order)
        assert before == kept, f"the scores were {kept}, and are {before} in the next round"
        for number in range(1, STEPS):
            if self._is_over():
                self.figures.ended += 1
                break
            self._few_cards |= number % LATE == 0
            self._step()
        else:
            self._give_up()
        self._scores_are_right(before)
        self.written.update(zip(self.match.order, self.match.scores, strict=True))

    # --- the deal ---

    def _shuffle(self) -> None:
        deck = [0] * 10_000 if self.virtual else list(self.match.game.state.deck())
        if not self.virtual:
            self.dice.shuffle(deck)
        self.hands = Hands(self.dice, deck, {person: [] for person in self.match.order})
        self.unnoticed.clear()
        self.real.clear()
        self.last = self.drawn = None
        self.given_up = False
        self._few_cards = self.maybe(0.85)

    def _begin_in_the_heads(self) -> None:
        """The table plays by itself: nobody but the people know how the round stands."""
        begun, heads = self.match.begun, self.heads
        if heads is None or self.heads_of != begun:
            heads = self.heads = new_game(
                self.game_id, len(begun.order), begun.options, hidden=True, seed=self.dice.getrandbits(32),
                scores=begun.scores, gone=begun.gone,
            )  # fmt: skip
            self.heads_of = begun
        heads.begin()

    def _the_launcher_deals(self) -> None:
        self.hands.of = {person: [] for person in self.match.order}
        while self.match.dealing or self.sitting.table.asked:
            if self.sitting.table.asked:
                self.tell_count()
                continue
            if not self.hands.stack:
                break
            self.push(self.person(next(iter(self.match.dealing))))
        for seat, person in enumerate(self.match.order):
            wanted = 0 if seat in self.match.game.state.gone else self.match.game.state.hand_size
            hand = self.hands.of[person]
            while len(hand) > wanted:
                self.hands.go_back(person, 1)
            self.hands.come_out(person, wanted - len(hand))
        self.unnoticed.clear()

    def _deal_by_hand(self) -> None:
        state = self.match.game.state
        for seat, person in enumerate(self.match.order):
            if seat not in state.gone:
                self.hands.come_out(person, state.hand_size)

    def _put_some_back(self, game: Game) -> None:
        """It is late: a round with a few cards each."""
        self._few_cards = False
        for seat in game.state.still_in():
            person, size = self.person(seat), self.dice.randint(2, 3)
            if len(self.hands.of[person]) > size:
                self.hands.go_back(person, len(self.hands.of[person]) - size)
                self._count_hand(game, seat)
                self.unnoticed[person] = 0

    # --- one step ---

    def _is_over(self) -> bool:
        return self.game.phase in {IDLE, MATCH_OVER} and self.game.question is None and not self.sitting.table.asked

    def _step(self) -> None:
        """Whatever is to be done next."""
        game = self.game
        if self.sitting.table.asked:
            self.tell_count()
        elif game.question is not None:
            self.answer(game)
        elif game.demand is not None:
            self.pay(game, game.demand)
        else:
            self._agree()
            if not self._aside(self.game):
                self.move(self.game)
        self.sitting.check()

    def _aside(self, game: Game) -> bool:
        """What does not bring the round forward."""
        state = game.state
        if self._few_cards and not self.virtual and game.phase is PLAYING:
            self._put_some_back(game)
            return True
        if self.maybe(0.02):
            self.lose_a_phone()
        if self.maybe(0.04 if self.sitting.table.stand_in else 0.01):
            self.another_launcher()
        if self.maybe(0.02):
            self._wish_for_another_telling()
        if self.match.by_itself:
            return False
        if state.asks_reload and getattr(state, "reload_due", False) and len(state.talon) > 1:
            self.hands.lift(state.stays())
            self.act(Action(Deed.RELOAD, None), self.anybody())
            return True
        if self.maybe(0.02) and game.offences and game.phase is PLAYING:
            seat, offence = self.dice.choice(state.still_in()), self.dice.choice(list(game.offences))
            at = self.sitting.table.at
            self.act(Action(Deed.PENALISE, seat, offence), self.anybody())
            assert self.sitting.refused(c.Act(["penalise", seat, offence]), self.anybody(), at=at) == "too_late"
            self.did("two at once: an offence")
            return True
        if self.maybe(0.02) and len(game.log) > 1:
            self._there_and_back()
        return False

    def _there_and_back(self) -> None:
        """Somebody takes back what was right, and does it again."""
        before = self.match.game.state.position()
        if self.sitting.say(c.Undo(), self.anybody(), at=self.sitting.table.at):
            self.say(c.Redo(), self.anybody())
            assert self.match.game.state.position() == before, "taken back and done again, the game is another"
            self.did("undone and redone")

    def _wish_for_another_telling(self) -> None:
        """It holds from the next round on."""
        table = self.sitting.table
        telling = self.dice.choice(list(e.TrackingMode))
        if telling is not (table.wished or self.match.telling):
            self.did(f"{telling} from the next round on")
            self.say(c.ChangeTrackingMode(telling), owner=True)

    def give_helpers(self) -> None:
        """With the cards on the phones somebody must play for who has none."""
        people = self.sitting.table.people
        for number in people.order:
            if people.persons[number].phoneless and not any(whom == number for _, whom in people.helpers):
                self.say(c.Help(number, self.anybody()), owner=True)

    def lose_a_phone(self) -> None:
        """It is flat, and another one takes over."""
        people = self.sitting.table.people
        person = self.anybody()
        if not self.maybe(0.2):
            return
        self.did("phone lost")
        old = people.persons[person].secret
        self.sitting.present.discard(person)
        self.say(c.Claim(person))
        assert self.sitting.table.people.of_secret(old or "") == person
        self.say(c.Confirm(person), owner=True)
        assert self.sitting.table.people.of_secret(old or "") is None
        self.sitting.present.add(person)
        if self.virtual:
            self.give_helpers()  # those whom that phone helped have nobody now

    def another_launcher(self) -> None:
        """A phone stands in for the launcher; or the real one takes over again."""
        if not self.launcher.bots:
            return
        if self.sitting.table.stand_in is not None:
            self.say(c.StandIn(yes=False), owner=True)
            self.did("the launcher is back")
        else:
            self.say(c.StandIn(person=self.anybody()), owner=True)
            self.did("a phone stands in")

    # --- real cards against what the table believes ---

    def _agree(self) -> None:
        """In a calm moment the table knows how many cards each has, but for what nobody has noticed."""
        game = self.game
        if not game.state.talon or self.virtual:
            return
        if len(self.hands.talon) > len(game.state.talon):  # the phones have told that it is the draw pile again (G-01)
            self.hands.lift(len(game.state.talon))
        for seat, size in enumerate(game.state.sizes):
            person = self.person(seat)
            held, beside = len(self.hands.of[person]), self.unnoticed[person]
            assert held == size + beside, f"{person} holds {held}, the table says {size}, unnoticed are {beside}"
        assert self.hands.talon == list(game.state.talon), "the talon is another"
        if self.maybe(0.1):
            assert self.hands.everything() == Counter(game.state.deck()), "a real card is gone"
        self._notice(game)

    def _notice(self, game: Game) -> None:
        """Sooner or later somebody counts a hand."""
        for person, beside in list(self.unnoticed.items()):
            seat = self.match.order.index(person)
            held = len(self.hands.of[person])
            if not beside or not (self.maybe(0.3) or min(held, game.state.sizes[seat]) <= 3):
                continue
            if held == 0 or game.phase is DREW or held - game.state.sizes[seat] > game.state.available():
                continue
            self.did("hand counted")
            self._count_hand(game, seat)
            self.unnoticed[person] = 0

    def _count_hand(self, game: Game, seat: int) -> None:
        """They tell its size; or which cards, at times, and always where it is known to have had some."""
        hand, state = self.held(seat), game.state
        shown = state.sizes[seat] > state.hands[seat][state.unknown] or self.maybe(0.2)
        action = Action(Deed.HAND, seat, tuple(sorted(hand))) if shown else Action(Deed.HAND_SIZE, seat, len(hand))
        if shown:
            self.did("hand shown")
        self.act(action, self.anybody())

    # --- the end ---

    def _give_up(self) -> None:
        """It takes too long: they count what they hold."""
        for _ in range(200):
            if not (self.sitting.table.asked or self.game.demand or self.game.question):
                break
            self._step()
        if self._is_over():
            return
        self.did("given up")
        self.given_up = True
        game, state = self.game, self.game.state
        winner = min(state.still_in(), key=lambda seat: len(self.held(seat)))
        points = self._points(winner)
        host = self.sitting.table.people.host
        self.say(c.Out(winner, points), host if self.virtual and host else self.anybody())
        if self.match.by_itself:
            game.count_round(winner, points)

    def _points(self, winner: int) -> list[int]:
        """What the hands count; who went out has nothing, as the table sees it."""
        values = self.game.state.values()
        if not values:
            return []
        hands = [self._hand(seat) for seat in range(self.game.seats)]
        return [0 if seat == winner else sum(values[card] for card in hand) for seat, hand in enumerate(hands)]

    def _hand(self, seat: int) -> Sequence[int]:
        return self.game.state.held(seat) if self.virtual else self.held(seat)

    def _scores_are_right(self, before: Sequence[int]) -> None:
        """What the table has written down is what the hands count that were really held."""
        game = self.game
        if self.match.by_itself and self.match.in_round:
            winner = game.state.round_winner
            points = list(game.state.points) if game.state.values() else []
            self.say(c.Out(max(winner, 0), points), self.anybody())
        if any(self.unnoticed.values()):
            return
        brought = [after - was for after, was in zip(self.match.scores, before, strict=True)]
        assert brought == self._expected(game), f"{brought} were written down, {self._expected(game)} are right"

    def _expected(self, game: Game) -> list[int]:
        values, winner = game.state.values(), game.state.round_winner
        seats = range(game.seats)
        if not values:
            return [0 for _ in seats]
        if self.given_up and winner >= 0:
            held = self._points(winner)
        else:
            held = [sum(values[card] for card in self._hand(seat)) for seat in seats]
        own = (
            game.game_id == "151"
            or game.state.options.get("scoring") in {"low-score", "elimination"}
            or (game.state.options.get("scoring") == "own-points" and game.state.options.get("match") == "points")
        )
        if own:
            return [-10 if game.game_id == "151" and seat == winner else held[seat] for seat in seats]
        return [sum(held) - held[winner] if seat == winner else 0 for seat in seats]
