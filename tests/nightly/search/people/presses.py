"""What is owed is paid: people push, take what comes, give back what is too many, and say how many came."""

from __future__ import annotations

from typing import Any

from dispenser.launcher import messages as launcher
from dispenser.rules import Game
from dispenser.rules.engine.demands import Demand, Owed
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.phases import IN_ROUND
from dispenser.table import commands as c
from tests.nightly.search.people.party import Party


class Payers(Party):
    """See the module.

    :ivar believed: what the table takes for the count of the last press without asking.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.believed: int | None = None
        self._waiting: tuple[int, int | None] = 0, None
        self._counted_to: tuple[int, int] = 0, 0
        self._taken_back = False

    # --- what the launcher calls ---

    def came(self, press: int, cards: int, how: str, believed: int | None = None) -> None:
        """The launcher has let them out; ``believed`` is what the table takes for it without asking."""
        self.real[press] = cards
        self.figures.presses += 1
        self.figures.cards += cards
        if how not in {"well", "dud"}:
            self.did(how)
        self.last = press
        self.believed = believed

    def meanwhile(self, press: int) -> None:
        """While the cards come, somebody takes back what they are for, and mostly does it again."""
        if self.match.dealing or self.match.by_itself or not self.maybe(0.03):
            return
        before, demand = self.match.game.state.position(), self.match.game.demand
        if not self.sitting.say(c.Undo(), self.anybody(), at=self.sitting.table.at):
            return
        assert press in self.sitting.table.pushes, "what was pushed for is taken back, and the push is forgotten"
        if (
            demand is not None
            and self.match.game.demand is None
            and self.match.game.question is None
            and self.maybe(0.5)
        ):
            self.did("taken back in a burst")
            self._taken_back = True
            return
        self.did("taken back and done again in a burst")
        self.say(c.Redo(), self.anybody())
        assert self.match.game.state.position() == before, "taken back and done again in a burst, the game is another"

    # --- pushing ---

    def push(self, person: int) -> None:
        self.believed, self._taken_back = None, False
        self.launcher.press(person)

    def pay(self, game: Game, demand: Demand) -> None:
        """The payer pushes, the receiver takes what comes, and gives back what nobody owes."""
        if not self.hands.stack and len(self.hands.talon) > game.state.stays():
            self.empty(game)
            return
        if self.match.by_itself:
            self._charge(game, demand)
        self.push_for(self.person(demand.receiver), demand.number if demand.kind is Owed.CARDS else None)

    def push_for(self, receiver: int, owed: int | None) -> None:
        """Somebody owes it: so many cards, or as many as come."""
        before = len(self.hands.of[receiver])
        seat = self.match.order.index(receiver)
        self._counted_to = seat, self.match.game.state.sizes[seat] if not self.match.by_itself else 0
        self.push(receiver)
        press = self.last
        assert press is not None
        came = len(self.hands.of[receiver]) - before
        assert came == self.real[press]
        if owed is not None and came > owed:
            self.hands.go_back(receiver, came - owed)
        self.drawn = self.hands.of[receiver][-1] if came else None
        if press in self.sitting.table.asked:
            self._waiting = receiver, owed
            return
        if self.believed is None:
            assert self.virtual, f"nobody knows what press {press} brought, and nobody is asked"
            self.believed = self.match.brought(press) or 0
        if self.match.by_itself:
            self._counted_in_the_heads(press, came, self.believed, owed)
        else:
            self._settled(press, receiver, owed, self.believed)

    def _settled(self, press: int, receiver: int, owed: int | None, told: int) -> None:
        """The table has counted it: what it says is nobody's goes back, what it does not know of is kept in mind.

        :param told: as many cards came, as far as the table knows.
        """
        came, match = self.real[press], self.match
        kept = came if owed is None else min(came, owed)
        place = match.is_current(press)
        counted = 0 if place is None else int(match.game.log[place].value)
        if place is None:
            assert self._taken_back, f"press {press} paid nothing"
        else:
            self._launcher_and_table_agree(counted, told, match.marks[place].most)
        if self.virtual:
            surplus = kept - counted
            self.hands.go_back(receiver, max(0, surplus))
        elif told == came and kept > counted:
            self.did("put back what is nobody's")
            self.hands.go_back(receiver, kept - counted)
        else:
            self.unnoticed[receiver] += kept - counted
            if told != came:
                self._recount(press, receiver, counted)
        if place is None:
            self.drawn = None
            self.say(c.Redo(), self.anybody())

    def _launcher_and_table_agree(self, counted: int, told: int, most: int) -> None:
        """The hand has grown by what the launcher let out, as far as it was owed."""
        assert counted == min(told, most), f"{told} came, at most {most} counted, and the table takes {counted}"
        seat, before = self._counted_to
        state = self.match.game.state
        if self.match.game.phase in IN_ROUND:
            grown = state.sizes[seat] - before
            assert grown == counted, f"{counted} cards came for seat {seat}, and its hand has grown by {grown}"

    def _recount(self, press: int, receiver: int, counted: int) -> None:
        """Sensor and fingers disagree: the presser taps −1 or +1, mostly."""
        if self.maybe(0.3):
            self.did("not recounted")
            return
        told = c.TellCount(press, self.real[press])
        if not self.sitting.say(told, receiver if self.has_phone(receiver) else self.anybody()):
            self.did("recount refused")
            return
        self.sitting.hear(launcher.BurstCounted(press, self.real[press], 0))
        place = self.match.is_current(press)
        assert place is not None
        now = int(self.match.game.log[place].value)
        self.unnoticed[receiver] += counted - now

    def tell_count(self) -> None:
        """The table asks how many came; somebody says it, after a slip at times."""
        table = self.sitting.table
        press = next(iter(table.asked))
        real = self.real[press]
        dealing = bool(self.match.dealing)
        before = table.at
        assert self.sitting.refused(c.TellCount(press + 77, 1), self.anybody()) == "too_late"
        told = real
        if self.maybe(0.1) and not dealing and not self.match.by_itself and self.match.game.demand is not None:
            self.did("miscounted")
            self.say(c.TellCount(press, real + 1), self.anybody())
            if not self.sitting.say(c.TellCount(press, real), self.anybody()):
                told = real + 1
        else:
            self.say(c.TellCount(press, real), self.anybody())
        assert press not in self.sitting.table.asked
        assert self.sitting.table.at > before
        self.sitting.hear(launcher.BurstCounted(press, real, 0))
        if dealing:
            return
        receiver, owed = self._waiting
        if self.match.by_itself:
            self._fulfil_in_the_heads(real if owed is None else min(real, owed))
        else:
            self._settled(press, receiver, owed, told)

    # --- where the table plays by itself ---

    def _counted_in_the_heads(self, press: int, came: int, believed: int, owed: int | None) -> None:
        """Counter: people go by the real cards, and say so where it makes a difference to what is owed."""
        if owed is not None and min(believed, owed) != min(came, owed):
            self.say(c.TellCount(press, came), self.anybody())
            self.sitting.hear(launcher.BurstCounted(press, came, 0))
        self._fulfil_in_the_heads(came if owed is None else min(came, owed))

    def _fulfil_in_the_heads(self, cards: int) -> None:
        game, demand = self.game, self.game.demand
        assert demand is not None
        self.follow(list(game.fulfil(cards)))
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
        assert place is not None, f"no charge for {demand} among {[(c.rule, c.number) for c in ledger.charges]}"
        number = None if ledger.charges[place].number else demand.number
        at = self.sitting.table.at
        self.say(c.ChargeSeat(demand.payer, place, number), self.anybody())
        if self.maybe(0.2):
            self.did("charged twice at once")
            assert self.sitting.refused(c.ChargeSeat(demand.payer, place, number), self.anybody(), at=at) == "too_late"
        if self.maybe(0.1):
            self.did("charge taken back")
            self.say(c.Undo(), self.anybody())
            self.say(c.Redo(), self.anybody())

    # --- nothing left in the launcher ---

    def empty(self, game: Game) -> None:
        """The talon goes into it, as the rules say."""
        self.hands.lift(game.state.stays())
        if game.state.reload_rule and len(game.state.talon) > game.state.stays():
            if self.match.by_itself:
                game.reload()
            else:
                self.act(Action(Deed.RELOAD, None), self.anybody())
