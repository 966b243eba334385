"""The one sentence at the top of a phone or the shared screen, and the sentence that is spoken."""

from __future__ import annotations

from typing import Final, NamedTuple

from dispenser.i18n import Text, listed
from dispenser.rules.engine.demands import TURN_UP, Owed, Question
from dispenser.rules.engine.phases import AGAIN, ANSWERING, CARRYING_OUT, CHOOSING_DIRECTION, DREW, NAMING
from dispenser.rules.words.narrator import Narrator
from dispenser.rules.words.phrases import vocabulary_of
from dispenser.table.card_picker import capital
from dispenser.table.match import Due, Match
from dispenser.table.table import Table

_LOBBY: Final = Text("What’s your name?")
_START: Final = Text("Everybody here? Then choose a game.")
_WHY_ASKED: Final = {
    "lid": Text("The lid was lifted. How many cards came?"),
    "double": Text("Two may have come at once. How many cards came?"),
    "lost": Text("The power went out. How many cards came?"),
    "timed": Text("I cannot see them. How many cards came?"),
}
_DEAL: Final = Text("{name}: press once for {number} cards.")
_YOU_WON_ROUND: Final = Text("You win the {round}!")
_LOST: Final = Text("The match is over. {names} lost.")
_BY_ITSELF: Final = Text("Play on! Tap only what makes someone draw.")
_BEGINS_BY_PHONE: Final = Text("Deal {number} cards each, then play. Tap only what makes someone draw.")
_BEGINS: Final = Text("Deal {number} cards each, load the rest. Tap only what makes someone draw.")
_BEGINS_DEALT: Final = Text("Lift the lid for the first card. Then tap only what makes someone draw.")
_FROM_LAUNCHER: Final = Text("Lift the lid and turn up the top card. Which one is it?")
_BY_ITSELF_LAUNCHER: Final = Text("Can’t play? Press the launcher’s button.")
_TURN: Final = Text("{name}’s turn")
_PLAY_TAP_AGAIN: Final = Text("Your turn again: play a card, then tap it here!")
_PLAY_TAP_OR_PRESS: Final = Text("Your turn: play a card and tap it, or press!")
_ANSWERS: Final = Text("{name}: {answer}")
_NAMES: Final = Text("{name} names a {colour}")
_CARRIES_OUT: Final = Text("{name} does what the card says")
_YOU_CARRY_OUT: Final = Text("Do what the card says, then tap “Done”!")
_DIRECTS: Final = Text("{name} chooses which way play goes")
_OTHERS: Final = {
    NAMING: _NAMES,
    CHOOSING_DIRECTION: _DIRECTS,
    ANSWERING: _ANSWERS,
    CARRYING_OUT: _CARRIES_OUT,
    AGAIN: Text("{name}’s turn again"),
}
_YOU_DREW: Final = Text("Play the card you drew, or pass?")
_PUSH_FOR: Final = Text("{name}: press for one card", plural="{name}: press for {number} cards")
_YOU_PUSH_FOR: Final = Text("Press for one card!", plural="Press for {number} cards!")
_STILL_DUE: Final = Text("{name}: {number} still due, press again")
_YOU_STILL_DUE: Final = Text("{number} still due: press again!")
_ALOUD_PUSH: Final = Text("{name}, press for one card.", plural="{name}, press for {number} cards.")


class Headline(NamedTuple):
    """Headline of a view.

    :ivar tone: ``you`` must act, ``wait``, ``ask``, ``good``, ``calm``.
    :ivar aloud: sentence to speak to the person who must act; empty if nobody must.
    """

    text: str
    tone: str
    aloud: str = ""


def headline(
    table: Table, person: int | None, language: str, *, host: int | None, can_join: bool = True, by_phone: bool = False
) -> Headline:
    """Return the headline for one person."""
    match = table.match
    if not table.is_open:
        return Headline(Text("Nobody is playing yet.")[language], "calm")
    if table.asked:
        return Headline(count_question(table, language), "ask")
    if match is None:
        return Headline(_gathering(table, person, host, can_join=can_join)[language], "calm")
    if match.open_round and not match.dealing and not match.ledger.debts:
        return Headline(_counted(table, match, by_phone=by_phone)[language], "calm")
    return _of_match(table, match, person, language)


def _counted(table: Table, match: Match, *, by_phone: bool) -> Text:
    """Return what a counted match says while nobody owes anything."""
    here = table.stand_in is None
    if not match.ledger.deeds and (here or not match.begun.deals):
        begins = _BEGINS if here else _BEGINS_BY_PHONE
        return _BEGINS_DEALT if match.begun.deals else begins.filled(number=match.game.state.hand_size)
    return _BY_ITSELF_LAUNCHER if here and not by_phone else _BY_ITSELF


def count_question(table: Table, language: str) -> str:
    """Return the question how many cards came, with whose press it was and why it is asked."""
    asked = next(iter(table.asked.values()))
    question = _WHY_ASKED.get(asked.why, Text("I could not count. How many cards came?"))
    seat = table.pushes.get(asked.press)
    if seat is None or table.match is None:
        return question[language]
    name = table.people.name(table.match.order[seat])
    return Text("{name}’s press. {question}").filled(name=name, question=question)[language]


def rules_question(table: Table, match: Match, asked: Question, me: int | None, language: str) -> str:
    """Return the question that the rules ask; a card to turn up is in the launcher if it has dealt."""
    if asked.kind == TURN_UP and match.begun.deals and table.stand_in is None:
        return _FROM_LAUNCHER[language]
    names = [table.people.name(person) for person in match.order]
    return Narrator(match.game, language, names, me).question(asked)


