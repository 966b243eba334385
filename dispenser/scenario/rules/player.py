"""Plays a rule scenario and tells what is not as it should be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dispenser.config import TableError, WrongValueError, error_at
from dispenser.i18n import Text
from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.errors import IllegalMove, RulesError
from dispenser.rules.words.telling import Telling
from dispenser.scenario.rules.acts import acts_of
from dispenser.scenario.rules.expectations import ILLEGAL, expected_of, refusal
from dispenser.scenario.rules.format import Scenario, Step
from dispenser.scenario.rules.played import PlayedGame


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be.

    :ivar step: its number, 0 for the start.
    :ivar move: what happened in that step, as it stands in the file.
    :ivar key: what was expected there, such as ``turn``; ``expected`` is all of it, as it stands in the file.
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
    :raises TableError: a move cannot be read, or the file forgot something.
    """
    played = PlayedGame(scenario.new_game(), scenario.names, language, scenario.presses)
    for step in scenario.steps:
        if findings := list(play_step(step, played)):
            return [*findings[:-1], _with_what_is_missing(findings[-1], step, played)]
    return []


def play_step(step: Step, played: PlayedGame) -> Iterator[Finding]:
    """Do what happens in a step and check what is expected then."""
    refused = do_step(step, played)
    if played.refused is not None and ILLEGAL not in step.said:
        legal, why = played.say(Text("a legal move")), played.say(refusal(played.refused))
        yield Finding(step.number, step.line(refused), ILLEGAL, legal, why, (played.refused.rule,))
        return
    happens = [key for key in acts_of(played) if key in step.said]
    for path, check, seat, wanted in expected_of(step.said, played):
        try:
            found = check.compare(played, seat, wanted)
        except (RulesError, WrongValueError) as error:
            raise TableError(error_at((*step.path, *path), error.text)) from error
        if found is not None:
            rules = wanted if path == (ILLEGAL,) else ()
            yield Finding(step.number, step.line(*happens), ".".join(path), step.expectation(path), found, rules)
    played.marks[step.number] = played.state.save()


def do_step(step: Step, played: PlayedGame) -> str:
    """Do what happens in a step.

    :returns: the key of what the rules have refused, if anything.
    """
    played.refused, played.told = None, []
    for key, act in acts_of(played).items():
        if key in step.said:
            try:
                played.told += act.do(played, step.said[key])
            except IllegalMove as error:
                played.refused = error
                return key
            except (RulesError, WrongValueError) as error:
                told = error_at((*step.path, key), error.text, step.written[key]) if step.number else error.text
                raise TableError(told) from error
    return ""


def _with_what_is_missing(last: Finding, step: Step, played: PlayedGame) -> Finding:
    """The game waits for the launcher or for the table, and the file does not know: that may be all that is wrong."""
    game = played.game
    if step.said.keys() & {"owes", "asked"}:
        return last
    if owed := game.demand:
        example = '"pays"' if owed.kind is Owed.CARDS else "[0, 3]" if owed.number > 1 else "3"
        unpaid = Text("{debt}; write what comes out, such as launcher = {example}")
        missing = unpaid.filled(debt=played.say_owed([owed]), example=example)
        return replace(last, missing=played.say(missing), rules=last.rules or (owed.rule,))
    if game.question is not None:
        question = Telling(game, played.language, played.names).question(game.question)
        unanswered = Text("the answer of the table: {question} Write it: answer = …").filled(question=question)
        return replace(last, missing=played.say(unanswered))
    return last
