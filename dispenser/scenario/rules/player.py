"""Plays a rule scenario and tells what is not as it should be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from dispenser.language import Text
from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.errors import IllegalMove, RulesError
from dispenser.rules.engine.game import Game
from dispenser.rules.record import from_json, to_json
from dispenser.rules.words.telling import Telling
from dispenser.scenario.rules.acts import Bench
from dispenser.scenario.rules.expectations import ILLEGAL, SOMETHING_CHANGED, View, refusal
from dispenser.scenario.rules.format import Scenario, Step
from dispenser.scenario.rules.reading import ScenarioError
from dispenser.scenario.rules.words import Words, as_debt
from dispenser.tables import WrongValueError, mistake

ALWAYS = "always"

_LEGAL = Text("a legal move")
_CONSERVED = Text("no card is lost and none appears")
_NOT_CONSERVED = Text("hands, pile and talon are not the deck")
_UNCHANGED = Text("a refused move changes nothing")
_SAME_AGAIN = Text("taken back to the start and done again, everything is the same")
_SAME_FROM_FILE = Text("written down and read back, everything is the same")
_UNPAID = Text("{debt}; write what comes out, such as launcher = {example}")
_UNANSWERED = Text("the answer of the table: {question} Write it: answer = …")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be.

    :ivar step: its number, 0 for the start.
    :ivar move: what happened in that step, as it stands in the file.
    :ivar key: what was expected there, such as ``turn``; ``always`` for what holds without being written.
    :ivar rules: IDs of the rules to read; empty when the scenario's own are meant.
    :ivar missing: what the file has perhaps forgotten to say in this step; empty when there is nothing.
    """

    step: int
    move: str
    key: str
    expected: str
    found: str
    rules: tuple[str, ...] = ()
    missing: str = ""


def play(scenario: Scenario, language: str = "en") -> list[Finding]:
    """Play it, as far as the first step where something is not as it should be; all that is wrong there.

    :returns: nothing when everything is as it should be.
    :raises ScenarioError: a move cannot be read, or the file forgot something.
    """
    game = scenario.new_game()
    bench = Bench(game, Words(game, scenario.names, language), list(scenario.presses))
    marks: dict[int, tuple[Any, ...]] = {}
    for step in scenario.steps:
        try:
            findings = list(_play_step(step, bench, marks))
        except ScenarioError as error:
            later = [each for other in scenario.steps[step.number + 1 :] for each in _unreadable(other, bench)]
            raise ScenarioError(*error.mistakes, *later) from error
        if findings:
            return _with_what_is_missing(findings, step, bench)
        marks[step.number] = game.state.save()
    return list(_play_again(scenario, bench))


def _play_step(step: Step, bench: Bench, marks: dict[int, tuple[Any, ...]]) -> Iterator[Finding]:
    game, language = bench.game, bench.words.language
    refused: IllegalMove | None = None
    may_be_refused = any(expectation.path == (ILLEGAL,) for expectation in step.expectations)
    bench.told.clear()
    for act in step.acts:
        before = game.state.save()
        try:
            bench.told += act.do(bench)
        except IllegalMove as error:
            refused = error
            if not may_be_refused:
                yield Finding(step.number, act.line, ILLEGAL, _LEGAL[language], refusal(error)[language], (error.rule,))
                return
            if game.state.save() != before:
                yield Finding(step.number, act.line, ALWAYS, _UNCHANGED[language], SOMETHING_CHANGED[language])
                return
        except (RulesError, WrongValueError) as error:
            place = (*step.path, act.key) if step.number else ()
            raise ScenarioError(mistake(place, error.text, act.value) if place else error.text) from error
        if not game.state.conserved():
            yield Finding(step.number, act.line, ALWAYS, _CONSERVED[language], _NOT_CONSERVED[language])
            return
    view = View(bench, refused, marks)
    for expectation in step.expectations:
        try:
            answer = expectation.judge(view)
        except (RulesError, WrongValueError) as error:
            raise ScenarioError(mistake((*step.path, *expectation.path), error.text)) from error
        if answer is not None:
            rules = expectation.wanted if expectation.path == (ILLEGAL,) else ()
            text = " + ".join(act.line for act in step.acts)
            yield Finding(step.number, text, ".".join(expectation.path), *answer, rules)


def _unreadable(step: Step, bench: Bench) -> Iterator[Text]:
    """The moves of a step that are none, as far as one can see that without being there."""
    moves: list[tuple[tuple[str, ...], tuple[int, str]]] = [((act.key,), act.move) for act in step.acts if act.move]
    moves += [(each.path, (each.seat, said)) for each in step.expectations if each.kind.moves for said in each.wanted]
    for key, (seat, said) in moves:
        text = bench.why_no_move(seat, said)
        if text:
            yield mistake((*step.path, *key), text, said)


def _with_what_is_missing(findings: list[Finding], step: Step, bench: Bench) -> list[Finding]:
    """The game waits for the launcher or for the table, and the file does not know: that may be all that is wrong."""
    game, words, last = bench.game, bench.words, findings[-1]
    said = {expectation.path[0] for expectation in step.expectations}
    if last.key == ALWAYS or said & {"owes", "asked"}:
        return findings
    if game.demand:
        owed, several = game.demand, game.demand.number > 1
        example = '"pays"' if owed.kind is Owed.CARDS else "[0, 3]" if several else "3"
        missing = _UNPAID.filled(debt=words.say_owed([as_debt(owed)]), example=example)[words.language]
        return [*findings[:-1], replace(last, missing=missing, rules=last.rules or (owed.rule,))]
    if game.question is not None:
        question = Telling(game, words.language, words.names).question(game.question)
        return [*findings[:-1], replace(last, missing=_UNANSWERED.filled(question=question)[words.language])]
    return findings


def _play_again(scenario: Scenario, bench: Bench) -> Iterator[Finding]:
    """What holds after every scenario: undo and redo, and the written match, lead to the same position."""
    game, language = bench.game, bench.words.language
    end, last = game.state.save(), scenario.steps[-1].number
    for promise, go in ((_SAME_AGAIN, _back_and_forth), (_SAME_FROM_FILE, _from_file)):
        found = SOMETHING_CHANGED[language]
        try:
            if go(game).state.save() == end:
                continue
        except RulesError as error:
            found = error.text[language]
        yield Finding(last, "", ALWAYS, promise[language], found)
        return


def _back_and_forth(game: Game) -> Game:
    actions = len(game.log)
    for _ in range(actions):
        game.undo()
    for _ in range(actions):
        game.redo()
    return game


def _from_file(game: Game) -> Game:
    return from_json(to_json(game))
