"""A wizard in a terminal: one step below the other, a key for each answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text as Styled

from dispenser.cli.failures import FOUND_WRONG
from dispenser.cli.spoken import _, in_words, language
from dispenser.cli.workbench import Workbench, keys
from dispenser.drivers.findings import Status
from dispenser.maintenance.steps import Answer, Hand
from dispenser.maintenance.toy_hand import lend_a_hand
from dispenser.maintenance.wizard import ALWAYS, Wizard
from dispenser.maintenance.words import HAND_LABEL, LABELS, key_of, told

if TYPE_CHECKING:
    from dispenser.maintenance.bench import Bench
    from dispenser.simulator import ToyEvent

_MARKS = {"good": ("✓", "green"), "note": ("–", "yellow"), "wrong": ("✗", "bold red")}
_NO_HAND = (None, Hand.LOOK)


LEND_A_HAND = "hand"
"""What stands for the simulated launcher's hand among the answers."""


class Paper:
    """Writes what a wizard shows, one step below the other.

    :ivar shown: the newest.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self.shown: dict[str, Any] = {"number": 0, "steps": 1, "answers": [], "findings": []}

    def show(self, view: dict[str, Any], changed: Callable[[], object] = lambda: None) -> bool:
        """Write what is new in a view, as ``told`` tells it.

        :param changed: called when the findings are written.
        :returns: it is over.
        """
        before, self.shown = self.shown, view
        if view == before:
            return bool(view["over"])
        for finding in view["findings"]:
            if finding not in before["findings"]:
                self.print(found_line(finding))
        changed()
        if view["over"]:
            return True
        if view["number"] != before["number"]:
            self.print(Styled(f"\n{view['number']}/{view['steps']}  {view['title']}", "bold"))
        seen = f"  ({view['seen']})" if view["seen"] else ""
        self.print(Styled.assemble(f"  {view['say']}", (seen, "dim")))
        if not {each["answer"] for each in view["answers"]} <= {LEND_A_HAND, *ALWAYS}:  # else: nothing to say to this
            self.print(Styled("  " + "   ".join(each["label"] for each in view["answers"]), "dim"))
        return False

    def print(self, words: Styled) -> None:
        self._console.print(words, soft_wrap=False, highlight=False)


class Talk:
    """Shows what a wizard asks for, and takes the keys.

    :param console: where to; the report of a program goes elsewhere.
    :param ended: called once it is over.
    :param changed: called whenever a step has.
    """

    def __init__(
        self,
        wizard: Wizard,
        workbench: Workbench,
        console: Console,
        ended: Callable[[], object],
        changed: Callable[[], object],
    ) -> None:
        self._wizard = wizard
        self._workbench = workbench
        self._ended = ended
        self._changed = changed
        self._paper = Paper(console)
        self._bench: Bench | None = None
        workbench.on_toy = self._toy_changed

    def begin(self) -> None:
        self._bench = self._workbench.put(self._wizard, self._show)

    def take(self, key: str) -> None:
        """A key that is no answer now means nothing."""
        view = self._wizard.view()
        if self._workbench.toy is not None and view.hand not in _NO_HAND and key == key_of(in_words(HAND_LABEL)):
            lend_a_hand(self._workbench.toy, view.hand)
        elif key in "\r\n" and Answer.GO in view.answers:
            self._hear(Answer.GO)
        else:
            for answer in view.answers:
                if key.lower() == key_of(in_words(LABELS[answer])):
                    self._hear(answer)
                    return

    def stop(self) -> None:
        """Nobody can say anything any more."""
        self._hear(Answer.STOP)

    def _hear(self, answer: Answer) -> None:
        if self._bench is not None:
            self._bench.hear(answer)

    def _show(self) -> None:
        view = told(self._wizard.view(), language())
        if self._workbench.toy is not None and self._wizard.view().hand not in _NO_HAND:
            view["answers"].insert(0, {"answer": LEND_A_HAND, "label": in_words(HAND_LABEL)})
        if self._paper.show(view, self._changed):
            self._ended()

    def _toy_changed(self, event: ToyEvent) -> None:
        if seen := seen_on_toy(event):
            self._paper.print(Styled(f"  ~ {seen}", "cyan"))


def seen_on_toy(event: ToyEvent) -> str:
    """What an onlooker sees of the simulated launcher; empty for what nobody looks at."""
    value = event.value
    match event.happening.value:
        case "motor":
            moving = _("the motor turns forward") if value == 1 else _("the motor turns backward")
            return moving if value else _("the motor stops")
        case "tone" if value is not None:
            return _("a beep of {hertz:.0f} Hz", hertz=value)
        case "card_left":
            return _("{number} card leaves", plural="{number} cards leave", number=value)
    return ""


def found_line(finding: dict[str, str]) -> Styled:
    """A mark, what was looked at, what was found; the remedy below."""
    mark, style = _MARKS[finding["status"]]
    line = Styled.assemble((f"{mark} ", style), (finding["title"], "bold"), finding["text"])
    if finding["remedy"]:
        line.append(f"\n  → {finding['remedy']}", style)
    return line


def talk(
    wizard: Wizard,
    workbench: Workbench,
    done: asyncio.Future[int],
    console: Console,
    changed: Callable[[], object] = lambda: None,
) -> None:
    """Go through the wizard; ``done`` when it is over."""
    over = asyncio.get_running_loop().call_soon

    def end() -> None:
        over(lambda: None if done.done() else done.set_result(0))

    talk = Talk(wizard, workbench, console, end, changed)
    reading = keys(talk.take, talk.stop)
    reading.__enter__()
    done.add_done_callback(lambda _: reading.__exit__(None, None, None))
    talk.begin()


def report(view: dict[str, Any], console: Console, *, as_json: bool) -> int:
    """The report at the end.

    :param view: as ``told`` tells it; for programs, in English.
    :returns: the exit code: something was wrong, or not all was looked at.
    """
    wrong = sum(each["status"] == Status.WRONG for each in view["findings"])
    complete = len(view["findings"]) == view["steps"]
    if as_json:
        findings = [{key: each[key] for key in ("check", "status", "text", "remedy")} for each in view["findings"]]
        print(json.dumps({"passed": complete and not wrong, "findings": findings}, indent=2, ensure_ascii=False))
        return FOUND_WRONG if wrong or not complete else 0
    console.print(Styled("\n" + _("Report"), "bold"))
    for each in view["findings"]:
        console.print(found_line(each), highlight=False)
    if not complete:
        console.print(_("Stopped before the end."))
    elif wrong:
        console.print(_("{number} thing is not right.", plural="{number} things are not right.", number=wrong))
    else:
        console.print(_("All is well."))
    return FOUND_WRONG if wrong or not complete else 0
