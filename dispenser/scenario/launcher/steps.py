"""What can happen in a step: somebody at the simulated launcher, requests, faults of its parts.

What only the project's own tests do (``TEST_ONLY``) can be read as well; their runner adds the acts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Union, get_type_hints

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct
from msgspec import field as named

from dispenser.config import WrongValueError
from dispenser.i18n import Text
from dispenser.launcher.commands import Count, Eject, Load, Press, Reset
from dispenser.launcher.messages import MAX_BURST_CARDS, Refusal
from dispenser.launcher.words import OF_AN_ORDER
from dispenser.scenario.launcher.expectations import NO_NOTICE, NoticeType, Seconds, Words
from dispenser.scenario.launcher.simulated import SimulatedLauncher
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


def press_button(launcher: SimulatedLauncher, hold: Hold = 0.15) -> None:
    launcher.toy.push_button(hold)


def bounce_button(
    launcher: SimulatedLauncher,
    ms: Annotated[float, Meta(ge=0.01, le=200)],
    edges: Annotated[int, Meta(ge=2, le=200)] = 6,
    hold: Annotated[float, Meta(ge=0.05, le=600)] = 0.15,
) -> None:
    """One push whose contact bounces, at the push and at the release."""
    toy, loop, bounce_s = launcher.toy, launcher.loop, ms / 1000
    toy.hands_off("button")
    down_s = loop.time()
    up_s = down_s + bounce_s + hold
    for begin_s, last in ((down_s, True), (up_s, False)):
        for number in range(edges + 1):
            active = last if (edges - number) % 2 == 0 else not last
            loop.call_at(begin_s + bounce_s * number / edges, partial(toy.drive_line, "button", active))
    loop.call_at(up_s + bounce_s, partial(toy.hands_on, "button"))


def put_cards_in(launcher: SimulatedLauncher, cards: Cards) -> None:
    launcher.toy.load(cards)


# --- people and programs at the service ---


def press(launcher: SimulatedLauncher, source: Words = "api", request: Request = UNSET) -> None:
    launcher.ask("press", Press(id=request or None), source)


def eject(
    launcher: SimulatedLauncher,
    cards: Annotated[int, Meta(ge=1, le=MAX_BURST_CARDS)],
    source: Words = "api",
    request: Request = UNSET,
) -> None:
    launcher.ask(f"eject {cards}", Eject(cards, id=request or None), source)


def order(
    launcher: SimulatedLauncher,
    cards: Annotated[int, Meta(ge=0, le=MAX_BURST_CARDS)] | UnsetType = UNSET,
    why: Literal[tuple(sorted(each.value for each in OF_AN_ORDER))] | UnsetType = UNSET,  # type: ignore[valid-type]
) -> None:
    """The odds decide when no number is given."""
    launcher.running().order(None if cards is UNSET else cards, Refusal(why) if why else None)


def say_loaded(
    launcher: SimulatedLauncher, cards: Annotated[int, Meta(ge=0, le=999)], request: Request = UNSET
) -> None:
    launcher.ask(f"{cards} cards are inside", Load(cards, id=request or None))


def load(launcher: SimulatedLauncher, cards: Cards, request: Request = UNSET) -> None:
    launcher.toy.load(cards)
    say_loaded(launcher, launcher.toy.view().cards_in_stack, request)


def reset(launcher: SimulatedLauncher, request: Request = UNSET) -> None:
    launcher.ask("reset", Reset(id=request or None))


def enter_count(
    launcher: SimulatedLauncher,
    press: Annotated[int, Meta(ge=1, le=1_000_000)],
    cards: Annotated[int, Meta(ge=0, le=999)],
    request: Request = UNSET,
) -> None:
    launcher.ask(f"{cards} came out at press {press}", Count(cards, press, id=request or None))


# --- faults of its parts, and hands on the launcher without further keys ---


def _strike(fault: ToyFault) -> Act:
    def strike(launcher: SimulatedLauncher, cards: Cards = 1) -> None:
        launcher.toy.switch_fault(fault, cards=cards)

    return strike


def _switch(*faults: ToyFault, on: bool = True) -> Act:
    def switch(launcher: SimulatedLauncher) -> None:
        for fault in faults:
            launcher.toy.switch_fault(fault, on)

    return switch


def new_cells(launcher: SimulatedLauncher) -> None:
    launcher.toy.switch_fault(ToyFault.FLAT_CELLS, on=False)
    launcher.toy.new_cells()


ACTS: Final[dict[str, Act]] = {
    "press button": press_button,
    "bounce button": bounce_button,
    "put cards in": put_cards_in,
    "press": press,
    "eject": eject,
    "order": order,
    "say loaded": say_loaded,
    "load": load,
    "reset": reset,
    "enter count": enter_count,
    "new cells": new_cells,
    "jam the roller": _strike(ToyFault.ROLLER_JAM),
    "double feed": _strike(ToyFault.DOUBLE_FEED),
    "misfeed": _strike(ToyFault.MISFEED),
    "flatten the cells": _switch(ToyFault.FLAT_CELLS),
    "motor dead": _switch(ToyFault.MOTOR_DEAD),
    "motor works": _switch(ToyFault.MOTOR_DEAD, on=False),
    "sensor stuck dark": _switch(ToyFault.EXIT_STUCK_DARK),
    "sensor stuck light": _switch(ToyFault.EXIT_STUCK_LIGHT),
    "sensor works": _switch(ToyFault.EXIT_STUCK_DARK, ToyFault.EXIT_STUCK_LIGHT, on=False),
    "button stuck": _switch(ToyFault.BUTTON_STUCK),
    "button free": _switch(ToyFault.BUTTON_STUCK, on=False),
    "worn button": _switch(ToyFault.BOUNCING_BUTTON),
    "lid flutters": _switch(ToyFault.LID_CONTACT_FLUTTER),
    "lid is still": _switch(ToyFault.LID_CONTACT_FLUTTER, on=False),
    "stack out of reach": _switch(ToyFault.EMPTY_STACK),
    "stack in reach": _switch(ToyFault.EMPTY_STACK, on=False),
    "hold button": lambda launcher: launcher.toy.hold_button(),
    "release button": lambda launcher: launcher.toy.release_button(),
    "lid up": lambda launcher: launcher.toy.open_lid(),
    "lid down": lambda launcher: launcher.toy.close_lid(),
    "take card": lambda launcher: launcher.toy.take_card(),
    "clear the jam": lambda launcher: launcher.toy.clear_jam(),
    "take all cards out": lambda launcher: launcher.toy.unload(),
    "mark": lambda _: None,
}
"""All that can be done, by the phrase under ``do``; the parameters are the keys that go with it."""
TEST_ONLY: Final[dict[str, Sequence[Any]]] = {
    **dict.fromkeys(("mend the driver", "kill the service", "stop the service", "start the service"), ()),
    **dict.fromkeys(("disk full", "disk read-only", "disk works"), ()),
    **dict.fromkeys(("add a listener that raises", "add a listener that never reads"), ()),
    "kill the driver": [("outputs", Literal["fall", "hold"], "fall")],
    "set the clock": [("by", Annotated[float, Meta(ge=-31_536_000, le=31_536_000)])],
}
"""What only the project's own tests can do, with the fields that go with it."""


def _fields(act: Act) -> Sequence[Any]:
    hints = get_type_hints(act, include_extras=True)
    _launcher, *keys = signature(act).parameters.values()
    return [(key.name, hints[key.name], *(() if key.default is Parameter.empty else (key.default,))) for key in keys]


STEPS: Final[dict[str, Any]] = {
    phrase: defstruct("Step", fields, bases=(Step,), tag=phrase, frozen=True, kw_only=True)
    for phrase, fields in ({phrase: _fields(act) for phrase, act in ACTS.items()} | TEST_ONLY).items()
}
"""How a step is read, by the phrase under ``do``."""
if TYPE_CHECKING:
    AnyStep = Step
else:
    AnyStep = Union[tuple(STEPS.values())]  # noqa: UP007 (so many that they are made)
