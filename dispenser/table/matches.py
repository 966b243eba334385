"""How matches begin, go on and end at the table; what may be done in one, and by whom."""

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
from dispenser.table import messages as m
from dispenser.table.errors import TableRefusal, TooLateError
from dispenser.table.match import Match
from dispenser.table.table import ANY_TIME, Table

_SAID_BY_ALL: Final = frozenset({Deed.ANSWER, Deed.PENALISE, Deed.RELOAD, Deed.TURN})
"""What anybody at the table may tell of it ..."""
_OF_REAL_CARDS: Final = frozenset({Deed.HAND_SIZE, Deed.HAND})
"""... and what only real cards in hands need."""
_NOT_OVER: Final = Text("The {round} is not over yet.")
_NO_ROUND: Final = Text("No {round} is under way that could end.")
_UNKNOWN: Final = Text("That is nothing that can be done in this game.")
_PAY_FIRST: Final = Text("First pay what is owed.")


def current(table: Table) -> Match:
    """The match under way.

    :raises TableRefusal: there is none.
    """
    if table.match is None:
        raise TableRefusal(Text("No match is under way. The host starts one."), "no_match")
    return table.match


def fresh(table: Table, at: int | None, changed_at: int | None = None) -> None:
    """Refuse what was meant for an older state of the game.

    :raises TooLateError: it was.
    """
    if at is not None and at < (table.changed_at if changed_at is None else changed_at):
        raise TooLateError


# --- beginning and ending ----------------------------------------------------------------------------------------


def players(table: Table, telling: m.Telling) -> list[int]:
    """The persons of the next round, in the order of play: bots have no hands for real cards."""
    people = table.people
    return [each for each in people.order if telling is m.Telling.CARDS or not people.persons[each].bot]


def check_hands(table: Table, order: Sequence[int], telling: m.Telling) -> None:
    """:raises TableRefusal: with the cards on the phones, somebody has no phone to see them on."""
    if telling is not m.Telling.CARDS:
        return
    without = [table.people.name(each) for each in order if not table.people.can_hold_cards(each)]
    if without:
        text = Text(
            "{names} has no phone to hold cards on. Play with real cards, or take that seat on a phone.",
            plural="{names} have no phone to hold cards on. Play with real cards, or take their seats on phones.",
        )
        raise TableRefusal(text.filled(number=len(without), names=listed(without)), "no_phone")


def trial(begun: m.MatchBegun) -> Match:
    """The match that would begin.

    :raises OptionError: its options or the number of players are not the game's.
    """
    return Match(begun, b"\0" * 32)


def fitting(begun: m.MatchBegun) -> m.MatchBegun:
    """The match with what so many players need, such as a second pack, where nobody has chosen otherwise.

    :raises OptionError: its options or the number of players are not the game's.
    """
    try:
        trial(begun)
    except OptionError as error:
        if error.remedy is None or error.remedy[0] in begun.options:
            raise
        begun = replace(begun, options=begun.options | dict([error.remedy]))
        trial(begun)
    return begun


def ended(table: Table, by: int | None) -> list[m.Entry]:
    """The end of the match under way, if there is one, with what its shuffles came from."""
    return [m.MatchEnded(seeds=[seed.hex() for seed in table.seeds], by=by)] if table.match else []


def next_round(table: Table, by: int | None) -> list[m.Entry]:
    """The next round: first with other people or in another telling, if anybody wished for that.

    :raises TableRefusal: not now.
    """
    match = current(table)
    if match.over:
        raise TableRefusal(Text("The match is over. The host starts another."), "match_over")
    if match.in_round or match.counting or match.dealing:
        raise TableRefusal(_NOT_OVER.filled(round=vocabulary_of(match.game).round), "round_under_way")
    telling = table.wished or match.telling
    order = players(table, telling)
    check_hands(table, order, telling)
    if order == list(match.order) and telling is match.telling:
        return deal(match, by)
    try:
        anew = fitting(_goes_on(table, match, telling, order, by))
        return [anew, *deal(trial(anew), by)]
    except RulesError as error:  # what was chosen does not do for so many people, or too few of them are still in
        raise TableRefusal(error.text, "wrong_number") from error


