"""Plays a rule scenario and tells what is not as it should be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from dispenser.rules.book import Text
from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.errors import IllegalMove, RulesError
from dispenser.rules.engine.game import Game
from dispenser.rules.record import from_json, to_json
from dispenser.rules.words.telling import Telling
from dispenser.scenario.rules.acts import Bench
from dispenser.scenario.rules.expectations import ILLEGAL, SOMETHING_CHANGED, View, refusal
from dispenser.scenario.rules.format import Scenario, Step
from dispenser.scenario.rules.reading import ScenarioError, within
from dispenser.scenario.rules.words import Words, as_owed

ALWAYS = "always"

_LEGAL = Text("a legal move")
_CONSERVED = Text("no card is lost and none appears")
_NOT_CONSERVED = Text("hands, pile and talon are not the deck")
_UNCHANGED = Text("a refused move changes nothing")
_SAME_AGAIN = Text("taken back to the start and done again, everything is the same")
_SAME_FROM_FILE = Text("written down and read back, everything is the same")
_UNPAID = Text("{}; write what comes out, such as launcher = {}")
_UNANSWERED = Text("the answer of the table: {} Write it: answer = …")


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
    :raises ScenarioError: a move cannot be read, or the file forgot something; naming the step.
    """
    game = scenario.new_game()
    bench = Bench(game, Words(game, scenario.names, language), list(scenario.presses))
    marks: dict[int, tuple[Any, ...]] = {}
    for step in scenario.steps:
        try:
            findings = list(_play_step(step, bench, marks))
        except ScenarioError as error:
            later = [each for other in scenario.steps[step.number + 1 :] for each in _unreadable(other, bench)]
            raise ScenarioError(within(step.name, error.text), later) from error
        if findings:
            return _with_what_is_missing(findings, step, bench)
        marks[step.number] = game.state.save()
    return list(_play_again(scenario, bench))


def _play_step(step: Step, bench: Bench, marks: dict[int, tuple[Any, ...]]) -> Iterator[Finding]:
    game, language = bench.game, bench.words.language
    refused: IllegalMove | None = None
    may_be_refused = any(expectation.key == ILLEGAL for expectation in step.expectations)
    bench.told.clear()
    for act in step.acts:
        before = game.state.save()
        try:
            bench.told += act.do(bench)
        except IllegalMove as error:
            refused = error
            if not may_be_refused:
                found = refusal(error)[language]
                yield Finding(step.number, act.line, ILLEGAL, _LEGAL[language], found, (error.rule,))
                return
            if game.state.save() != before:
                yield Finding(step.number, act.line, ALWAYS, _UNCHANGED[language], SOMETHING_CHANGED[language])
                return
        if not game.state.conserved():
            yield Finding(step.number, act.line, ALWAYS, _CONSERVED[language], _NOT_CONSERVED[language])
            return
    view, text = View(bench, refused, marks), " + ".join(act.line for act in step.acts)
    for expectation in step.expectations:
        answer = expectation.judge(view)
        if answer is not None:
            rules = expectation.wanted if expectation.key == ILLEGAL else ()
            yield Finding(step.number, text, expectation.key, *answer, rules)


def _unreadable(step: Step, bench: Bench) -> Iterator[Text]:
    """The moves of a step that are none, as far as one can see that without being there."""
    moves = [act.move for act in step.acts if act.move]
    moves += [(each.seat, said) for each in step.expectations if each.kind.moves for said in each.wanted]
    for seat, said in moves:
        text = bench.why_no_move(seat, said)
        if text:
            yield within(step.name, text)


def _with_what_is_missing(findings: list[Finding], step: Step, bench: Bench) -> list[Finding]:
    """The game waits for the launcher or for the table, and the file does not know: that may be all that is wrong."""
    game, words, last = bench.game, bench.words, findings[-1]
    said = {expectation.key for expectation in step.expectations}
    if last.key == ALWAYS or said & {"owes", "asked"}:
        return findings
    if game.demand:
        owed, several = game.demand, game.demand.number > 1
        example = '"pays"' if owed.kind is Owed.CARDS else "[0, 3]" if several else "3"
        missing = _UNPAID[words.language].format(words.say_owed([as_owed(owed)]), example)
        return [*findings[:-1], replace(last, missing=missing, rules=last.rules or (owed.rule,))]
    if game.question is not None:
        question = Telling(game, words.language, words.names).question(game.question)
        return [*findings[:-1], replace(last, missing=_UNANSWERED[words.language].format(question))]
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
