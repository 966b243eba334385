"""The steps of a scenario: hands at the simulated launcher, requests, faults."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Final, Literal, Union

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct
from msgspec import field as named

from dispenser.config import WrongValueError
from dispenser.i18n import Text
from dispenser.launcher.commands import Count, Eject, Load, Press, Reset
from dispenser.launcher.messages import MAX_BURST_CARDS, Refusal
from dispenser.launcher.notices import OF_AN_ORDER
from dispenser.scenario.launcher.expectations import NO_NOTICE, NoticeType, Seconds, Words
from dispenser.simulator import SimulatorFault

Act = Callable[..., object]  # Called with the `ScenarioRunner` and the keys of the step
Times = Annotated[int, Meta(ge=1, le=100_000)]


class Step(Struct, frozen=True, kw_only=True, tag_field="do"):
    """A step of a scenario.

    :ivar at: time; otherwise ``after`` seconds after the previous step, or after the notice ``when``.
    :ivar nth: number of matching notices since the previous step to wait for.
    """

    name: Words | UnsetType = UNSET
    at: Seconds | UnsetType = UNSET
    after: Seconds | UnsetType = UNSET
    when: NoticeType | UnsetType = UNSET
    with_: dict[str, Any] = named(name="with", default_factory=dict)
    nth: Times = 1
    times: Times = 1
    every: Seconds = 0.0

    def __post_init__(self) -> None:
        if self.with_ and not self.when:
            raise WrongValueError(NO_NOTICE.filled(key="when"), "with")
        if self.at is UNSET and self.after is UNSET and not self.when:
            raise WrongValueError(Text("when? Write at = … or after = … (seconds), or when = a notice"))
        if self.at is not UNSET and (self.after is not UNSET or self.when):
            raise WrongValueError(Text("give at, or after, or when (which may have after), not all of them"), "at")
        if self.times > 1 and not self.every:
            raise WrongValueError(Text("say how many seconds lie between two: every = …"), "times")

    @property
    def phrase(self) -> str:
        """The phrase under ``do``."""
        return str(self.__struct_config__.tag)

    @property
    def keys(self) -> dict[str, Any]:
        """The keys that belong to the phrase, with their values."""
        return {key: getattr(self, key) for key in self.__struct_fields__ if key not in Step.__struct_fields__}

    @property
    def words(self) -> str:
        """Description of the step with its keys."""
        return " ".join([self.phrase, *(f"{key}={value}" for key, value in self.keys.items() if value is not UNSET)])


# --- phrases under ``do``, and their keys ---

_CARDS = ("cards", Annotated[int, Meta(ge=1, le=999)])
_COUNT = ("cards", Annotated[int, Meta(ge=0, le=999)])
_ORDERED = ("cards", Annotated[int, Meta(ge=0, le=MAX_BURST_CARDS)] | UnsetType, UNSET)
_WHY = ("why", Literal[tuple(sorted(each.value for each in OF_AN_ORDER))] | UnsetType, UNSET)
_SOURCE = ("source", Words, "api")
_REQUEST = ("request", Words | UnsetType, UNSET)  # Id of the command: a repeated id is the same command
KEYS: Final[dict[str, list[Any]]] = {
    "press button": [("hold", Annotated[float, Meta(ge=0.001, le=600)], 0.15)],
    "bounce button": [
        ("ms", Annotated[float, Meta(ge=0.01, le=200)]),
        ("edges", Annotated[int, Meta(ge=2, le=200)], 6),
        ("hold", Annotated[float, Meta(ge=0.05, le=600)], 0.15),
    ],
    "put cards in": [_CARDS],
    "press": [_SOURCE, _REQUEST],
    "eject": [("cards", Annotated[int, Meta(ge=1, le=MAX_BURST_CARDS)]), _SOURCE, _REQUEST],
    "order": [_ORDERED, _WHY],
    "say loaded": [_COUNT, _REQUEST],
    "load": [_CARDS, _REQUEST],
    "reset": [_REQUEST],
    "enter count": [("press", Annotated[int, Meta(ge=1, le=1_000_000)]), _COUNT, _REQUEST],
    **{strike: [(*_CARDS, 1)] for strike in ("jam the roller", "double feed", "misfeed")},
    "kill the driver": [("outputs", Literal["fall", "hold"], "fall")],
    "set the clock": [("by", Annotated[float, Meta(ge=-31_536_000, le=31_536_000)])],
}
"""Fields for ``defstruct``; phrases that are missing have no keys."""


def _bounce_button(launcher: Any, ms: float, edges: int, hold: float) -> None:
    """Push the button once; its contact bounces at the push and at the release."""
    simulator, loop, bounce_s = launcher.simulator, launcher.loop, ms / 1000
    down_s = loop.time()
    up_s = down_s + bounce_s + hold
    for begin_s, last, driven in ((down_s, True, edges + 1), (up_s, False, edges)):
        for number in range(driven):
            active = last if (edges - number) % 2 == 0 else not last
            loop.call_at(begin_s + bounce_s * number / edges, partial(simulator.drive_line, "button", active))
    loop.call_at(up_s + bounce_s, partial(simulator.release_line, "button"))  # after the last edge the button is up


def _order(launcher: Any, cards: int | UnsetType, why: str | UnsetType) -> None:
    """Order a number of cards; without one the odds decide."""
    launcher.running().order(None if cards is UNSET else cards, Refusal(why) if why else None)


def _say_loaded(launcher: Any, cards: int, request: str | UnsetType) -> None:
    launcher.ask(f"{cards} cards are inside", Load(cards, id=request or None))


def _load(launcher: Any, cards: int, request: str | UnsetType) -> None:
    launcher.simulator.load(cards)
    _say_loaded(launcher, launcher.simulator.view().cards_in_stack, request)


def _new_cells(launcher: Any) -> None:
    launcher.simulator.switch_fault(SimulatorFault.FLAT_CELLS, on=False)
    launcher.simulator.new_cells()


def _fault(*faults: SimulatorFault, on: bool = True) -> Act:
    def switch(launcher: Any, cards: int = 1) -> None:
        for fault in faults:
            launcher.simulator.switch_fault(fault, on, cards=cards)

    return switch


ACTS: Final[dict[str, Act]] = {
    "press button": lambda launcher, hold: launcher.simulator.push_button(hold),
    "hold button": lambda launcher: launcher.simulator.hold_button(),
    "release button": lambda launcher: launcher.simulator.release_button(),
    "bounce button": _bounce_button,
    "lid up": lambda launcher: launcher.simulator.open_lid(),
    "lid down": lambda launcher: launcher.simulator.close_lid(),
    "take card": lambda launcher: launcher.simulator.take_card(),
    "clear the jam": lambda launcher: launcher.simulator.clear_jam(),
    "put cards in": lambda launcher, cards: launcher.simulator.load(cards),
    "take all cards out": lambda launcher: launcher.simulator.unload(),
    "press": lambda launcher, source, request: launcher.ask("press", Press(id=request or None), source),
    "eject": lambda launcher, cards, source, request: launcher.ask(
        f"eject {cards}", Eject(cards, id=request or None), source
    ),
    "order": _order,
    "say loaded": _say_loaded,
    "load": _load,
    "reset": lambda launcher, request: launcher.ask("reset", Reset(id=request or None)),
    "enter count": lambda launcher, press, cards, request: launcher.ask(
        f"{cards} came out at press {press}", Count(cards, press, id=request or None)
    ),
    "jam the roller": _fault(SimulatorFault.ROLLER_JAM),
    "double feed": _fault(SimulatorFault.DOUBLE_FEED),
    "misfeed": _fault(SimulatorFault.MISFEED),
    "flatten the cells": _fault(SimulatorFault.FLAT_CELLS),
    "new cells": _new_cells,
    "motor dead": _fault(SimulatorFault.MOTOR_DEAD),
    "motor works": _fault(SimulatorFault.MOTOR_DEAD, on=False),
    "sensor stuck dark": _fault(SimulatorFault.EXIT_STUCK_DARK),
    "sensor stuck light": _fault(SimulatorFault.EXIT_STUCK_LIGHT),
    "sensor works": _fault(SimulatorFault.EXIT_STUCK_DARK, SimulatorFault.EXIT_STUCK_LIGHT, on=False),
    "button stuck": _fault(SimulatorFault.BUTTON_STUCK),
    "button free": _fault(SimulatorFault.BUTTON_STUCK, on=False),
    "worn button": _fault(SimulatorFault.BOUNCING_BUTTON),
    "lid flutters": _fault(SimulatorFault.LID_CONTACT_FLUTTER),
    "lid is still": _fault(SimulatorFault.LID_CONTACT_FLUTTER, on=False),
    "stack out of reach": _fault(SimulatorFault.EMPTY_STACK),
    "stack in reach": _fault(SimulatorFault.EMPTY_STACK, on=False),
    "mark": lambda _: None,
}
TEST_ONLY: Final = (
    *("kill the driver", "mend the driver", "kill the service", "stop the service", "start the service"),
    *("disk full", "disk read-only", "disk works", "set the clock"),
    *("add a listener that raises", "add a listener that never reads"),
)
"""Phrases that only the test suite supports, by its own runner."""
STEPS: Final[dict[str, Any]] = {
    phrase: defstruct("Step", KEYS.get(phrase, []), bases=(Step,), tag=phrase, frozen=True, kw_only=True)
    for phrase in (*ACTS, *TEST_ONLY)
}
"""Struct of each phrase under ``do``."""
AnyStep: Any = Union[tuple(STEPS.values())]  # noqa: UP007 (so many that they are made)
