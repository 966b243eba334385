"""Decide commands of a match: start, rounds, actions, corrections, end; and which of them a person may send."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any, Final

from msgspec.structs import replace

from dispenser.i18n import Text, listed
from dispenser.rules import GAMES
from dispenser.rules.engine.errors import OptionError, RulesError
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.moves import LAYING, Act
from dispenser.rules.engine.record import NotSoError
from dispenser.rules.words.phrases import vocabulary_of
from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table.errors import TableRefusal, TooLateError
from dispenser.table.match import Match
from dispenser.table.people import Who
from dispenser.table.table import ANY_TIME, Table

_SAID_BY_ALL: Final = frozenset({Deed.ANSWER, Deed.PENALISE, Deed.RELOAD, Deed.TURN})
"""Deeds that anybody at the table may report ..."""
_OF_REAL_CARDS: Final = frozenset({Deed.HAND_SIZE, Deed.HAND})  # ... and those that only hidden, real hands need
_CORRECTIONS: Final = (Deed.HAND, Deed.HAND_SIZE, Deed.TURN)
"""Deeds that correct the engine's state of a round."""
_UNKNOWN: Final = Text("That is not possible in this game.")
_NO_SUCH_SEAT: Final = Text("There is no such seat.")


def current(table: Table) -> Match:
    if table.match is None:
        raise TableRefusal(Text("No match is under way. The host starts one."), "no_match")
    return table.match


def _check_fresh(table: Table, who: Who, changed_at: int | None = None) -> None:
    """:raises TooLateError: the command was meant for an older state of the game."""
    if who.at is not None and who.at < (table.changed_at if changed_at is None else changed_at):
        raise TooLateError


def _check_corrects(table: Table, who: Who) -> None:
    """:raises TableRefusal: only the host may correct here, or the sender has no seat."""
    if table.host_only:
        table.people.check_host(who)
    table.people.check_seated(who)


def players(table: Table, tracking_mode: e.TrackingMode) -> list[int]:
    """Return the persons of the next round in order of play; bots only play with cards on the phones."""
    people = table.people
    return [each for each in people.order if tracking_mode is e.TrackingMode.CARDS or not people.persons[each].bot]


def _check_hands(table: Table, order: Sequence[int], tracking_mode: e.TrackingMode) -> None:
    """:raises TableRefusal: with cards on the phones, a person has no phone to see them on."""
    if tracking_mode is not e.TrackingMode.CARDS:
        return
    without = [table.people.name(each) for each in order if not table.people.can_hold_cards(each)]
    if without:
        text = Text(
            "{names} has no phone to hold cards on. Play with real cards, or take that seat on a phone.",
            plural="{names} have no phone to hold cards on. Play with real cards, or take their seats on phones.",
        )
        raise TableRefusal(text.filled(number=len(without), names=listed(without)), "no_phone")


def _trial(begun: e.MatchBegun) -> Match:
    return Match(begun, b"\0" * 32)


def _fitting(begun: e.MatchBegun) -> e.MatchBegun:
    """Return the match with options for this number of players, such as a second pack, unless they were chosen."""
    try:
        _trial(begun)
    except OptionError as error:
        if error.remedy is None or error.remedy[0] in begun.options:
            raise
        begun = replace(begun, options=begun.options | dict([error.remedy]))
        _trial(begun)
    return begun


def start(table: Table, command: c.Start, who: Who) -> list[e.Event]:
    table.people.check_host(who)
    if command.game not in GAMES:
        raise TableRefusal(Text("There is no such game."), "unknown_game")
    if table.playing or table.asked:
        raise TableRefusal(Text("A round is under way. End the match first."), "round_under_way")
    order = players(table, command.tracking_mode)
    _check_hands(table, order, command.tracking_mode)
    begun = e.MatchBegun(
        game=command.game,
        options=dict(command.options),
        order=order,
        tracking_mode=command.tracking_mode,
        scores=[0] * len(order),
        deals=command.deals and command.tracking_mode is not e.TrackingMode.CARDS,
        commitment=table.next_commitment(),
    )
    try:
        begun = _fitting(begun)
    except OptionError as error:
        raise TableRefusal(error.text, "bad_options") from error
    return [*ended(table), begun, _deal(_trial(begun))]