def _goes_on(table: Table, match: Match, telling: m.Telling, order: Sequence[int], by: int | None) -> m.MatchBegun:
    """The same match with other people, or in another telling."""
    scores = dict(zip(match.order, match.scores, strict=True))
    begun = match.begun
    goes_on = m.MatchBegun(
        game=begun.game,
        options=begun.options,
        order=list(order),
        telling=telling,
        scores=[scores.get(person, 0) for person in order],
        gone=[order.index(match.order[seat]) for seat in match.out if match.order[seat] in order],
        rounds=len(match.rounds_played),
        dealer=_dealer(match, order),
        deals=begun.deals and telling is not m.Telling.CARDS,
        commitment=table.next_commitment(),
        anew=False,
        by=by,
    )
    seats = GAMES[begun.game].book.seats
    if len(order) not in seats:
        text = Text("This game is for {least} to {most} players, and {number} are here.")
        raise TableRefusal(text.filled(least=seats[0], most=seats[-1], number=len(order)), "wrong_number")
    return goes_on


def _dealer(match: Match, order: Sequence[int]) -> int | None:
    """Who deals among other people: the one whose turn to deal it is, or the next one who is still there."""
    dealer = match.dealer
    if dealer is None:
        return None
    after = [*match.order[dealer:], *match.order[:dealer]]
    return next((order.index(person) for person in after if person in order), None)


def deal(match: Match, by: int | None) -> list[m.Entry]:
    """The cards of a round: from the launcher, by hand (counter), or on the phones and in the engine's books."""
    seats = [seat for seat in range(match.game.seats) if seat not in match.game.state.gone]
    if match.begun.deals:
        return [m.RoundOpened(deals=seats, by=by)]
    if match.by_itself:
        return [m.RoundOpened(by=by)]
    return [m.Acted(action=match.notes.write(match.next_deal), by=by)]


# --- how much is told --------------------------------------------------------------------------------------------


def change_telling(table: Table, tell: m.ChangeTelling, by: int | None) -> m.TellingWished:
    """From the next round on: in the middle of one nobody could check what is told of hands."""
    match = current(table)
    if tell.telling is (table.wished or match.telling):
        raise TableRefusal(Text("You are playing that way already."), "same_telling")
    return m.TellingWished(telling=tell.telling, by=by)


# --- in a round --------------------------------------------------------------------------------------------------


def acted(
    table: Table, written: list[Any], by: int | None, *, at: int | None, request: str | None, present: Container[int]
) -> m.Acted:
    """Something that somebody does in the game, for a seat that they may act for."""
    match = current(table)
    if match.by_itself:
        raise TableRefusal(Text("In this mode, tap only what makes someone draw."), "counter")
    action = _understood(match, written)
    if action.deed is Deed.PLAY:
        _may_play(table, match, action, by, present)
        any_time = action.value.act in ANY_TIME
    else:
        question = match.game.question
        if action.deed is Deed.ANSWER and question is not None and action.seat != question.seat:
            raise TooLateError  # that was another question
        real = match.game.state.hidden and action.deed in _OF_REAL_CARDS
        known = action.deed is Deed.TURN and not match.game.state.hidden
        if (action.deed not in _SAID_BY_ALL and not real) or known:
            raise TableRefusal(Text("That is nothing that a phone may tell."), "unknown_action")
        any_time = False
    if not any_time:
        fresh(table, at)
    return m.Acted(action=match.notes.write(action), by=by, request=request)


def _understood(match: Match, written: list[Any]) -> Action:
    """What somebody wrote, if it is something, and the same once the journal has it.

    :raises TableRefusal: it is not.
    """
    nothing = TableRefusal(Text("That is nothing that can be done in this game."), "unknown_action")
    try:
        action = match.action(written)
        kept = match.action(match.notes.write(action))
    except (NotSoError, IndexError) as error:
        raise nothing from error
    if type(kept.value) is not type(action.value):
        raise nothing
    return action


def may_play(table: Table, match: Match, seat: int, by: int | None, present: Container[int]) -> bool:
    """Whether ``by`` may play for a seat: with cards on the phones only who may see its hand, or a bot (``None``) for
    somebody who has left.
    """
    people, person = table.people, match.order[seat]
    if match.telling is m.Telling.CARDS:
        return people.may_see_hand(by, person) or (by is None and people.persons[person].left)
    return people.may_act_for(by, person, present)


def _may_play(table: Table, match: Match, action: Action, by: int | None, present: Container[int]) -> None:
    seat = action.seat
    if seat is None or not 0 <= seat < len(match.order):
        raise TableRefusal(Text("There is no such seat."), "unknown_seat")
    if not may_play(table, match, seat, by, present):
        name = table.people.name(match.order[seat])
        raise TableRefusal(Text("{name} plays with an own phone.").filled(name=name), "not_your_seat")
    if action.value.act is Act.DRAW and match.counts_presses:
        raise TableRefusal(Text("Press the launcher: that says it."), "press_instead")