def _gathering(table: Table, person: int | None, host: int | None, *, can_join: bool) -> Text:
    people = table.people
    if len(people.order) < 2:
        if not can_join:
            return Text("Add bots, or people without a phone.")
        return Text("Let others scan the code, or add bots.") if people.is_here(person) else _LOBBY
    if person is None:
        return _LOBBY
    return _START if host in (person, None) else Text("{name} chooses the game.").filled(name=people.name(host))


def _of_match(table: Table, match: Match, person: int | None, language: str) -> Headline:
    me = match.seat_of(person)
    if match.over:
        return _ended(table, match, me, language)
    due = match.due
    if match.dealing and due:
        return _dealing(table, match, due, me, language)
    if match.in_round:
        return _owing(table, match, due, me, language) if due else _turn(table, match, me, language)
    if (asked := match.game.question) is not None:  # the hands are counted
        return Headline(rules_question(table, match, asked, me, language), "ask")
    return _between(table, match, person, language)


def _between(table: Table, match: Match, person: int | None, language: str) -> Headline:
    if match.game.question is not None:  # the winner is in the news
        return _question(table, match, match.game.question, match.seat_of(person), language)
    round_name = vocabulary_of(match.game).round
    if match.rounds and (winner := match.rounds[-1].winner) is not None:
        mine = winner == person
        text = _YOU_WON_ROUND if mine else Text("{name} wins the {round}!").filled(name=table.people.name(winner))
        return Headline(text.filled(round=round_name)[language], "good")
    return Headline(capital(Text("{round} over.").filled(round=round_name)[language]), "calm")


def _ended(table: Table, match: Match, me: int | None, language: str) -> Headline:
    outcome = match.game.outcome
    winners = outcome.winners if outcome else ()
    losers = outcome.losers if outcome else ()
    if winners == (me,):
        return Headline(Text("You win!")[language], "good")
    names = listed(table.people.name(match.order[seat]) for seat in winners or losers)
    return Headline((Text("{names} wins!") if winners else _LOST).filled(names=names)[language], "good")


def _dealing(table: Table, match: Match, due: Due, me: int | None, language: str) -> Headline:
    name = table.people.name(match.order[due.payer])
    text = Text("Your cards: press once!") if due.payer == me else _DEAL.filled(name=name, number=due.left)
    if table.people.persons[match.order[due.payer]].phoneless:  # said to whoever taps for them
        text = Text("Press once for {name}’s cards!").filled(name=name)
    aloud = _ALOUD_PUSH.filled(name=name, number=due.left)[language]
    return Headline(text[language], "you" if due.payer == me else "wait", aloud)


def _owing(table: Table, match: Match, due: Due, me: int | None, language: str) -> Headline:
    mine, left = due.payer == me, due.left
    if due.kind is Owed.PRESSES:
        if due.total == 1:
            text = Text("Press!") if mine else Text("{name}: press!")
        elif left == 1:
            text = Text("Press once more!") if mine else Text("{name}: press once more!")
        else:
            text = Text("Press {done} of {total}!") if mine else Text("{name}: press {done} of {total}")
        aloud = Text("{name}, press once.", plural="{name}, press {number} times.")
    else:
        cut = left < due.total
        text = (_YOU_STILL_DUE if mine else _STILL_DUE) if cut else (_YOU_PUSH_FOR if mine else _PUSH_FOR)
        aloud = _ALOUD_PUSH
    name, receiver = table.people.name(match.order[due.payer]), table.people.name(match.order[due.receiver])
    text = text.filled(name=name, number=left, done=due.total - left + 1, total=due.total)
    if due.receiver != due.payer:
        whose = Text("{sentence} (you get the cards!)") if due.receiver == me else Text("{sentence} (cards for {name})")
        text = whose.filled(sentence=text, name=receiver)
    return Headline(text[language], "you" if mine else "wait", aloud.filled(name=name, number=left)[language])


def _question(table: Table, match: Match, question: Question, me: int | None, language: str) -> Headline:
    names = [table.people.name(person) for person in match.order]
    return Headline(Narrator(match.game, language, names, me).question(question), "ask")


def _turn(table: Table, match: Match, me: int | None, language: str) -> Headline:
    game = match.game
    if game.question is not None:
        return Headline(rules_question(table, match, game.question, me, language), "ask")
    name = table.people.name(match.order[game.turn])
    aloud = Text("{name}, your turn.").filled(name=name)[language]
    colour = vocabulary_of(game).cards.colour
    answer = vocabulary_of(game).answer(game.observe(game.turn)).filled(number=game.state.to_take())
    if game.turn != me:
        return Headline(
            _OTHERS.get(game.phase, _TURN).filled(name=name, colour=colour, answer=answer)[language], "wait", aloud
        )
    usual = Text("Your turn: play a card, then tap it here!") if game.state.hidden else Text("Your turn!")
    if game.phase is AGAIN:
        usual = _PLAY_TAP_AGAIN if game.state.hidden else Text("Your turn again!")
    if match.counts_presses and match.may_decline:
        usual = _PLAY_TAP_OR_PRESS if game.state.hidden else Text("Your turn: play a card, or press!")
    asked = {NAMING: Text("Your turn: name a {colour}!").filled(colour=colour), ANSWERING: answer, DREW: _YOU_DREW}
    asked[CARRYING_OUT] = _YOU_CARRY_OUT
    text = asked.get(game.phase, Text("Which way should play go?") if game.phase is CHOOSING_DIRECTION else usual)
    return Headline(capital(text[language]), "you", aloud)