def end(table: Table, _: c.EndMatch, who: Who) -> list[e.Event]:
    table.people.check_host(who)
    current(table)
    return ended(table)


def ended(table: Table) -> list[e.Event]:
    """Return the event that ends the current match and reveals its seeds; nothing without a match."""
    return [e.MatchEnded(seeds=[seed.hex() for seed in table.seeds])] if table.match else []


def next_round(table: Table, _: c.Deal, who: Who) -> list[e.Event]:
    """Deal the next round; if people or the tracking mode have changed, the match continues as a new ``MatchBegun``."""
    table.people.check_seated(who)
    _check_fresh(table, who)
    match = current(table)
    if match.over:
        raise TableRefusal(Text("The match is over. The host starts another."), "match_over")
    if match.in_round or match.counting or match.dealing:
        text = Text("The {round} is not over yet.").filled(round=vocabulary_of(match.game).round)
        raise TableRefusal(text, "round_under_way")
    tracking_mode = table.next_tracking_mode or match.tracking_mode
    order = players(table, tracking_mode)
    _check_hands(table, order, tracking_mode)
    if order == list(match.order) and tracking_mode is match.tracking_mode:
        return [_deal(match)]
    try:
        anew = _fitting(_goes_on(table, match, tracking_mode, order))
        return [anew, _deal(_trial(anew))]
    except RulesError as error:  # the options do not fit so many people, or too few are still in
        raise TableRefusal(error.text, "wrong_number") from error


def _goes_on(table: Table, match: Match, tracking_mode: e.TrackingMode, order: Sequence[int]) -> e.MatchBegun:
    """Return the event that continues a match with other people or in another tracking mode."""
    begun = match.begun
    seats = GAMES[begun.game].book.seats
    if len(order) not in seats:
        text = Text("This game is for {least} to {most} players, and {number} are here.")
        raise TableRefusal(text.filled(least=seats[0], most=seats[-1], number=len(order)), "wrong_number")
    scores = dict(zip(match.order, match.scores, strict=True))
    return e.MatchBegun(
        game=begun.game,
        options=begun.options,
        order=list(order),
        tracking_mode=tracking_mode,
        scores=[scores.get(person, 0) for person in order],
        gone=[order.index(match.order[seat]) for seat in match.out if match.order[seat] in order],
        dealer=_dealer(match, order),
        deals=begun.deals and tracking_mode is not e.TrackingMode.CARDS,
        commitment=table.next_commitment(),
        anew=False,
    )


def _dealer(match: Match, order: Sequence[int]) -> int | None:
    """Return the seat that deals among the new people: the due dealer, or the next one who is still there."""
    dealer = match.dealer
    if dealer is None:
        return None
    after = [*match.order[dealer:], *match.order[:dealer]]
    return next((order.index(person) for person in after if person in order), None)


def _deal(match: Match) -> e.Event:
    """Return the event that begins a round: dealt by the launcher, by hand (counter), or by the engine."""
    if match.begun.deals:
        gone = match.game.state.gone
        return e.RoundOpened(deals=[seat for seat in range(match.game.seats) if seat not in gone])
    return e.RoundOpened() if match.counter_mode else e.Acted(action=match.notes.write(match.next_deal))


def choose_tracking_mode(table: Table, command: c.ChangeTrackingMode, who: Who) -> e.Event:
    """Choose a tracking mode from the next round on: within a round nobody could verify the hands."""
    table.people.check_host(who)
    if command.tracking_mode is (table.next_tracking_mode or current(table).tracking_mode):
        raise TableRefusal(Text("You are playing that way already."), "same_tracking_mode")
    return e.TrackingModeChosen(tracking_mode=command.tracking_mode)


