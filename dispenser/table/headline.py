"""The one sentence that says what goes on, to whoever reads it; and what is called across the table."""

from __future__ import annotations

from typing import Final, NamedTuple

from dispenser.i18n import Text, listed
from dispenser.rules.engine.demands import Demand, Owed
from dispenser.rules.engine.phases import ANSWERING, CHOOSING_DIRECTION, DREW, NAMING
from dispenser.rules.words.phrases import vocabulary_of
from dispenser.rules.words.telling import Telling
from dispenser.table.counter import Debt
from dispenser.table.faces import capital
from dispenser.table.match import Match
from dispenser.table.table import Table

_CLOSED: Final = Text("Nobody is playing yet.")
_LOBBY: Final = Text("What’s your name?")
_ALONE: Final = Text("Let others scan the code, or add bots.")
_ALONE_HERE: Final = Text("Add bots, or people without a phone.")
_START: Final = Text("Everybody here? Then choose a game.")
_HOST_STARTS: Final = Text("{name} chooses the game.")
_WHY_ASKED: Final = {
    "lid": Text("The lid was lifted. How many cards came?"),
    "double": Text("Two may have come at once. How many cards came?"),
    "lost": Text("The power went out. How many cards came?"),
    "timed": Text("I cannot see them. How many cards came?"),
}
_HOW_MANY: Final = Text("How many cards came?")
_PRESS_BY: Final = Text("{name}’s press. {question}")
_DEAL_ME: Final = Text("Your cards: press once!")
_DEAL: Final = Text("{name}: press once for {number} cards.")
_DEAL_FOR: Final = Text("Press once for {name}’s cards!")
_OVER: Final = Text("{round} over.")
_WON_ROUND: Final = Text("{name} wins the {round}!")
_YOU_WON_ROUND: Final = Text("You win the {round}!")
_WON: Final = Text("{names} wins!")
_LOST: Final = Text("The match is over. {names} lost.")
_BY_ITSELF: Final = Text("Play on! Tap only what makes someone draw.")
_BY_ITSELF_LAUNCHER: Final = Text("Can’t play? Press the launcher’s button.")
_YOUR_TURN: Final = Text("Your turn!")
_YOUR_TURN_PRESS: Final = Text("Your turn: lay a card, or press!")
_YOUR_TURN_TELL: Final = Text("Your turn: lay a card and tap which one!")
_TURN: Final = Text("{name}’s turn")
_ANSWERS: Final = Text("{name}: {answer}")
_NAMES: Final = Text("{name} names a {colour}")
_DIRECTS: Final = Text("{name} chooses which way round")
_YOU_NAME: Final = Text("Your turn: name a {colour}!")
_YOU_DREW: Final = Text("Play the card you drew, or pass?")
_YOU_DIRECT: Final = Text("Which way round?")
_PRESS_OF: Final = Text("{name}: press {done} of {total}")
_PRESS_ONCE: Final = Text("{name}: press!")
_ONE_MORE: Final = Text("{name}: one more!")
_YOU_PRESS_OF: Final = Text("Press {done} of {total}!")
_YOU_PRESS_ONCE: Final = Text("Press!")
_YOU_ONE_MORE: Final = Text("One more!")
_PUSH_FOR: Final = Text("{name}: press for one card", plural="{name}: press for {number} cards")
_YOU_PUSH_FOR: Final = Text("Press for one card!", plural="Press for {number} cards!")
_STILL_DUE: Final = Text("{name}: {number} still due, press again")
_YOU_STILL_DUE: Final = Text("{number} still due: press again!")
_FOR_OTHER: Final = Text("{sentence} (cards for {name})")
_FOR_YOU: Final = Text("{sentence} (you get the cards!)")
_ALOUD_TURN: Final = Text("{name}, your turn.")
_ALOUD_PRESS: Final = Text("{name}, press once.", plural="{name}, press {number} times.")
_ALOUD_PUSH: Final = Text("{name}, press for one card.", plural="{name}, press for {number} cards.")


class Headline(NamedTuple):
    """What goes on.

    :ivar tone: ``you`` must do something, ``wait``, ``ask``, ``good``, ``calm``.
    :ivar aloud: what is called to whom it concerns; empty when nobody.
    """

    text: str
    tone: str
    aloud: str = ""


def headline(
    table: Table, person: int | None, language: str, *, host: int | None, can_join: bool = True, by_phone: bool = False
) -> Headline:
    """What goes on, as that person reads it.

    :param can_join: phones reach the table.
    :param by_phone: the launcher has no button of its own.
    """
    match = table.match
    if not table.is_open:
        return Headline(_CLOSED[language], "calm")
    if table.asked:
        return Headline(count_question(table, language), "ask")
    if match is None:
        return Headline(_gathering(table, person, host, can_join=can_join)[language], "calm")
    if match.open_round and not match.dealing and not match.ledger.debts:
        text = _BY_ITSELF if by_phone or table.stand_in is not None else _BY_ITSELF_LAUNCHER
        return Headline(text[language], "calm")
    return _of_match(table, match, person, language)


def count_question(table: Table, language: str) -> str:
    """How many cards came, whose press it was, and why that is asked."""
    asked = next(iter(table.asked.values()))
    question = _WHY_ASKED.get(asked.why, _HOW_MANY)
    seat = table.pushes.get(asked.press)
    if seat is None or table.match is None:
        return question[language]
    name = table.people.name(table.match.order[seat])
    return _PRESS_BY.filled(name=name, question=question)[language]