def charged(table: Table, tell: m.ChargeSeat, by: int | None, at: int | None, request: str | None) -> m.Charged:
    """Counter: a seat owes what a card or a fault brings."""
    match = current(table)
    if not (match.by_itself and match.in_round):
        raise TableRefusal(Text("That is tapped during a round, in the mode “Count only”."), "not_counter")
    fresh(table, at, table.charged_at)
    if tell.charge >= len(match.ledger.charges) or tell.seat >= len(match.order):
        raise TableRefusal(Text("There is no such seat or charge."), "unknown_charge")
    charge = match.ledger.charges[tell.charge]
    number = charge.number or tell.number
    if not number:
        raise TableRefusal(Text("Say how many."), "number_needed")
    if number > charge.most:
        text = Text("{charge}: {most} at most, not {number}. Say again how many.")
        raise TableRefusal(text.filled(charge=charge.name, most=charge.most, number=number), "too_many")
    return m.Charged(seat=tell.seat, charge=tell.charge, number=number, by=by, request=request)


def round_out(table: Table, tell: m.Out, by: int | None, request: str | None) -> m.Acted:
    """The round is over, as the table says."""
    match = current(table)
    if not (match.in_round or match.counting) or match.dealing or table.asked or table.pushes:
        raise TableRefusal(_NO_ROUND.filled(round=vocabulary_of(match.game).round), "no_round")
    if match.game.demand or match.ledger.debts:
        raise TableRefusal(_PAY_FIRST, "pay_first")
    action = Action(Deed.COUNT_ROUND, tell.seat, tuple(tell.points))
    return m.Acted(action=match.notes.write(action), by=by, request=request)


def recarded(table: Table, tell: m.SetCard, by: int | None, request: str | None) -> m.CardSet:
    """Another card was laid: in real hands nobody but the table knows."""
    match = current(table)
    log = match.game.log
    if not match.game.state.hidden or tell.place >= len(log) or not laid_at(match, tell.place):
        raise TableRefusal(Text("That is no card that can be set right."), "no_such_card")
    try:
        action = match.action(tell.action)
    except NotSoError as error:
        raise TableRefusal(_UNKNOWN, "unknown_action") from error
    if action.deed is not Deed.PLAY or action.seat != log[tell.place].seat or action.value.act not in LAYING:
        raise TableRefusal(_UNKNOWN, "unknown_action")
    return m.CardSet(place=tell.place, action=match.notes.write(action), by=by, request=request)


def laid_at(match: Match, place: int) -> bool:
    """Whether a card was laid there, in this round."""
    deed, _, value = match.game.log[place]
    return place >= match.round_begins and deed is Deed.PLAY and value.act in LAYING


def rescored(table: Table, tell: m.SetScore, by: int | None, request: str | None) -> list[m.Entry]:
    """A score is set right between two rounds."""
    match = current(table)
    if not match.between:
        raise TableRefusal(Text("Scores are set right between two rounds."), "round_under_way")
    if tell.seat >= len(match.order):
        raise TableRefusal(Text("There is no such seat."), "unknown_seat")
    scores = [*match.scores]
    scores[tell.seat] = tell.score
    begun = _goes_on(table, match, match.telling, match.order, by)
    begun = replace(begun, scores=scores, gone=list(match.game.state.out_at(scores)))
    try:
        trial(begun)
    except RulesError as error:  # nobody would be left to play
        raise TableRefusal(error.text, "no_such_score") from error
    return [m.Scored(seat=tell.seat, score=tell.score, by=by, request=request), begun]


# --- back and forth ----------------------------------------------------------------------------------------------


def steps_back(table: Table) -> int:
    """Actions of the game to take back; 0 for what stands in the ledger.

    :raises TableRefusal: there is nothing.
    """
    match = current(table)
    if match.dealing:  # with cards on their way to people there is no way back but to the end of the match
        pass
    elif match.by_itself and match.open_round:
        if match.ledger.deeds:
            return 0
    elif match.marks:
        first = match.game.log[0]
        steps = match.steps_back()
        if any(mark.shown for mark in match.marks[-steps:]):
            raise TableRefusal(Text("The cards have been seen: that cannot be taken back."), "cards_seen")
        if steps < len(match.marks) or not (first.deed is Deed.BEGIN and "turn" in first.value):
            return steps
    raise TableRefusal(Text("There is nothing to take back."), "nothing_to_undo")


def steps_forward(table: Table) -> int:
    """The same of what was taken back."""
    match = current(table)
    if match.by_itself and match.open_round and match.ledger.undone:
        return 0
    if match.undone_marks and not match.dealing:
        press = match.undone_marks[-1].press
        steps = 1
        while press is not None and steps < len(match.undone_marks) and match.undone_marks[-steps - 1].press == press:
            steps += 1
        return steps
    raise TableRefusal(Text("There is nothing to do again."), "nothing_to_redo")