def act(table: Table, command: c.Act, who: Who) -> e.Event:
    """Perform an action of the game for a seat that the sender may act for."""
    if command.action and command.action[0] in _CORRECTIONS:
        _check_corrects(table, who)
    table.people.check_seated(who)
    match = current(table)
    if match.counter_mode:
        raise TableRefusal(Text("In this mode, tap only what makes someone draw."), "counter")
    action = _understood(match, command.action)
    if action.deed is Deed.PLAY:
        _check_plays(table, match, action, who)
    else:
        _check_allowed(match, action)
    if action.deed is not Deed.PLAY or action.value.act not in ANY_TIME:
        _check_fresh(table, who)
    return e.Acted(action=match.notes.write(action))


def _understood(match: Match, written: list[Any]) -> Action:
    """Parse an action; refuse it unless it reads the same after it was written to the journal."""
    try:
        action = match.action(written)
        kept = match.action(match.notes.write(action))
    except (NotSoError, IndexError) as error:
        raise TableRefusal(_UNKNOWN, "unknown_action") from error
    if type(kept.value) is not type(action.value):
        raise TableRefusal(_UNKNOWN, "unknown_action")
    return action


def may_play(table: Table, match: Match, seat: int, by: int | None, present: Container[int]) -> bool:
    """Decide whether ``by`` may play for a seat. With cards on the phones: whoever may see the hand, or a bot
    (``None``) for a person who has left.
    """
    people, person = table.people, match.order[seat]
    if match.tracking_mode is e.TrackingMode.CARDS:
        return people.may_see_hand(by, person) or (by is None and people.persons[person].left)
    return people.may_act_for(by, person, present)


def _check_plays(table: Table, match: Match, action: Action, who: Who) -> None:
    seat = action.seat
    if seat is None or not 0 <= seat < len(match.order):
        raise TableRefusal(_NO_SUCH_SEAT, "unknown_seat")
    if not may_play(table, match, seat, who.person, who.present):
        name = table.people.name(match.order[seat])
        raise TableRefusal(Text("{name} plays on their own phone.").filled(name=name), "not_your_seat")
    if action.value.act is Act.DRAW and match.counts_presses:
        raise TableRefusal(Text("Just press the launcher’s button."), "press_instead")


def _check_allowed(match: Match, action: Action) -> None:
    """:raises TableRefusal: people may not report that in this game."""
    question, hidden = match.game.question, match.game.state.hidden
    if action.deed is Deed.ANSWER and question is not None and action.seat != question.seat:
        raise TooLateError  # the answer is to another question
    known = action.deed is Deed.TURN and not hidden
    if known or (action.deed not in _SAID_BY_ALL and not (hidden and action.deed in _OF_REAL_CARDS)):
        raise TableRefusal(Text("A phone cannot enter that."), "unknown_action")


def charge(table: Table, command: c.ChargeSeat, who: Who) -> e.Event:
    """Counter: charge a seat with presses or cards."""
    table.people.check_seated(who)
    match = current(table)
    if not (match.counter_mode and match.in_round):
        raise TableRefusal(Text("That is only possible during a round, in the mode “Count only”."), "not_counter")
    _check_fresh(table, who, table.charged_at)
    if command.charge >= len(match.ledger.charges) or command.seat >= len(match.order):
        raise TableRefusal(Text("There is no such seat or charge."), "unknown_charge")
    charge = match.ledger.charges[command.charge]
    number = charge.number or command.number
    if not number:
        raise TableRefusal(Text("Say how many."), "number_needed")
    if number > charge.most:
        text = Text("{charge}: {most} at most, not {number}. Say again how many.")
        raise TableRefusal(text.filled(charge=charge.name, most=charge.most, number=number), "too_many")
    return e.Charged(seat=command.seat, charge=command.charge, number=number)


def forgive(table: Table, command: c.Forgive, who: Who) -> e.Event:
    """Counter: cancel a debt."""
    _check_corrects(table, who)
    match = current(table)
    _check_fresh(table, who)
    if all(debt.number != command.debt for debt in match.ledger.debts):
        raise TableRefusal(Text("That is paid already."), "too_late")
    return e.Forgiven(debt=command.debt)


