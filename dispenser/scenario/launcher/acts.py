"""What a step of a scenario can do: hands on the toy, requests, faults, and trouble with the computer.

Each act is a function: the phrase under ``do`` above it, its parameters the keys that go with it.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Union, get_type_hints

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct
from msgspec import field as named

from dispenser.config import WrongValueError
from dispenser.i18n import Text
from dispenser.launcher.commands import Count, Eject, Load, Press, Reset
from dispenser.launcher.messages import MAX_BURST_CARDS, Refusal
from dispenser.launcher.words import OF_AN_ORDER
from dispenser.scenario.launcher.expectations import NO_NOTICE, NoticePattern, NoticeType, Seconds, Words
from dispenser.scenario.launcher.stage import Stage
from dispenser.simulator import ToyFault

Act = Callable[..., object]
Times = Annotated[int, Meta(ge=1, le=100_000)]
Cards = Annotated[int, Meta(ge=1, le=999)]
Hold = Annotated[float, Meta(ge=0.001, le=600)]
Request = Words | UnsetType
"""An id of theirs: the same again is the same request."""


class Step(Struct, frozen=True, kw_only=True, tag_field="do"):
    """One thing that happens.

    :ivar at: when; else ``after`` seconds after the step before, or after the notice ``when``.
    :ivar nth: which such notice since the step before counts.
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
        """What stands under ``do``."""
        return str(self.__struct_config__.tag)

    @property
    def keys(self) -> dict[str, Any]:
        """What goes with it."""
        return {key: getattr(self, key) for key in self.__struct_fields__ if key not in Step.__struct_fields__}

    @property
    def words(self) -> str:
        """What happens, with its keys."""
        return " ".join([self.phrase, *(f"{key}={value}" for key, value in self.keys.items() if value is not UNSET)])

    def awaited(self) -> NoticePattern | None:
        """The notice that the step waits for."""
        return NoticePattern.read(self.when, self.with_) if self.when else None

    @staticmethod
    def act(stage: Stage, **keys: Any) -> object:
        """What is done."""
        raise NotImplementedError


ACTS: Final[dict[str, type[Step]]] = {}
"""All that can happen, by the phrase under ``do``."""


def does(phrase: str) -> Callable[[Act], Act]:
    """Make an act of a function."""

    def note(act: Act) -> Act:
        hints = get_type_hints(act, include_extras=True)
        _stage, *keys = signature(act).parameters.values()
        fields: list[Any] = [
            (key.name, hints[key.name], *(() if key.default is Parameter.empty else (key.default,))) for key in keys
        ]
        namespace = {"act": staticmethod(act)}
        made: Any = defstruct("Act", fields, bases=(Step,), namespace=namespace, tag=phrase, frozen=True, kw_only=True)
        ACTS[phrase] = made
        return act

    return note


# --- hands on the toy ---


@does("press button")
def press_button(stage: Stage, hold: Hold = 0.15) -> None:
    stage.toy.push_button(hold)


@does("bounce button")
def bounce_button(
    stage: Stage,
    ms: Annotated[float, Meta(ge=0.01, le=200)],
    edges: Annotated[int, Meta(ge=2, le=200)] = 6,
    hold: Annotated[float, Meta(ge=0.05, le=600)] = 0.15,
) -> None:
    stage.bounce_button(ms / 1000, edges, hold)


@does("put cards in")
def put_cards_in(stage: Stage, cards: Cards) -> None:
    stage.put_cards_in(cards)


# --- people and programs at the service ---


@does("press")
def press(stage: Stage, source: Words = "api", request: Request = UNSET) -> None:
    stage.computer.ask("press", request, lambda service, id_: service.handle(Press(id=id_), source), press=True)


@does("eject")
def eject(
    stage: Stage,
    cards: Annotated[int, Meta(ge=1, le=MAX_BURST_CARDS)],
    source: Words = "api",
    request: Request = UNSET,
) -> None:
    stage.computer.ask(
        f"eject {cards}", request, lambda service, id_: service.handle(Eject(cards, id=id_), source), press=True
    )


@does("order")
def order(
    stage: Stage,
    cards: Annotated[int, Meta(ge=0, le=MAX_BURST_CARDS)] | UnsetType = UNSET,
    why: Literal[tuple(sorted(each.value for each in OF_AN_ORDER))] | UnsetType = UNSET,  # type: ignore[valid-type]
) -> None:
    """Luck, when no number is given."""
    stage.computer.order(None if cards is UNSET else cards, Refusal(why) if why else None)


@does("say loaded")
def say_loaded(stage: Stage, cards: Annotated[int, Meta(ge=0, le=999)], request: Request = UNSET) -> None:
    stage.computer.ask(f"{cards} cards are inside", request, lambda service, id_: service.handle(Load(cards, id=id_)))


