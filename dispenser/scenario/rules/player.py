"""Plays a rule scenario and tells what is not as it should be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from dispenser.config import WrongValueError, error_at
from dispenser.i18n import Text
from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.errors import IllegalMove, RulesError
from dispenser.rules.engine.game import Game
from dispenser.rules.record import from_json, to_json
from dispenser.rules.words.telling import Telling
from dispenser.scenario.rules.acts import acts_of
from dispenser.scenario.rules.bench import Bench
from dispenser.scenario.rules.expectations import ILLEGAL, SOMETHING_CHANGED, expected_of, refusal
from dispenser.scenario.rules.format import Scenario, Step
from dispenser.scenario.rules.reading import ScenarioError

ALWAYS: Final = "always"


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
    bench = Bench(scenario.new_game(), scenario.names, language, scenario.presses)
    for step in scenario.steps:
        try:
            findings = list(_play_step(step, bench))
        except ScenarioError as error:
            later = [each for other in scenario.steps[step.number + 1 :] for each in _unreadable(other, bench)]
            raise ScenarioError(*error.errors, *later) from error
        if findings:
            return _with_what_is_missing(findings, step, bench)
        bench.marks[step.number] = bench.state.save()
    return list(_play_again(bench))


def _play_step(step: Step, bench: Bench) -> Iterator[Finding]:
    say, may_be_refused = bench.say, ILLEGAL in step.said
    bench.refused, bench.told = None, []
    happening = {key: act for key, act in acts_of(bench).items() if key in step.said}
    for key, act in happening.items():
        before = bench.state.save() if may_be_refused else None
        try:
            bench.told += act.do(bench, step.said[key])
        except IllegalMove as error:
            bench.refused = error
            if not may_be_refused:
                legal = say(Text("a legal move"))
                yield Finding(step.number, step.line(key), ILLEGAL, legal, say(refusal(error)), (error.rule,))
                return
            if bench.state.save() != before:
                unchanged = say(Text("a refused move changes nothing"))
                yield Finding(step.number, step.line(key), ALWAYS, unchanged, say(SOMETHING_CHANGED))
                return
        except (RulesError, WrongValueError) as error:
            told = error_at((*step.path, key), error.text, step.written[key]) if step.number else error.text
            raise ScenarioError(told) from error
        if not bench.state.conserved():
            conserved, lost = Text("no card is lost and none appears"), Text("hands, pile and talon are not the deck")
            yield Finding(step.number, step.line(key), ALWAYS, say(conserved), say(lost))
            return
    for path, kind, seat, wanted in expected_of(step.said, bench):
        try:
            answer = kind.judge(bench, seat, wanted)
        except (RulesError, WrongValueError) as error:
            raise ScenarioError(error_at((*step.path, *path), error.text)) from error
        if answer is not None:
            rules = wanted if path == (ILLEGAL,) else ()
            yield Finding(step.number, step.line(*happening), ".".join(path), *answer, rules)


def _unreadable(step: Step, bench: Bench) -> Iterator[Text]:
    """The moves of a step that are none, as far as one can see that without being there."""
    moves: list[tuple[tuple[str, ...], int, str]]
    moves = [((name,), seat, step.said[name]) for seat, name in enumerate(bench.names) if name in step.said]
    for path, kind, seat, wanted in expected_of(step.said, bench):
        moves += [(path, seat, said) for said in (wanted if kind.moves else ())]
    for path, seat, said in moves:
        if text := bench.why_no_move(seat, said):
            yield error_at((*step.path, *path), text, said)


def _with_what_is_missing(findings: list[Finding], step: Step, bench: Bench) -> list[Finding]:
    """The game waits for the launcher or for the table, and the file does not know: that may be all that is wrong."""
    game, last = bench.game, findings[-1]
    if last.key == ALWAYS or step.said.keys() & {"owes", "asked"}:
        return findings
    if game.demand:
        owed = game.demand
        example = '"pays"' if owed.kind is Owed.CARDS else "[0, 3]" if owed.number > 1 else "3"
        unpaid = Text("{debt}; write what comes out, such as launcher = {example}")
        missing = unpaid.filled(debt=bench.say_owed([owed]), example=example)
        return [*findings[:-1], replace(last, missing=bench.say(missing), rules=last.rules or (owed.rule,))]
    if game.question is not None:
        question = Telling(game, bench.language, bench.names).question(game.question)
        unanswered = Text("the answer of the table: {question} Write it: answer = …").filled(question=question)
        return [*findings[:-1], replace(last, missing=bench.say(unanswered))]
    return findings


def _play_again(bench: Bench) -> Iterator[Finding]:
    """What holds after every scenario: undo and redo, and the written match, lead to the same position."""
    end, last = bench.state.save(), max(bench.marks)
    for promise, go in (
        (Text("taken back to the start and done again, everything is the same"), _back_and_forth),
        (Text("written down and read back, everything is the same"), _from_file),
    ):
        found = SOMETHING_CHANGED
        try:
            if go(bench.game).state.save() == end:
                continue
        except RulesError as error:
            found = error.text
        yield Finding(last, "", ALWAYS, bench.say(promise), bench.say(found))
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