def count_round(table: Table, command: c.Out, who: Who) -> e.Event:
    if table.match is not None and table.match.tracking_mode is e.TrackingMode.CARDS:
        table.people.check_host(who)  # with cards on the phones the engine counts; only the host may end a round early
    table.people.check_seated(who)
    _check_fresh(table, who)
    match = current(table)
    if not (match.in_round or match.counting) or match.dealing or table.asked or table.pushes:
        text = Text("No {round} is under way that could end.").filled(round=vocabulary_of(match.game).round)
        raise TableRefusal(text, "no_round")
    if match.due:
        raise TableRefusal(Text("First pay what is owed."), "pay_first")
    return e.Acted(action=match.notes.write(Action(Deed.COUNT_ROUND, command.seat, tuple(command.points))))


def set_card(table: Table, command: c.SetCard, who: Who) -> e.Event:
    """Correct a laid card: only with real cards, where only people see the hands."""
    _check_corrects(table, who)
    _check_fresh(table, who)
    match = current(table)
    log = match.game.log
    if not match.game.state.hidden or command.place >= len(log) or not laid_at(match, command.place):
        raise TableRefusal(Text("That card cannot be corrected."), "no_such_card")
    action = _understood(match, command.action)
    if action.deed is not Deed.PLAY or action.seat != log[command.place].seat or action.value.act not in LAYING:
        raise TableRefusal(_UNKNOWN, "unknown_action")
    return e.CardSet(place=command.place, action=match.notes.write(action))


def laid_at(match: Match, place: int) -> bool:
    deed, _, value = match.game.log[place]
    return place >= match.round_begins and deed is Deed.PLAY and value.act in LAYING


def set_score(table: Table, command: c.SetScore, who: Who) -> list[e.Event]:
    _check_corrects(table, who)
    match = current(table)
    if not match.between:
        raise TableRefusal(Text("Scores can be corrected between two rounds."), "round_under_way")
    if command.seat >= len(match.order):
        raise TableRefusal(_NO_SUCH_SEAT, "unknown_seat")
    scores = [*match.scores]
    scores[command.seat] = command.score
    begun = _goes_on(table, match, match.tracking_mode, match.order)
    begun = replace(begun, scores=scores, gone=list(match.game.state.out_at(scores)))
    try:
        _trial(begun)
    except RulesError as error:  # no player would be left
        raise TableRefusal(error.text, "no_such_score") from error
    return [e.Scored(seat=command.seat, score=command.score), begun]


def undo(table: Table, _: c.Undo, who: Who) -> e.Event:
    _check_corrects(table, who)
    _check_fresh(table, who)
    return e.Undone(steps=steps_back(table))


def redo(table: Table, _: c.Redo, who: Who) -> e.Event:
    _check_corrects(table, who)
    _check_fresh(table, who)
    return e.Redone(steps=steps_forward(table))


def steps_back(table: Table) -> int:
    """Return how many game actions an undo takes back; 0 for an entry of the ledger."""
    match = current(table)
    if match.dealing:  # while the launcher deals, only ending the match goes back
        pass
    elif match.counter_mode and match.open_round:
        if match.ledger.deeds:
            return 0
    elif match.marks:
        first = match.game.log[0]
        steps = match.steps_back()
        if any(mark.shown for mark in match.marks[-steps:]):
            raise TableRefusal(Text("The cards have been seen: that cannot be undone."), "cards_seen")
        if steps < len(match.marks) or not (first.deed is Deed.BEGIN and "turn" in first.value):
            return steps
    raise TableRefusal(Text("There is nothing to undo."), "nothing_to_undo")


def steps_forward(table: Table) -> int:
    """Return how many game actions a redo repeats; 0 for an entry of the ledger."""
    match = current(table)
    if match.counter_mode and match.open_round and match.ledger.undone:
        return 0
    if match.undone_marks and not match.dealing:
        return match.steps_forward()
    raise TableRefusal(Text("There is nothing to redo."), "nothing_to_redo")
