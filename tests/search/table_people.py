"""People at a table who hold real cards, and tell the table what people tell: not all of it, not always right.

Nothing here goes by the table's own account of the cards. A stack, a talon and hands of real cards stand beside it; the
launcher lets out real cards of the stack, and not always those that it says. In calm moments the two are compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from dispenser.launcher import messages as launcher
from dispenser.rules import GAMES, Game, new_game
from dispenser.rules.engine.demands import POINTS, TURN_UP, Demand, Owed
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.moves import DRAW, LAYING, PASS, Act, Move
from dispenser.rules.engine.phases import AGAIN, DREW, IDLE, MATCH_OVER, PLAYING
from dispenser.table import messages as m
from dispenser.table.match import Match
from dispenser.table.presses import order
from tests.table.sitting import MOST_CARDS, Sitting

NAMES: Final = ("Léa", "Tom", "Zoé", "Max", "Ana", "Bob", "Mia", "Noé", "Ida", "Eli")
OPTIONS: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "uno-extreme": ({}, {"customizable": 0, "target": 50}, {"scoring": "low-score"},
                    {"scoring": "elimination", "target": 90}),
    "uno": ({}, {"target": 50}, {"scoring": "low-score"}),
    "huit-americain": ({}, {"jokers": True, "match": "points"}, {"match": "points", "scoring": "own-points"}),
    "151": ({}, {"eight-anywhere": True}, {"joker-points": 50}),
    "uno-vache": ({}, {"white": 2}, {"cancel-anyway": True}),
}  # fmt: skip
ROUNDS: Final = 2
MOVES: Final = 200
"""A round that takes longer is given up, and counted as it stands."""


@dataclass
class Hands:
    """The real cards.

    :ivar stack: in the launcher, the next one last.
    :ivar talon: on the table, the top one last.
    """

    dice: Random
    stack: list[int]
    of: dict[int, list[int]] = field(default_factory=dict)
    talon: list[int] = field(default_factory=list)

    def come_out(self, person: int, cards: int) -> int:
        """The launcher lets them out to somebody; returns how many there were."""
        came = 0
        while came < cards and self.stack:
            self.of[person].append(self.stack.pop())
            came += 1
        return came

    def go_back(self, person: int, cards: int) -> None:
        """Cards that nobody owed lie below the others again: those that came last."""
        for _ in range(cards):
            self.stack.insert(0, self.of[person].pop())

    def lift(self, stays: int) -> None:
        """The talon but its top goes into the launcher, shuffled."""
        lifted = self.talon[:-stays]
        self.dice.shuffle(lifted)
        self.stack[:0] = lifted
        del self.talon[:-stays]

    def everything(self) -> Counter[int]:
        return Counter([*self.stack, *self.talon, *(card for hand in self.of.values() for card in hand)])


@dataclass
class Figures:
    """What an evening came to."""

    game: str = ""
    telling: str = ""
    rounds: int = 0
    tells: int = 0
    presses: int = 0
    cards: int = 0
    mistakes: Counter[str] = field(default_factory=Counter)


class PureLauncher:
    """A launcher made of words: what it really lets out, and what it says of that, is as the dice have it."""

    def __init__(self, evening: People) -> None:
        self._evening = evening
        self._draws = 0

    def press(self, person: int) -> None:
        """``person`` pushes; what comes out lies in the real hand when this returns."""
        evening, dice = self._evening, self._evening.dice
        sitting, hands = evening.sitting, evening.hands
        wanted = order(sitting.table, MOST_CARDS)
        planned = wanted.cards if wanted.cards is not None else dice.choice((0, 0, 0, 3, 4, 5, 8))
        assert sitting.push(), f"{person} owes, and a push is refused: {wanted}"
        if dice.random() < 0.1:
            assert not sitting.push(), "a second push while the cards come"
            evening.did("pushed twice")
        press = sitting.burst[0] if sitting.burst else sitting.press
        how = dice.choice(("well",) * 25 + ("double", "unseen", "flicker", "lid", "jam", "blind", "killed"))
        if how == "killed":
            came = hands.come_out(person, dice.randint(0, planned))
            evening.came(press, came, "killed")
            sitting.dies(seen=dice.choice((came, max(0, came - 1), 0)))
            return
        end = launcher.BurstEnd.COMPLETE
        seen: int | None = planned
        if planned == 0 or how == "well":
            came = hands.come_out(person, planned)
        elif how in {"double", "unseen"}:
            came = hands.come_out(person, planned + 1)
        elif how == "flicker":
            came = hands.come_out(person, planned - 1)
        else:
            came = hands.come_out(person, dice.randint(0, planned))
            end = {"lid": launcher.BurstEnd.LID, "jam": launcher.BurstEnd.JAMMED}.get(how, launcher.BurstEnd.BLIND)
            seen = None if how == "blind" else came
        if planned and end is launcher.BurstEnd.COMPLETE and not hands.stack and came < planned:
            end, seen = launcher.BurstEnd.EMPTY, came
        sure = end is launcher.BurstEnd.COMPLETE and (how != "double" or not planned or evening.virtual)
        evening.came(press, came, how if planned else "dud", believed=seen if sure else None)
        sitting.burst_ends(seen, end, doubles=1 if how == "double" and planned else 0)


class People:
    """One evening on a pure table; everything follows from the seed."""

    def __init__(
        self,
        seed: int,
        launcher_of: Callable[[People], Any] = PureLauncher,
        table_of: Callable[[], Any] = lambda: Sitting(careful=False),
    ) -> None:
        self.seed = seed
        self.dice = dice = Random(seed)
        self.figures = Figures()
        self.sitting: Sitting = table_of()
        self.launcher = launcher_of(self)
        self.game_id = dice.choice(list(GAMES))
        self.telling = dice.choice(list(m.Telling))
        self.options = dice.choice(OPTIONS[self.game_id])
        self.deals = dice.random() < 0.3 and self.telling is not m.Telling.CARDS
        self.hands = Hands(dice, [])
        self.heads_of: m.MatchBegun | None = None
        self.heads: Game | None = None
        """How the round stands where the table does not follow: in people's heads."""
        self.real: dict[int, int] = {}
        """By press, how many cards really came."""
        self.unnoticed: Counter[int] = Counter()
        """By person, cards in the hand that the table does not know of."""
        self.written: dict[int, int] = {}
        """By person, the score when the last round was over."""
        self.last: int | None = None
        self.drawn: int | None = None
        """The card that came last, while whoever drew it may lay it."""
        self.drew: int | None = None
        self.figures.game, self.figures.telling = self.game_id, self.telling.value

    # --- small words ---

    def did(self, mistake: str) -> None:
        self.figures.mistakes[mistake] += 1

    def say(self, tell: m.Tell, person: int | None = None, **more: Any) -> list[m.Entry]:
        self.figures.tells += 1
        return self.sitting.said(tell, person, at=self.sitting.table.at, **more)

    def maybe(self, share: float) -> bool:
        return self.dice.random() < share

    @property
    def match(self) -> Match:
        assert self.sitting.table.match is not None
        return self.sitting.table.match

    @property
    def game(self) -> Game:
        """The table's own game, or the one in people's heads."""
        if not self.match.by_itself:
            return self.match.game
        assert self.heads is not None
        return self.heads

    @property
    def virtual(self) -> bool:
        return self.match.telling is m.Telling.CARDS

    def person(self, seat: int) -> int:
        return self.match.order[seat]

    def teller(self, seat: int) -> int:
        """Who taps for a seat."""
        people, whom = self.sitting.table.people, self.person(seat)
        able = [each for each in people.order if people.persons[each].secret and people.may_act_for(each, whom)]
        return whom if whom in able else self.dice.choice(able)

    def anybody(self) -> int:
        people = self.sitting.table.people
        return self.dice.choice([each for each in people.order if people.persons[each].secret])

    def happened(self, entries: Sequence[m.Entry]) -> list[Event]:
        news = list(self.sitting.table.news)[-len(entries) :] if entries else []
        return [event for item in news for event in item.happened]

    # --- the evening ---

    def play(self) -> Figures:
        dice, sitting = self.dice, self.sitting
        seats = GAMES[self.game_id].book.seats
        number = dice.randint(max(2, seats[0]), min(5, seats[-1]))
        sitting.said(m.Open(NAMES[0]), owner=True)
        for name in NAMES[1:number]:
            if self.maybe(0.15):
                sitting.said(m.Guest(name), 1)
            else:
                sitting.said(m.Join(name))
        sitting.present = set(sitting.table.people.order)
        self.say(m.Start(self.game_id, self.options, self.telling, self.deals), 1)
        for _ in range(ROUNDS):
            self._round()
            self.figures.rounds += 1
            if self.over:
                break
            self._between()
        self.kill()
        if self.sitting.table.match is not None and self.maybe(0.5):
            self.say(m.EndMatch(), self.sitting.table.people.host)
        self.say(m.Close(), self.sitting.table.people.host)
        return self.figures

    @property
    def over(self) -> bool:
        return self.match.over

    def _between(self) -> None:
        """Somebody comes, somebody goes, a phone is lost; then the next round."""
        people = self.sitting.table.people
        seats = GAMES[self.game_id].book.seats
        if self.maybe(0.3) and len(people.order) < min(6, seats[-1]):
            taken = {person.name for person in people.persons.values()}
            self.sitting.said(m.Join(next(name for name in NAMES if name not in taken)))
            self.sitting.present.add(people.order[-1])
        elif self.maybe(0.2) and len(people.order) > 2:
            leaver = self.anybody()
            if any(people.persons[each].secret for each in people.order if each != leaver):
                self.say(m.Leave(), leaver)
        self.lose_a_phone()
        if self.maybe(0.2) and len(people.order) > 1:
            one, other = self.dice.sample(people.order, 2)
            self.say(m.Swap(one, other), owner=True)
        if len(people.order) in seats and any(people.persons[each].secret for each in people.order):
            if self.sitting.say(m.Deal(), self.anybody(), at=self.sitting.table.at):
                return
            assert self.sitting.refusal is not None
            assert self.sitting.refusal.word == "wrong_number", self.sitting.refusal
            self.say(m.EndMatch(), owner=True)
            self.written.clear()
            self.say(m.Start(self.game_id, self.options, self.telling, self.deals), owner=True)
        else:
            self.say(m.EndMatch(), owner=True)
            self.written.clear()
            self.say(m.Guest(NAMES[-1]), owner=True)
            self.say(m.Start(self.game_id, self.options, self.telling, self.deals), owner=True)

    def lose_a_phone(self) -> None:
        people = self.sitting.table.people
        person = self.anybody()
        if not self.maybe(0.2):
            return
        self.did("phone lost")
        old = people.persons[person].secret
        assert self.sitting.refused(m.Claim(person)) == "seat_taken"
        self.sitting.present.discard(person)
        self.say(m.Claim(person))
        assert people.of_secret(old or "") is None
        self.sitting.present.add(person)

    def kill(self) -> None:
        self.did("killed")
        self.sitting.dies()

    # --- a round ---

    def _round(self) -> None:
        self._shuffle()
        if self.match.by_itself:
            self._begin_in_the_heads()
        if self.match.dealing:
            self._the_launcher_deals()
        else:
            self._deal_by_hand()
        before = self.match.scores
        kept = tuple(self.written.get(person, 0) for person in self.match.order)
        assert before == kept, f"the scores were {kept}, and are {before} in the next round"
        for _ in range(MOVES):
            if self._is_over():
                break
            self._step()
        else:
            self._give_up()
        self._scores_are_right(before)
        self.written.update(zip(self.match.order, self.match.scores, strict=True))

    def _shuffle(self) -> None:
        deck = [0] * 10_000 if self.virtual else list(self.match.game.state.deck())
        self.dice.shuffle(deck)
        self.hands = Hands(self.dice, deck, {person: [] for person in self.match.order})
        self.unnoticed.clear()
        self.real.clear()
        self.last = self.drawn = self.drew = None
        self.given_up = False

    def _begin_in_the_heads(self) -> None:
        """The table plays by itself: nobody but the people know how the round stands."""
        match = self.match
        heads = self.heads
        if heads is None or self.heads_of != match.begun:
            seats, options = len(match.order), match.begun.options
            heads = self.heads = new_game(
                self.game_id, seats, options, hidden=True, seed=self.dice.getrandbits(32), scores=match.begun.scores,
                gone=match.begun.gone,
            )  # fmt: skip
            self.heads_of = match.begun
        heads.begin()

    def _the_launcher_deals(self) -> None:
        self.hands.of = {person: [] for person in self.match.order}
        while self.match.dealing or self.sitting.table.asked:
            if self.sitting.table.asked:
                self._tell_count()
                continue
            seat, left = next(iter(self.match.dealing.items()))
            person = self.person(seat)
            self.owed = left
            if not self.hands.stack:
                break
            self._press(person)
        for seat in range(len(self.match.order)):
            size = self.match.game.state.hand_size
            hand = self.hands.of[self.person(seat)]
            wanted = 0 if seat in self.match.game.state.gone else size
            while len(hand) > wanted:
                self.hands.go_back(self.person(seat), 1)
            self.hands.come_out(self.person(seat), wanted - len(hand))
        self.unnoticed.clear()

    def _deal_by_hand(self) -> None:
        state = self.match.game.state
        for seat, person in enumerate(self.match.order):
            if seat not in state.gone:
                self.hands.come_out(person, state.hand_size)

    def _is_over(self) -> bool:
        return self.game.phase in {IDLE, MATCH_OVER} and self.game.question is None and not self.sitting.table.asked

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
        winner = min(state.still_in(), key=lambda seat: len(self.hands.of[self.person(seat)]))
        points = self._points(winner)
        host = self.sitting.table.people.host
        self.say(m.Out(winner, points), host if self.virtual and host else self.anybody())
        if self.match.by_itself:
            game.count_round(winner, points)

    def _points(self, winner: int) -> list[int]:
        """What the real hands count; who went out has nothing, as the table sees it."""
        values = self.game.state.values()
        if not values:
            return []
        seats = range(self.game.seats)
        hands = [self.game.state.held(seat) if self.virtual else self.hands.of[self.person(seat)] for seat in seats]
        return [0 if seat == winner else sum(values[card] for card in hand) for seat, hand in enumerate(hands)]

    # --- one step ---

    def _step(self) -> None:
        """Whatever is to be done next."""
        if self.maybe(0.005):
            self.kill()
        game = self.game
        if self.sitting.table.asked:
            self._tell_count()
        elif game.question is not None:
            self._answer(game)
        elif game.demand is not None:
            self._pay(game, game.demand)
        else:
            self._agree()
            if not self._aside(game):
                self._move(game)
        self.sitting.check()

    def _aside(self, game: Game) -> bool:
        """What does not bring the round forward."""
        state = game.state
        if self.maybe(0.02):
            self.lose_a_phone()
        due = state.asks_reload and getattr(state, "reload_due", False)
        if due and not self.match.by_itself and len(state.talon) > 1:
            self.hands.lift(state.stays())
            self._act(Action(Deed.RELOAD, None), self.anybody())
            return True
        if self.maybe(0.02) and not self.match.by_itself and game.offences and game.phase is PLAYING:
            seat, offence = self.dice.choice(state.still_in()), self.dice.choice(list(game.offences))
            at = self.sitting.table.at
            self._act(Action(Deed.PENALISE, seat, offence), self.anybody())
            assert self.sitting.refused(m.Act(["penalise", seat, offence]), self.anybody(), at=at) == "too_late"
            self.did("two at once")
            return True
        if self.maybe(0.02) and not self.match.by_itself and len(game.log) > 1:
            self._there_and_back()
        return False

    def _there_and_back(self) -> None:
        """Somebody takes back what was right, and does it again."""
        before = self.match.game.state.position()
        if self.sitting.say(m.Undo(), self.anybody(), at=self.sitting.table.at):
            self.say(m.Redo(), self.anybody())
            assert self.match.game.state.position() == before, "taken back and done again, the game is another"
            self.did("undone and redone")

    # --- real cards against what the table believes ---

    def _agree(self) -> None:
        """In a calm moment the table knows how many cards each has, but for what nobody has noticed."""
        game = self.game
        if not game.state.talon or self.virtual:
            return
        if len(self.hands.talon) > len(game.state.talon):  # the phones have told that it is the draw pile again (G-01)
            self.hands.lift(len(game.state.talon))
        assert self.hands.everything() == Counter(game.state.deck()), "a real card is gone"
        for seat, size in enumerate(game.state.sizes):
            person = self.person(seat)
            held, beside = len(self.hands.of[person]), self.unnoticed[person]
            assert held == size + beside, f"{person} holds {held}, the table says {size}, unnoticed are {beside}"
        assert self.hands.talon == list(game.state.talon), "the talon is another"
        self._notice(game)

    def _notice(self, game: Game) -> None:
        """Sooner or later somebody counts a hand."""
        for person, beside in list(self.unnoticed.items()):
            seat = self.match.order.index(person)
            held = len(self.hands.of[person])
            if not beside or not (self.maybe(0.3) or min(held, game.state.sizes[seat]) <= 3):
                continue
            if held == 0 or game.phase is DREW:
                continue
            self.did("hand counted")
            if self.match.by_itself:
                game.correct_hand(seat, held)
            else:
                self.say(m.Act(["hand size", seat, held]), self.anybody())
            self.unnoticed[person] = 0

    # --- presses ---

    def came(self, press: int, cards: int, how: str, believed: int | None = None) -> None:
        """The launcher has let them out; ``believed`` is what the table takes for it without asking."""
        self.real[press] = cards
        self.figures.presses += 1
        self.figures.cards += cards
        if how not in {"well", "dud"}:
            self.did(how)
        self.last = press
        self._believed = believed

    def _press(self, person: int) -> None:
        self._believed = None
        self.launcher.press(person)

    def _pay(self, game: Game, demand: Demand) -> None:
        """The payer pushes, the receiver takes what comes, and gives back what nobody owes."""
        match = self.match
        if not self.hands.stack:
            if len(self.hands.talon) <= game.state.stays():
                self._nothing_left(game)
                return
            self._empty(game)
            return
        receiver = self.person(demand.receiver)
        if match.by_itself:
            self._charge(game, demand)
        self.drew = receiver
        owed = demand.number if demand.kind is Owed.CARDS else None
        sizes = len(self.hands.of[receiver])
        self._press(receiver)
        self._after_press(receiver, sizes, owed)

    def _after_press(self, receiver: int, before: int, owed: int | None) -> None:
        press = self.last
        assert press is not None
        came = len(self.hands.of[receiver]) - before
        assert came == self.real[press]
        if owed is not None and came > owed:
            self.hands.go_back(receiver, came - owed)
        self.drawn = self.hands.of[receiver][-1] if came else None
        if press in self.sitting.table.asked:
            self._waiting = (receiver, owed)
            return
        believed = self._believed
        assert believed is not None
        if self.match.by_itself:
            self._counted_in_the_heads(press, came, believed, owed)
            return
        if self.virtual:
            return
        got = came if owed is None else min(came, owed)
        counted = believed if owed is None else min(believed, owed)
        self.unnoticed[receiver] += got - counted
        if believed != came:
            self._recount(press, receiver, came, got - counted)

    def _counted_in_the_heads(self, press: int, came: int, believed: int, owed: int | None) -> None:
        """Counter: people go by the real cards, and say so where it makes a difference to what is owed."""
        if owed is not None and min(believed, owed) != min(came, owed):
            self.say(m.TellCount(press, came), self.anybody())
            self.sitting.hear(launcher.BurstCounted(press, came, 0))
        self._fulfil_in_the_heads(came if owed is None else min(came, owed))

    def _recount(self, press: int, receiver: int, came: int, beside: int) -> None:
        """Sensor and fingers disagree: the presser taps −1 or +1, mostly."""
        if self.maybe(0.3):
            self.did("not recounted")
            return
        entries = self.sitting.say(m.TellCount(press, came), receiver if self._has_phone(receiver) else self.anybody())
        if not entries:
            self.did("recount refused")
            return
        self.sitting.hear(launcher.BurstCounted(press, came, 0))
        self.unnoticed[receiver] -= beside

    def _has_phone(self, person: int) -> bool:
        people = self.sitting.table.people
        return people.is_here(person) and people.persons[person].secret is not None

    def _tell_count(self) -> None:
        """The table asks how many came; somebody says it, after a slip at times."""
        table = self.sitting.table
        press = next(iter(table.asked))
        real = self.real[press]
        dealing = bool(self.match.dealing)
        before = self.sitting.table.at
        wrong = real + 1 if self.maybe(0.1) and not dealing else None
        assert self.sitting.refused(m.TellCount(press + 77, 1), self.anybody()) == "too_late"
        if wrong is not None and not self.match.by_itself and self.match.game.demand is not None:
            self.did("miscounted")
            self.say(m.TellCount(press, wrong), self.anybody())
            if not self.sitting.say(m.TellCount(press, real), self.anybody()):
                receiver, owed = self._waiting
                counted = wrong if owed is None else min(wrong, owed)
                self.unnoticed[receiver] += (real if owed is None else min(real, owed)) - counted
        else:
            self.say(m.TellCount(press, real), self.anybody())
        assert press not in self.sitting.table.asked
        assert self.sitting.table.at > before
        self.sitting.hear(launcher.BurstCounted(press, real, 0))
        if self.match.by_itself and not dealing:
            _, owed = self._waiting
            self._fulfil_in_the_heads(real if owed is None else min(real, owed))

    def _fulfil_in_the_heads(self, cards: int) -> None:
        game, demand = self.game, self.game.demand
        assert demand is not None
        self._follow(list(game.fulfil(cards)))
        owes = sum(debt.left for debt in self.match.ledger.debts)
        paid = 1 if demand.kind is Owed.PRESSES else cards
        left = 0 if demand.rule == game.state.draw_rule else demand.number - paid
        assert owes == left, f"the ledger says {owes}, and {left} are owed"

    def _charge(self, game: Game, demand: Demand) -> None:
        """Counter: somebody taps who owes what, unless it stands there or is just the card of who does not play."""
        ledger = self.match.ledger
        if ledger.debts or demand.rule == game.state.draw_rule:
            return
        place = next(
            (
                place
                for place, charge in enumerate(ledger.charges)
                if (charge.rule == demand.rule or demand.rule in charge.also) and charge.number in {0, demand.number}
            ),
            None,
        )
        if place is None:
            place = self._like(demand)
        number = None if ledger.charges[place].number else demand.number
        at = self.sitting.table.at
        self.say(m.ChargeSeat(demand.payer, place, number), self.anybody())
        if self.maybe(0.2):
            self.did("charged twice at once")
            assert self.sitting.refused(m.ChargeSeat(demand.payer, place, number), self.anybody(), at=at) == "too_late"
        if self.maybe(0.1):
            self.did("charge taken back")
            self.say(m.Undo(), self.anybody())
            self.say(m.Redo(), self.anybody())

    def _like(self, demand: Demand) -> int:
        raise AssertionError(f"no charge for {demand} among {[(c.rule, c.number) for c in self.match.ledger.charges]}")

    def _empty(self, game: Game) -> None:
        """Nothing is left in the launcher: the talon goes into it, as the rules say."""
        self.hands.lift(game.state.stays())
        if game.state.reload_rule and len(game.state.talon) > game.state.stays():
            if self.match.by_itself:
                game.reload()
            else:
                self._act(Action(Deed.RELOAD, None), self.anybody())

    def _nothing_left(self, game: Game) -> None:
        """No card anywhere: a push brings nothing."""
        receiver = self.person(game.demand.receiver) if game.demand else 0
        if self.match.by_itself and game.demand is not None:
            self._charge(game, game.demand)
        owed = game.demand.number if game.demand and game.demand.kind is Owed.CARDS else None
        before = len(self.hands.of[receiver])
        self._press(receiver)
        self._after_press(receiver, before, owed)

    # --- questions ---

    def _answer(self, game: Game) -> None:
        question = game.question
        assert question is not None
        value: Any
        if question.kind == TURN_UP:
            if not self.hands.stack:
                raise AssertionError("nothing to turn up")
            value = self.hands.stack.pop()
            self.hands.talon.append(value)
        elif question.kind == POINTS:
            assert question.seat is not None
            hand = self.hands.of[self.person(question.seat)]
            if self.unnoticed[self.person(question.seat)] and not self.virtual:
                values = game.state.values()
                most = sum(sorted((values[card] for card in hand), reverse=True)[: game.state.sizes[question.seat]])
                value = most
            elif self.maybe(0.5):
                value = tuple(sorted(hand))
            else:
                value = sum(game.state.values()[card] for card in hand)
        elif question.kind == "bluff":
            assert question.seat is not None
            fitted, _ = game.state.beneath  # type: ignore[attr-defined]
            wild = next(c for c, name in enumerate(game.state.cards.names) if name.en == "wild")
            value = any(card in self.hands.of[self.person(question.seat)] for card in (*fitted, wild))
        else:
            assert question.seat is not None
            person = self.person(question.seat)
            of_colour = game.state.cards.of_colour[game.state.colour]
            value = tuple(sorted(card for card in self.hands.of[person] if card in of_colour))
            for card in value:
                self.hands.of[person].remove(card)
            self.hands.talon[-1:-1] = value
            self.unnoticed[person] = self.unnoticed[person]
        self._act(Action(Deed.ANSWER, question.seat, value), self.anybody())

    # --- moves ---

    def _act(self, action: Action, by: int) -> list[Event]:
        """Told to the table, or just done where the table does not follow."""
        game = self.game
        if self.match.by_itself:
            happened = list(game.attempt(action))
        else:
            happened = self.happened(self.say(m.Act(self.match.notes.write(action)), by))
        self._follow(happened)
        return happened

    def _follow(self, happened: Sequence[Event]) -> None:
        """What people do with their cards when that happens."""
        if self.virtual:
            return
        for event in happened:
            if event.what is What.TAKEN_BACK and event.seat is not None:
                self.hands.of[self.person(event.seat)].append(self.hands.talon.pop())
            elif event.what is What.PUT_BACK:
                self.hands.stack.insert(0, self.hands.talon.pop())

    def _move(self, game: Game) -> None:
        """Somebody does something that the rules allow and the real cards make possible."""
        actors = game.actors()
        if not actors:
            raise AssertionError(f"nobody can do anything in {game.phase}")
        seat = game.turn if game.turn in actors and not self.maybe(0.2) else self.dice.choice(actors)
        moves = self._possible(game, seat)
        if not moves:
            seat = game.turn
            moves = self._possible(game, seat)
        if not moves:
            self._stuck(game, seat)
            return
        self._do(game, seat, self._chosen(moves))

    def _possible(self, game: Game, seat: int) -> list[Move]:
        hand = self.hands.of[self.person(seat)]
        legal = game.legal_moves(seat)
        if not self.virtual:
            legal = [move for move in legal if move.act not in LAYING or move.card in hand]
            if game.phase is DREW and seat == game.turn:
                legal = [move for move in legal if move.act is not Act.LAY or move.card == self.drawn]
            if game.game_id == "uno-vache" and not game.state.options["cancel-anyway"]:
                plus = {c for c, name in enumerate(game.state.cards.names) if name.en.endswith(("+2", "+4"))}
                if plus & set(hand):
                    legal = [move for move in legal if move.act is not Act.CANCEL]
            if game.phase is AGAIN and any(move.act is Act.LAY for move in legal):
                legal = [move for move in legal if move != DRAW]
        if game.phase is not PLAYING and self.maybe(0.9):
            legal = [move for move in legal if move.act is not Act.EFFECT] or legal
        return list(legal)

    def _chosen(self, moves: Sequence[Move]) -> Move:
        laying = [move for move in moves if move.act in LAYING]
        if laying and self.maybe(0.85):
            return self.dice.choice(laying)
        return self.dice.choice(list(moves))

    def _stuck(self, game: Game, seat: int) -> None:
        raise AssertionError(f"seat {seat} can do nothing in {game.phase} with {self.hands.of[self.person(seat)]}")

    def _do(self, game: Game, seat: int, move: Move) -> None:
        person, by = self.person(seat), self.teller(seat)
        if move == DRAW and game.state.draws is Owed.PRESSES:
            self._does_not_play(game, seat)
            return
        before = self._before(game)
        if move.act in LAYING and move.card is not None and not self.virtual:
            self.hands.of[person].remove(move.card)
            self.hands.talon.append(move.card)
            if not self.match.by_itself:
                self._slip(game, seat, by, move)
        at = self.sitting.table.at
        if move == DRAW and not self.hands.stack and len(self.hands.talon) > game.state.stays():
            self._empty(game)
        happened = self._act(Action(Deed.PLAY, seat, move), by)
        if move == DRAW and (demand := self.game.demand) is not None:  # one act: the tap is the push, too
            self._pay(self.game, demand)
            return
        if move.act in LAYING and not self.match.by_itself and self.maybe(0.05):
            self.did("tapped twice")
            assert self.sitting.refused(m.Act(self.match.notes.write(Action(Deed.PLAY, seat, move))), by, at=at)
        if self.virtual:
            return
        if move.act is not Act.ANNOUNCE and move != PASS:
            self.drawn = None
        self._hands_change(happened, before)

    def _before(self, game: Game) -> tuple[list[int], int]:
        return game.state.still_in(), game.state.direction

    def _hands_change(self, happened: Sequence[Event], before: tuple[list[int], int]) -> None:
        """V-13, V-16: hands go round, or two are swapped; each takes what is unnoticed along."""
        seats, direction = before
        for event in happened:
            takers: dict[int, int] = {}
            if event.what is What.PASSED_ON:
                takers = {seats[(i + direction) % len(seats)]: seat for i, seat in enumerate(seats)}
            elif event.what is What.SWAPPED and event.seat is not None and event.other is not None:
                takers = {event.seat: event.other, event.other: event.seat}
            hands = {taker: self.hands.of[self.person(giver)] for taker, giver in takers.items()}
            beside = {taker: self.unnoticed[self.person(giver)] for taker, giver in takers.items()}
            for taker, hand in hands.items():
                self.hands.of[self.person(taker)] = hand
                self.unnoticed[self.person(taker)] = beside[taker]

    def _slip(self, game: Game, seat: int, by: int, move: Move) -> None:
        """Another card is tapped than was laid; somebody takes that back. Or the tap is forgotten for a while."""
        others = [each for each in game.legal_moves(seat) if each.act is Act.LAY and each.card != move.card]
        if others and self.maybe(0.05):
            self.did("wrong card")
            before = game.state.position()
            self.say(m.Act(self.match.notes.write(Action(Deed.PLAY, seat, self.dice.choice(others)))), by)
            self.say(m.Undo(), self.anybody())
            assert self.match.game.state.position() == before, "taken back, the game is another"
        elif self.maybe(0.05):
            self.did("forgot to tell")
            after = game.state.following[seat]
            theirs = self.hands.of[self.person(after)]
            if theirs and after != seat:
                names = game.state.cards.names
                said = ["play", after, {"act": "lay", "card": names[self.dice.choice(theirs)].en}]
                assert self.sitting.refused(m.Act(said), self.teller(after))

    def _does_not_play(self, game: Game, seat: int) -> None:
        """E-14: the press says it."""
        person = self.person(seat)
        if not self.hands.stack:
            if len(self.hands.talon) > game.state.stays():
                self._empty(game)
            if not self.hands.stack:
                return
        if self.match.by_itself:
            game.play(seat, DRAW)
        else:
            refused = self.sitting.refused(m.Act(["play", seat, {"act": "draw"}]), self.teller(seat))
            assert refused == "press_instead"
        before = len(self.hands.of[person])
        self._press(person)
        self._after_press(person, before, None)

    # --- the end of a round ---

    def _scores_are_right(self, before: Sequence[int]) -> None:
        """What the table has written down is what the real hands count."""
        game = self.game
        if self.match.by_itself and self.match.in_round:
            winner = game.state.round_winner
            points = list(game.state.points) if game.state.values() else []
            self.say(m.Out(max(winner, 0), points), self.anybody())
        if any(self.unnoticed.values()):
            return
        brought = [after - was for after, was in zip(self.match.scores, before, strict=True)]
        assert brought == self._expected(game), f"{brought} were written down, {self._expected(game)} are right"

    def _expected(self, game: Game) -> list[int]:
        values, winner = game.state.values(), game.state.round_winner
        seats = range(game.seats)
        if not values:
            return [0 for _ in seats]
        if self.virtual:
            held = list(game.state.points)
        elif self.given_up and winner >= 0:
            held = self._points(winner)
        else:
            held = [sum(values[card] for card in self.hands.of[self.person(seat)]) for seat in seats]
        own = (
            game.game_id == "151"
            or game.state.options.get("scoring") in {"low-score", "elimination"}
            or (game.state.options.get("scoring") == "own-points" and game.state.options.get("match") == "points")
        )
        if own:
            return [-10 if game.game_id == "151" and seat == winner else held[seat] for seat in seats]
        return [sum(held) - held[winner] if seat == winner else 0 for seat in seats]


def evening(seed: int) -> Figures:
    """One evening from its seed.

    :raises AssertionError: something is wrong; it names the seed.
    """
    people = People(seed)
    try:
        return people.play()
    except Exception as error:
        label = f"evening {seed}, {people.game_id}, {people.telling.value}, {people.options}"
        raise AssertionError(f"{label}: {type(error).__name__}: {error}") from error
