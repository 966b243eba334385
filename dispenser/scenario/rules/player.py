"""Plays a rule scenario and tells the first thing that is not as it should be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from dispenser.rules.book import Text
from dispenser.rules.errors import IllegalMove, RulesError
from dispenser.rules.game import Game
from dispenser.rules.record import from_json, to_json
from dispenser.rules.state import CARDS
from dispenser.rules.telling import Telling
from dispenser.scenario.rules.acts import Bench
from dispenser.scenario.rules.expectations import ILLEGAL, SOMETHING_CHANGED, View, say_refusal
from dispenser.scenario.rules.format import Scenario, Step
from dispenser.scenario.rules.tables import ScenarioError, within
from dispenser.scenario.rules.words import Words, as_owed

ALWAYS = "always"

_LEGAL = Text("a legal move", "un coup permis")
_CONSERVED = Text("no card is lost and none appears", "aucune carte ne se perd ni n’apparaît")
_NOT_CONSERVED = Text("hands, pile and talon are not the deck", "mains, pioche et talon ne font pas le paquet")
_UNCHANGED = Text("a refused move changes nothing", "un coup refusé ne change rien")
_SAME_AGAIN = Text(
    "taken back to the start and done again, everything is the same",
    "reprise au début et refaite, la partie est la même",
)
_UNPAID = Text(
    "{}; write what comes out, such as launcher = {}", "{}\u00a0; écris ce qui sort, par exemple launcher = {}"
)
_UNANSWERED = Text(
    "the answer of the table: {} Write it: answer = …", "la réponse de la table\u00a0: {} Écris-la\u00a0: answer = …"
)
_SAME_FROM_FILE = Text("written down and read back, everything is the same", "écrite et relue, la partie est la même")


@dataclass(frozen=True, slots=True)
class Finding:
    """The first thing that is not as it should be.

    :ivar step: its number, 0 for the start.
    :ivar move: what happened in that step, as it stands in the file.
    :ivar key: what was expected there, such as ``turn``; ``always`` for what holds without being written.
    :ivar rule: ID of the rule to read; empty when the scenario's own are meant.
    :ivar missing: what the file has perhaps forgotten to say in this step; empty when there is nothing.
    """

    step: int
    move: str
    key: str
    expected: str
    found: str
    rule: str = ""
    missing: str = ""


def play(scenario: Scenario, language: str = "en") -> Finding | None:
    """Play it; ``None`` when everything is as it should be.

    :raises ScenarioError: a move cannot be read, or the file forgot something; naming the step.
    """
    game = scenario.new_game()
    bench = Bench(game, Words(game, scenario.names, language), list(scenario.presses))
    marks: dict[int, tuple[Any, ...]] = {}
    for step in scenario.steps:
        try:
            finding = _play_step(step, bench, marks)
        except ScenarioError as error:
            raise ScenarioError(within(step.name, error.text)) from error
        if finding is not None:
            return _with_what_is_missing(finding, step, bench)
        marks[step.number] = game.save()
    return _play_again(scenario, bench)


def _play_step(step: Step, bench: Bench, marks: dict[int, tuple[Any, ...]]) -> Finding | None:
    game, words, language = bench.game, bench.words, bench.words.language
    refused: IllegalMove | None = None
    bench.told.clear()
    for act in step.acts:
        before = game.save()
        try:
            act.do(bench)
        except IllegalMove as error:
            refused = error
            if not any(expectation.key == ILLEGAL for expectation in step.expectations):
                found = say_refusal(error, language)
                return Finding(step.number, act.text, ILLEGAL, _LEGAL[language], found, error.rule)
            if game.save() != before:
                return Finding(step.number, act.text, ALWAYS, _UNCHANGED[language], SOMETHING_CHANGED[language])
        if not game.conserved():
            return Finding(step.number, act.text, ALWAYS, _CONSERVED[language], _NOT_CONSERVED[language])
    view = View(game, words, refused, tuple(bench.told), marks)
    for expectation in step.expectations:
        answer = expectation.judge(view)
        if answer is not None:
            text = " + ".join(act.text for act in step.acts)
            rule = str(expectation.wanted) if expectation.key == ILLEGAL else ""
            return Finding(step.number, text, expectation.key, *answer, rule)
    return None


def _with_what_is_missing(finding: Finding, step: Step, bench: Bench) -> Finding:
    """The game waits for the launcher or for the table, and the file does not know: that may be all that is wrong."""
    game, words = bench.game, bench.words
    said = {expectation.key for expectation in step.expectations}
    if finding.key == ALWAYS or said & {"owes", "asked"}:
        return finding
    if game.demands:
        owed, several = game.demands[0], game.demands[0].number > 1
        example = '"pays"' if owed.kind == CARDS else "[0, 3]" if several else "3"
        missing = _UNPAID[words.language].format(words.say_owed([as_owed(owed)]), example)
        return replace(finding, missing=missing, rule=finding.rule or owed.rule)
    if game.question is not None:
        question = Telling(game, words.language, words.names).question(game.question)
        return replace(finding, missing=_UNANSWERED[words.language].format(question))
    return finding


def _play_again(scenario: Scenario, bench: Bench) -> Finding | None:
    """What holds after every scenario: undo and redo, and the written match, lead to the same position."""
    game, language = bench.game, bench.words.language
    end, last = game.save(), scenario.steps[-1].number
    actions = len(game.log)
    try:
        for _ in range(actions):
            game.undo()
        for _ in range(actions):
            game.redo()
    except RulesError as error:
        return Finding(last, "", ALWAYS, _SAME_AGAIN[language], error.text[language])
    if game.save() != end:
        return Finding(last, "", ALWAYS, _SAME_AGAIN[language], SOMETHING_CHANGED[language])
    try:
        again: Game = from_json(to_json(game))
    except RulesError as error:
        return Finding(last, "", ALWAYS, _SAME_FROM_FILE[language], error.text[language])
    if again.save() != end:
        return Finding(last, "", ALWAYS, _SAME_FROM_FILE[language], SOMETHING_CHANGED[language])
    return None