def _gathering(table: Table, person: int | None, host: int | None, *, can_join: bool) -> Text:
    people = table.people
    if len(people.order) < 2:
        if not can_join:
            return _ALONE_HERE
        return _ALONE if people.is_here(person) else _LOBBY
    if person is None:
        return _LOBBY
    return _START if host in (person, None) else _HOST_STARTS.filled(name=people.name(host))


def _of_match(table: Table, match: Match, person: int | None, language: str) -> Headline:
    me = match.seat_of(person)
    if match.over:
        return _ended(table, match, language)
    if match.dealing:
        return _dealing(table, match, me, language)
    if match.in_round and match.by_itself:
        return _owing_counted(table, match, match.ledger.debts[0], me, language)
    if match.in_round:
        demand = match.game.demand
        return _owing(table, match, demand, me, language) if demand else _turn(table, match, me, language)
    return _between(table, match, person, language)


def _between(table: Table, match: Match, person: int | None, language: str) -> Headline:
    round_name = vocabulary_of(match.game).round
    if match.rounds and (winner := match.rounds[-1].winner) is not None:
        mine = winner == person
        text = _YOU_WON_ROUND if mine else _WON_ROUND.filled(name=table.people.name(winner))
        return Headline(text.filled(round=round_name)[language], "good")
    return Headline(capital(_OVER.filled(round=round_name)[language]), "calm")


def _ended(table: Table, match: Match, language: str) -> Headline:
    outcome = match.game.outcome
    winners = outcome.winners if outcome else ()
    losers = outcome.losers if outcome else ()
    names = listed(table.people.name(match.order[seat]) for seat in winners or losers)
    return Headline((_WON if winners else _LOST).filled(names=names)[language], "good")


def _dealing(table: Table, match: Match, me: int | None, language: str) -> Headline:
    seat, number = next(iter(match.dealing.items()))
    name = table.people.name(match.order[seat])
    text = _DEAL_ME if seat == me else _DEAL.filled(name=name, number=number)
    if table.people.persons[match.order[seat]].phoneless:  # whoever taps for them
        text = _DEAL_FOR.filled(name=name)
    aloud = _ALOUD_PUSH.filled(name=name, number=number)[language]
    return Headline(text[language], "you" if seat == me else "wait", aloud)


def _owing(table: Table, match: Match, demand: Demand, me: int | None, language: str) -> Headline:
    due = _due(
        table.people.name(match.order[demand.payer]), demand.kind, demand.number, match.total_due, language,
        mine=demand.payer == me,
    )  # fmt: skip
    if demand.receiver == demand.payer:
        return due
    whose = _FOR_YOU if demand.receiver == me else _FOR_OTHER
    name = table.people.name(match.order[demand.receiver])
    return due._replace(text=whose.filled(sentence=due.text, name=name)[language])


def _owing_counted(table: Table, match: Match, debt: Debt, me: int | None, language: str) -> Headline:
    name = table.people.name(match.order[debt.seat])
    return _due(name, debt.charge.kind, debt.left, debt.total, language, mine=debt.seat == me)


def _due(name: str, kind: Owed, left: int, total: int, language: str, *, mine: bool) -> Headline:
    if kind is Owed.PRESSES:
        if total == 1:
            text = _YOU_PRESS_ONCE if mine else _PRESS_ONCE
        elif left == 1:
            text = _YOU_ONE_MORE if mine else _ONE_MORE
        else:
            text = _YOU_PRESS_OF if mine else _PRESS_OF
        aloud = _ALOUD_PRESS
    else:
        cut = left < total
        text = (_YOU_STILL_DUE if mine else _STILL_DUE) if cut else (_YOU_PUSH_FOR if mine else _PUSH_FOR)
        aloud = _ALOUD_PUSH
    told = text.filled(name=name, number=left, done=total - left + 1, total=total)
    return Headline(told[language], "you" if mine else "wait", aloud.filled(name=name, number=left)[language])


def _turn(table: Table, match: Match, me: int | None, language: str) -> Headline:
    game = match.game
    if game.question is not None:
        names = [table.people.name(person) for person in match.order]
        return Headline(Telling(game, language, names).question(game.question), "ask")
    name = table.people.name(match.order[game.turn])
    aloud = _ALOUD_TURN.filled(name=name)[language]
    colour = vocabulary_of(game).cards.colour
    answer = vocabulary_of(game).answer(game.observe(game.turn)).filled(number=game.state.to_take())
    if game.turn != me:
        others = {NAMING: _NAMES, CHOOSING_DIRECTION: _DIRECTS, ANSWERING: _ANSWERS}.get(game.phase, _TURN)
        return Headline(others.filled(name=name, colour=colour, answer=answer)[language], "wait", aloud)
    usual = _YOUR_TURN_TELL if game.state.hidden else _YOUR_TURN
    if match.counts_presses and match.may_decline:
        usual = _YOUR_TURN_PRESS
    asked = {NAMING: _YOU_NAME.filled(colour=colour), ANSWERING: answer, DREW: _YOU_DREW}
    text = asked.get(game.phase, _YOU_DIRECT if game.phase is CHOOSING_DIRECTION else usual)
    return Headline(capital(text[language]), "you", aloud)
