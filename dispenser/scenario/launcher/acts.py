"""What a step of a scenario can do: hands on the toy, requests, faults, and trouble with the computer.

Each act is a table: the phrase under ``do``, the keys that go with it, and what it does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Union

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct
from msgspec import field as named

from dispenser.language import Text
from dispenser.launcher.messages import MAX_BURST_CARDS
from dispenser.scenario.launcher.notices import NoticePattern, NoticeType, Seconds, Words
from dispenser.scenario.launcher.stage import Stage
from dispenser.tables import WrongValueError
from dispenser.toy import ToyFault

Times = Annotated[int, Meta(ge=1, le=100_000)]
Cards = Annotated[int, Meta(ge=1, le=999)]
Hold = Annotated[float, Meta(ge=0.001, le=600)]
_WHEN: Final = Text("when? Write at = … or after = … (seconds), or when = a notice")
_ONE_TIME: Final = Text("give at, or after, or when (which may have after), not all of them")
_NO_NOTICE: Final = Text("it describes a notice: add {key}, or leave it out")
_HOW_FAR_APART: Final = Text("say how many seconds lie between two: every = …")


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
            raise WrongValueError(_NO_NOTICE.filled(key="when"), "with_")
        if self.at is UNSET and self.after is UNSET and not self.when:
            raise WrongValueError(_WHEN)
        if self.at is not UNSET and (self.after is not UNSET or self.when):
            raise WrongValueError(_ONE_TIME, "at")
        if self.times > 1 and not self.every:
            raise WrongValueError(_HOW_FAR_APART, "times")

    @property
    def phrase(self) -> str:
        """What stands under ``do``."""
        return str(self.__struct_config__.tag)

    @property
    def words(self) -> str:
        """What happens, with its keys."""
        own = {key: getattr(self, key) for key in self.__struct_fields__ if key not in Step.__struct_fields__}
        return " ".join([self.phrase, *(f"{key}={value}" for key, value in own.items() if value is not UNSET)])

    def awaited(self) -> NoticePattern | None:
        """The notice that the step waits for."""
        return NoticePattern.read(self.when, self.with_) if self.when else None

    def perform(self, stage: Stage) -> None:
        raise NotImplementedError


class _PressButton(Step, frozen=True, kw_only=True, tag="press button"):
    hold: Hold = 0.15

    def perform(self, stage: Stage) -> None:
        stage.toy.push_button(self.hold)


class _BounceButton(Step, frozen=True, kw_only=True, tag="bounce button"):
    ms: Annotated[float, Meta(ge=0.01, le=200)]
    edges: Annotated[int, Meta(ge=2, le=200)] = 6
    hold: Annotated[float, Meta(ge=0.05, le=600)] = 0.15

    def perform(self, stage: Stage) -> None:
        stage.bounce_button(self.ms / 1000, self.edges, self.hold)


class _PutCardsIn(Step, frozen=True, kw_only=True, tag="put cards in"):
    cards: Cards

    def perform(self, stage: Stage) -> None:
        stage.put_cards_in(self.cards)


# --- people and programs at the service ---


class _Request(Step, frozen=True, kw_only=True):
    """``request`` is an id of theirs: the same again is the same request."""

    request: Words | UnsetType = UNSET


class _Press(_Request, frozen=True, kw_only=True, tag="press"):
    source: Words = "api"

    def perform(self, stage: Stage) -> None:
        request = self.request or None
        stage.ask("press", lambda service: service.press(self.source, request=request), press=True, request_id=request)


class _Eject(_Request, frozen=True, kw_only=True, tag="eject"):
    cards: Annotated[int, Meta(ge=1, le=MAX_BURST_CARDS)]
    source: Words = "api"

    def perform(self, stage: Stage) -> None:
        cards, source, request = self.cards, self.source, self.request or None
        stage.ask(
            f"eject {cards}", lambda service: service.press(source, cards, request), press=True, request_id=request
        )


class _Load(_Request, frozen=True, kw_only=True, tag="load"):
    cards: Cards

    def perform(self, stage: Stage) -> None:
        stage.put_cards_in(self.cards)
        _say_loaded(stage, stage.toy.view().cards_in_stack, self.request or None)


class _SayLoaded(_Request, frozen=True, kw_only=True, tag="say loaded"):
    cards: Annotated[int, Meta(ge=0, le=999)]

    def perform(self, stage: Stage) -> None:
        _say_loaded(stage, self.cards, self.request or None)


def _say_loaded(stage: Stage, cards: int, request: str | None) -> None:
    stage.ask(f"{cards} cards are inside", lambda service: service.load(cards, request))


class _Reset(_Request, frozen=True, kw_only=True, tag="reset"):
    def perform(self, stage: Stage) -> None:
        stage.ask("reset", lambda service: service.reset(self.request or None))


class _EnterCount(_Request, frozen=True, kw_only=True, tag="enter count"):
    press: Annotated[int, Meta(ge=1, le=1_000_000)]
    cards: Annotated[int, Meta(ge=0, le=999)]

    def perform(self, stage: Stage) -> None:
        press, cards = self.press, self.cards
        words = f"{cards} came out at press {press}"
        stage.ask(words, lambda service: service.count(press, cards, self.request or None))


# --- trouble ---


class _KillDriver(Step, frozen=True, kw_only=True, tag="kill the driver"):
    """The outputs fall to off, or hold their levels."""

    outputs: Literal["fall", "hold"] = "fall"

    def perform(self, stage: Stage) -> None:
        stage.pins.break_down(hold_outputs=self.outputs == "hold")


class _SetClock(Step, frozen=True, kw_only=True, tag="set the clock"):
    """Back (below 0) or on, by so many seconds."""

    by: Annotated[float, Meta(ge=-31_536_000, le=31_536_000)]

    def perform(self, stage: Stage) -> None:
        stage.computer.clock_set_by_s += self.by


class _Strike(Step, frozen=True, kw_only=True):
    """A fault that strikes the next ``cards`` cards."""

    cards: Cards = 1


def _switched(fault: ToyFault, stage: Stage, *, on: bool) -> None:
    stage.toy.switch_fault(fault, on)


def _sensor_works(stage: Stage) -> None:
    for fault in (ToyFault.EXIT_STUCK_DARK, ToyFault.EXIT_STUCK_LIGHT):
        stage.toy.switch_fault(fault, on=False)


def _new_cells(stage: Stage) -> None:
    stage.toy.switch_fault(ToyFault.FLAT_CELLS, on=False)
    stage.toy.new_cells()


def _disk(state: Literal["works", "full", "read-only"], stage: Stage) -> None:
    stage.computer.disk.state = state


_STRIKES: Final = {
    "jam the roller": ToyFault.ROLLER_JAM,
    "double feed": ToyFault.DOUBLE_FEED,
    "misfeed": ToyFault.MISFEED,
}
_FAULTS: Final = {
    "flatten the cells": (ToyFault.FLAT_CELLS, True),
    "motor dead": (ToyFault.MOTOR_DEAD, True),
    "motor works": (ToyFault.MOTOR_DEAD, False),
    "sensor stuck dark": (ToyFault.EXIT_STUCK_DARK, True),
    "sensor stuck light": (ToyFault.EXIT_STUCK_LIGHT, True),
    "button stuck": (ToyFault.BUTTON_STUCK, True),
    "button free": (ToyFault.BUTTON_STUCK, False),
    "worn button": (ToyFault.BOUNCING_BUTTON, True),
    "lid flutters": (ToyFault.LID_CONTACT_FLUTTER, True),
    "lid is still": (ToyFault.LID_CONTACT_FLUTTER, False),
    "stack out of reach": (ToyFault.EMPTY_STACK, True),
    "stack in reach": (ToyFault.EMPTY_STACK, False),
}
_PLAIN: Final[dict[str, Callable[[Stage], object]]] = {
    "hold button": lambda stage: stage.toy.hold_button(),
    "release button": lambda stage: stage.toy.release_button(),
    "lid up": lambda stage: stage.toy.open_lid(),
    "lid down": lambda stage: stage.toy.close_lid(),
    "take card": lambda stage: stage.toy.take_card(),
    "clear the jam": lambda stage: stage.toy.clear_jam(),
    "take all cards out": Stage.take_cards_out,
    "sensor works": _sensor_works,
    "new cells": _new_cells,
    "mend the driver": lambda stage: stage.pins.mend(),
    "kill the service": Stage.kill_service,
    "stop the service": Stage.stop_service,
    "start the service": Stage.start_service,
    "disk full": partial(_disk, "full"),
    "disk read-only": partial(_disk, "read-only"),
    "disk works": partial(_disk, "works"),
    "add a listener that raises": Stage.add_raising_listener,
    "add a listener that never reads": Stage.add_sleeping_listener,
    "mark": lambda _: None,
    **{phrase: partial(_switched, fault, on=on) for phrase, (fault, on) in _FAULTS.items()},
}


def _act(phrase: str, perform: Callable[[Any, Stage], object], base: type[Step] = Step) -> type[Step]:
    """An act without keys of its own."""
    namespace = {"perform": perform}
    made: Any = defstruct("Act", [], bases=(base,), namespace=namespace, tag=phrase, frozen=True, kw_only=True)
    return made  # type: ignore[no-any-return]


def _struck(fault: ToyFault) -> Callable[[_Strike, Stage], None]:
    return lambda self, stage: stage.toy.switch_fault(fault, cards=self.cards)


def _plainly(do: Callable[[Stage], object]) -> Callable[[Step, Stage], object]:
    return lambda _, stage: do(stage)


_WITH_KEYS: Final[tuple[type[Step], ...]] = (
    *(_PressButton, _BounceButton, _PutCardsIn, _Press, _Eject, _Load, _SayLoaded, _Reset, _EnterCount),
    *(_KillDriver, _SetClock),
)
ACTS: Final[dict[str, type[Step]]] = {
    **{str(act.__struct_config__.tag): act for act in _WITH_KEYS},
    **{phrase: _act(phrase, _struck(fault), _Strike) for phrase, fault in _STRIKES.items()},
    **{phrase: _act(phrase, _plainly(do)) for phrase, do in _PLAIN.items()},
}
"""All that can happen, by the phrase under ``do``."""
if TYPE_CHECKING:
    AnyStep = Step
else:
    AnyStep = Union[tuple(ACTS.values())]  # noqa: UP007 (so many that they are made)
