"""People at a table who hold real cards and tap buttons of their own phones: mostly right ones, now and then a wrong
one that is put right at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import msgspec

from dispenser.rules import GAMES
from dispenser.rules.engine.demands import POINTS, TURN_UP, Owed
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.moves import DRAW, LAYING, Act, Move
from dispenser.rules.engine.phases import AGAIN, DREW, IN_ROUND, PLAYING
from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table.bots import takes_its_turn
from dispenser.table.errors import TableRefusal
from tests.nightly.search.pure_table import PureTable, state_of
from tests.nightly.search.real_cards import RealCards
from tests.table.buttons import leaves

NAMES: Final = ("Léa", "Tom", "Zoé", "Max", "Ana")
OPTIONS: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "uno-extreme": ({}, {"customizable": 0, "target": 50}, {"scoring": "low-score"},
                    {"scoring": "elimination", "target": 90}),
    "uno": ({}, {"target": 50}, {"scoring": "low-score"}),
    "huit-americain": ({}, {"jokers": True, "match": "points"}, {"match": "points", "scoring": "own-points"}),
    "151": ({}, {"eight-anywhere": True}, {"joker-points": 50}),
    "uno-vache": ({}, {"white": 2}, {"cancel-anyway": True}),
}  # fmt: skip
STEPS: Final = 200
STEPS_COUNTED: Final = 50
"""A round that takes longer is ended by hand; so is one that the table only counts."""
FEW_CARDS_AT: Final = 40
"""After so many steps people put all but a few of their cards back, so that most rounds end by themselves."""


class People(RealCards):
    """One evening; everything follows from the seed."""

    def __init__(self, seed: int) -> None:
        super().__init__(PureTable(), Random(seed))
        self.game_id, self.tracking_mode = self.dice.choice(list(GAMES)), self.dice.choice(list(e.TrackingMode))
        self.options = self.dice.choice(OPTIONS[self.game_id])

    # --- the evening ---

    def play(self) -> None:
        self.sit_down()
        for number in range(self.dice.choice((1, 1, 2))):
            if number and not self.go_on():
                break
            self.round()
        self.sat.dies()
        self.sat.execute(c.Close(), owner=True)

    def sit_down(self) -> None:
        seats = GAMES[self.game_id].book.seats
        self.sat.execute(c.Open(NAMES[0]), owner=True)
        self.sat.present[1] = 1
        for number in range(2, self.dice.randint(max(2, seats[0]), min(5, seats[-1])) + 1):
            if self.tracking_mode is e.TrackingMode.CARDS and self.maybe(0.3):
                self.sat.execute(c.Bot(), 1)
            elif self.maybe(0.15):
                self.sat.execute(c.Guest(NAMES[number - 1]), 1)
            else:
                self.sat.execute(c.Join(NAMES[number - 1]))
                self.sat.present[number] = 1
        deals = self.maybe(0.3) and self.tracking_mode is not e.TrackingMode.CARDS
        self.sat.execute(c.Start(self.game_id, self.options, self.tracking_mode, deals), 1)

    def go_on(self) -> bool:
        """People change places, the tracking mode or a phone; whether there is another round."""
        if self.match.over:
            return False
        one, other = self.dice.sample(self.sat.table.people.order, 2)
        self.sat.execute(c.Swap(one, other), owner=True)
        mode = self.dice.choice(list(e.TrackingMode))
        if mode is not self.match.tracking_mode and not self.sat.table.bot_seats:  # bots need cards on the phones
            self.sat.execute(c.ChangeTrackingMode(mode), owner=True)
        person = self.anybody()
        self.sat.execute(c.Claim(person))
        self.sat.execute(c.Confirm(person), owner=True)
        self.sat.execute(c.Deal(), person)
        return True

    def round(self) -> None:
        match = self.match
        deck = list(self.game.state.deck()) if self.referee else [0] * 10_000
        self.dice.shuffle(deck)
        self.stack, self.talon, self.uncounted = deck, [], set()
        self.hands = {person: [] for person in match.order}
        while self.match.dealing:
            self.push()
        for seat in self.game.state.still_in():
            hand = self.hand(seat)
            self.give_back(hand, max(0, len(hand) - self.game.state.hand_size))
            self.draw(hand, self.game.state.hand_size - len(hand))
        self.uncounted.clear()
        for step in range(2 * STEPS):
            if not (self.match.in_round or self.match.counting):
                return
            most = STEPS_COUNTED if self.match.counter_mode else STEPS
            if step >= most and self.match.due is None and self.game.question is None:
                self.end_by_hand()
                return
            self.step(few_cards=step >= FEW_CARDS_AT)
            if self.maybe(0.01):
                self.sat.dies()
        raise AssertionError(f"the round stands still: {self.match.due}, {self.game.question}")

    def end_by_hand(self) -> None:
        """Somebody says who is out, and what the others hold."""
        state = self.game.state
        winner = self.dice.choice(state.still_in())
        worth = (
            [5 * (seat != winner and state.is_in(seat)) for seat in range(self.game.seats)] if state.values() else []
        )
        self.sat.execute(c.Out(winner, worth), self.sat.table.people.host)
        assert not self.match.in_round

    def step(self, *, few_cards: bool) -> None:
        """Whatever is to be done next."""
        match, game = self.match, self.game
        if match.tracking_mode is e.TrackingMode.CARDS:
            self.nobody_sees_another_hand()
        if game.question is not None:
            self.answer()
        elif match.due is not None and self.maybe(0.9):
            self.push()
        elif self.referee and match.due is None and game.phase in IN_ROUND and self.correct(few_cards=few_cards):
            pass
        elif self.maybe(0.05):
            self.undo_and_redo()
        else:
            self.tap()

    # --- taps ---

    def tap(self) -> None:
        """Somebody taps a button that the real cards allow; or pushes instead of playing, where that says it (E-14)."""
        seat = self.game.turn
        if self.match.in_round and seat in self.sat.table.bot_seats and self.match.due is None:
            move = takes_its_turn(self.game, self.dice)
            if move == DRAW and self.match.counts_presses:
                self.push()
            else:
                self.act(Action(Deed.PLAY, seat, move), self.match.order[seat])
            return
        people = self.dice.sample(list(self.sat.present), len(self.sat.present))
        people.sort(key=lambda person: self.match.seat_of(person) != seat or self.maybe(0.2))
        for person in people:
            offered = list(self.offered(person))
            allowed = [send for send in offered if self.is_allowed(send)]
            if not allowed:
                continue
            laying = [send for send in allowed if "card" in str(send)]
            send = self.dice.choice(laying if laying and self.maybe(0.9) else allowed)
            wrong = self.dice.choice(offered)
            if self.maybe(0.1) and "draw" not in str(wrong):  # with that tap the launcher begins
                self.tap_wrong_button(person, wrong, send)
            else:
                self.send(person, send)
            return
        may_push = self.match.payer is not None or self.match.counter_mode
        assert may_push, f"nobody can do anything in {self.game.phase}, seat {seat}"
        self.push()

    def offered(self, person: int) -> Iterator[dict[str, Any]]:
        """What the buttons of the game on a phone would send."""
        shown = self.sat.view(person)
        cards = [card["choice"] for card in shown["hand"] if card.get("choice")]
        for leaf in leaves([*shown["choices"], *shown["always"], *cards]):
            if "send" not in leaf:
                continue
            send = json.loads(json.dumps(leaf["send"]))
            if "number" in leaf:
                send[leaf["number"]["key"]] = self.dice.randint(leaf["number"]["least"], leaf["number"]["most"])
            yield send

    def move_of(self, send: dict[str, Any]) -> tuple[int, Move] | None:
        if send["do"] not in {"act", "card"} or send["action"][0] != Deed.PLAY:
            return None
        action = self.match.notes.read(send["action"])
        return action.seat or 0, action.value

    def is_allowed(self, send: dict[str, Any]) -> bool:
        """By the real cards, which the table does not see. Few rounds are ended early, and few debts forgotten."""
        if not self.referee:
            return send["do"] not in {"out", "forgive"} or self.maybe(0.03)
        played = self.move_of(send)
        if played is None:
            return False
        seat, move = played
        if move.act is Act.CANCEL and not self.game.state.options["cancel-anyway"]:
            names = [self.game.state.cards.names[card].en for card in self.hand(seat)]
            if any(name.endswith(("+2", "+4")) for name in names):
                return False
        if self.game.phase is AGAIN and move.act is Act.DRAW and set(self.game.state.matches) & set(self.hand(seat)):
            return False
        return move.act not in LAYING or move.card in self.hand(seat)

    def send(self, person: int, send: dict[str, Any]) -> None:
        played, seats = self.move_of(send), self.game.state.still_in()
        if self.referee and played is not None and played[1].act in LAYING:
            card = played[1].card
            assert card is not None
            self.hand(played[0]).remove(card)
            self.talon.append(card)
        owed = [debt.left for debt in self.match.ledger.debts]
        self.execute(msgspec.convert(send, c.AnyCommand), person)
        if send["do"] == "charge":
            owed.append(self.match.ledger.charges[send["charge"]].number or send["number"])
            assert [debt.left for debt in self.match.ledger.debts] == owed, f"{send}, and {owed} are owed"
        if self.referee and played is not None:
            self.follow(seats)
        if played is not None and played[1] == DRAW and self.match.due is not None:
            self.push()  # one act: the tap is the push, too

    def execute(self, command: c.Command, person: int | None) -> None:
        self.sat.execute(command, person, at=self.sat.table.at)

    def act(self, action: Action, person: int) -> None:
        self.execute(c.Act(self.match.notes.write(action)), person)

    def tap_wrong_button(self, person: int, wrong: dict[str, Any], right: dict[str, Any]) -> None:
        """It is taken back, or another card is said to have been laid; then it is as if the right one was tapped."""
        before, one, other = state_of(self.sat.table), self.move_of(wrong), self.move_of(right)
        if not self.refuses(msgspec.convert(wrong, c.AnyCommand), person):
            both_lay = bool(one and other and one[0] == other[0] and one[1].act is other[1].act is Act.LAY)
            if self.referee and both_lay and self.match.in_round and self.maybe(0.5):
                self.send(person, {"do": "card", "place": len(self.game.log) - 1, "action": right["action"]})
                return
            if self.refuses(c.Undo(), self.anybody()):
                assert self.match.tracking_mode is e.TrackingMode.CARDS, "a wrong tap cannot be taken back"
                return  # cards have been seen
        assert state_of(self.sat.table) == before, f"{wrong} was taken back, and the table is another"

    def refuses(self, command: c.Command, person: int) -> bool:
        """Whether the table does not do that; then it has changed nothing."""
        before = self.sat.table.at
        try:
            self.execute(command, person)
        except TableRefusal:
            assert self.sat.table.at == before
            return True
        return False

    def undo_and_redo(self) -> None:
        before = state_of(self.sat.table)
        if not self.refuses(c.Undo(), self.anybody()):
            self.execute(c.Redo(), self.anybody())
            assert state_of(self.sat.table) == before, "undone and redone, the table is another"

    def answer(self) -> None:
        """What the table asks of the real cards."""
        question = self.game.question
        assert question is not None
        value: Any
        seats, seat = self.game.state.still_in(), question.seat
        if question.kind == TURN_UP or seat is None:
            value = self.stack.pop()
            self.talon.append(value)
        elif question.kind == "bluff":
            fitting, _ = self.game.state.beneath  # type: ignore[attr-defined]
            wild = next(card for card, name in enumerate(self.game.state.cards.names) if name.en == "wild")
            value = any(card in self.hand(seat) for card in (*fitting, wild))
        elif question.kind == POINTS:
            cards = tuple(sorted(self.hand(seat)))
            value = self.game.state.worth(cards) if self.maybe(0.5) or self.uncounted else cards
        else:
            of_colour = self.game.state.cards.of_colour[self.game.state.colour]
            value = tuple(sorted(card for card in self.hand(seat) if card in of_colour))
        self.act(Action(Deed.ANSWER, seat, value), self.anybody())
        self.follow(seats)

    def correct(self, *, few_cards: bool) -> bool:
        """Compare the real cards with the table's; whether somebody has told the table something about a hand."""
        state = self.game.state
        if not state.talon:
            return False
        if len(self.talon) > len(state.talon):  # the table has said that it is the draw pile again (G-01)
            self.lift_talon(len(state.talon))
        if state.asks_reload and getattr(state, "reload_due", False) and len(state.talon) > state.stays():
            self.act(Action(Deed.RELOAD, None), self.anybody())
            self.lift_talon(state.stays())
        self.compare()
        for seat in state.still_in():
            if self.match.order[seat] in self.uncounted and self.game.phase is not DREW and self.hand(seat):
                return self.count_hand(seat)
            if few_cards and len(self.hand(seat)) > 3 and self.game.phase is PLAYING:
                self.give_back(self.hand(seat), len(self.hand(seat)) - 2)
                return self.count_hand(seat)
        return False

    def count_hand(self, seat: int) -> bool:
        """Somebody tells how many cards a hand has, or which; always which, where some of it are known."""
        hand, state = self.hand(seat), self.game.state
        shown = state.sizes[seat] > state.hands[seat][state.unknown] or self.maybe(0.2)
        told = Action(Deed.HAND, seat, tuple(sorted(hand))) if shown else Action(Deed.HAND_SIZE, seat, len(hand))
        if self.refuses(c.Act(self.match.notes.write(told)), self.anybody()):
            return False
        self.uncounted.discard(self.match.order[seat])
        return True

    # --- the launcher ---

    def push(self) -> None:
        """Somebody pushes and takes what comes; if the table asks how many came, it is told, after a slip at times."""
        self.reload_if_empty()
        before, owed = self.match.due, self.match.ledger.debts[:1]
        dealing = bool(self.match.dealing)
        receiver = self.match.order[before.receiver if before else max(0, self.game.turn)]
        press, came, told = self.sat.push(self.dice, self.undo_and_redo)
        if press in self.sat.table.asked:
            told = came
            if self.maybe(0.1) and not dealing:
                self.execute(c.SetCount(press, came + 1), self.anybody())
                told = came + self.refuses(c.SetCount(press, came), self.anybody())
            else:
                self.execute(c.SetCount(press, came), self.anybody())
        elif told not in {None, came} and self.maybe(0.7) and not self.refuses(c.SetCount(press, came), receiver):
            told = came
        assert press not in self.sat.table.pushes, "the table waits for a press that has ended"
        if self.referee:
            self.draw(self.hands[receiver], came)
        if self.referee and not dealing:
            self.settle(press, receiver, came, told)
        elif not dealing and told is not None:
            brought = self.match.brought(press)
            assert brought in {told, None}, f"{told} came at press {press}, the table says {brought}"
        for debt in owed:
            paid = 1 if debt.charge.kind is Owed.PRESSES else told or 0
            left = next((each.left for each in self.match.ledger.debts if each.number == debt.number), 0)
            assert left == max(0, debt.left - paid), f"{debt} was owed, {told} came, and {left} are owed"

    def settle(self, press: int, receiver: int, came: int, told: int | None) -> None:
        """The receiver keeps what is owed; of what the sensor did not see the table knows nothing."""
        match, place = self.match, self.match.is_current(press)
        assert place is not None, f"press {press} paid nothing"
        assert told is not None, f"nobody knows what press {press} brought, and nobody is asked"
        counted, most = int(match.game.log[place].value), match.marks[place].most
        known = match.brought(press), counted
        assert known == (told, min(told, most)), f"{told} came at press {press}, and the table says {known}"
        kept = min(came, most)
        self.give_back(self.hands[receiver], came - kept)
        if kept != counted:
            self.uncounted.add(receiver)

    def reload_if_empty(self) -> None:
        state = self.game.state
        if self.referee and not self.stack and len(self.talon) > state.stays():
            if state.reload_rule and len(state.talon) > state.stays():
                self.act(Action(Deed.RELOAD, None), self.anybody())
            self.lift_talon(state.stays())

    # --- phones ---

    def nobody_sees_another_hand(self) -> None:
        """If a hand had another card, every phone that does not show it would show the same."""
        state, viewer, seat = self.game.state, self.anybody(), self.dice.randrange(self.game.seats)
        if self.sat.table.people.may_see_hand(viewer, self.match.order[seat]) or not state.sizes[seat]:
            return
        hand = state.hands[seat]
        one, other = self.dice.choice(state.held(seat)), self.dice.randrange(state.unknown)
        before = self.sat.view(viewer)
        hand[one], hand[other] = hand[one] - 1, hand[other] + 1
        after = self.sat.view(viewer)
        hand[one], hand[other] = hand[one] + 1, hand[other] - 1
        assert after == before, f"the phone of {viewer} shows what seat {seat} holds"