@does("load")
def load(stage: Stage, cards: Cards, request: Request = UNSET) -> None:
    stage.put_cards_in(cards)
    say_loaded(stage, stage.toy.view().cards_in_stack, request)


@does("reset")
def reset(stage: Stage, request: Request = UNSET) -> None:
    stage.computer.ask("reset", request, lambda service, id_: service.handle(Reset(id=id_)))


@does("enter count")
def enter_count(
    stage: Stage,
    press: Annotated[int, Meta(ge=1, le=1_000_000)],
    cards: Annotated[int, Meta(ge=0, le=999)],
    request: Request = UNSET,
) -> None:
    words = f"{cards} came out at press {press}"
    stage.computer.ask(words, request, lambda service, id_: service.handle(Count(cards, press, id=id_)))


# --- trouble ---


@does("kill the driver")
def kill_the_driver(stage: Stage, outputs: Literal["fall", "hold"] = "fall") -> None:
    """The outputs fall to off, or hold their levels."""
    stage.pins.break_down(hold_outputs=outputs == "hold")


@does("set the clock")
def set_the_clock(stage: Stage, by: Annotated[float, Meta(ge=-31_536_000, le=31_536_000)]) -> None:
    """Back (below 0) or on, by so many seconds."""
    stage.computer.clock_set_by_s += by


@does("sensor works")
def sensor_works(stage: Stage) -> None:
    for fault in (ToyFault.EXIT_STUCK_DARK, ToyFault.EXIT_STUCK_LIGHT):
        stage.toy.switch_fault(fault, on=False)


@does("new cells")
def new_cells(stage: Stage) -> None:
    stage.toy.switch_fault(ToyFault.FLAT_CELLS, on=False)
    stage.toy.new_cells()


def _strike(fault: ToyFault) -> Act:
    def strike(stage: Stage, cards: Cards = 1) -> None:
        stage.toy.switch_fault(fault, cards=cards)

    return strike


def _switch(fault: ToyFault, *, on: bool = True) -> Act:
    return lambda stage: stage.toy.switch_fault(fault, on)


def _disk(state: Literal["works", "full", "read-only"]) -> Act:
    def become(stage: Stage) -> None:
        stage.computer.disk.state = state

    return become


for _phrase, _act in {
    "jam the roller": _strike(ToyFault.ROLLER_JAM),
    "double feed": _strike(ToyFault.DOUBLE_FEED),
    "misfeed": _strike(ToyFault.MISFEED),
    "flatten the cells": _switch(ToyFault.FLAT_CELLS),
    "motor dead": _switch(ToyFault.MOTOR_DEAD),
    "motor works": _switch(ToyFault.MOTOR_DEAD, on=False),
    "sensor stuck dark": _switch(ToyFault.EXIT_STUCK_DARK),
    "sensor stuck light": _switch(ToyFault.EXIT_STUCK_LIGHT),
    "button stuck": _switch(ToyFault.BUTTON_STUCK),
    "button free": _switch(ToyFault.BUTTON_STUCK, on=False),
    "worn button": _switch(ToyFault.BOUNCING_BUTTON),
    "lid flutters": _switch(ToyFault.LID_CONTACT_FLUTTER),
    "lid is still": _switch(ToyFault.LID_CONTACT_FLUTTER, on=False),
    "stack out of reach": _switch(ToyFault.EMPTY_STACK),
    "stack in reach": _switch(ToyFault.EMPTY_STACK, on=False),
    "hold button": lambda stage: stage.toy.hold_button(),
    "release button": lambda stage: stage.toy.release_button(),
    "lid up": lambda stage: stage.toy.open_lid(),
    "lid down": lambda stage: stage.toy.close_lid(),
    "take card": lambda stage: stage.toy.take_card(),
    "clear the jam": lambda stage: stage.toy.clear_jam(),
    "take all cards out": Stage.take_cards_out,
    "mend the driver": lambda stage: stage.pins.mend(),
    "kill the service": lambda stage: stage.computer.kill(),
    "stop the service": lambda stage: stage.computer.stop(),
    "start the service": lambda stage: stage.computer.start(),
    "disk full": _disk("full"),
    "disk read-only": _disk("read-only"),
    "disk works": _disk("works"),
    "add a listener that raises": lambda stage: stage.computer.add_raising_listener(),
    "add a listener that never reads": lambda stage: stage.computer.add_sleeping_listener(),
    "mark": lambda _: None,
}.items():
    does(_phrase)(_act)

if TYPE_CHECKING:
    AnyStep = Step
else:
    AnyStep = Union[tuple(ACTS.values())]  # noqa: UP007 (so many that they are made)
