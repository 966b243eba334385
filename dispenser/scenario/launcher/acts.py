"""What a step of a scenario can do: hands on the toy, requests, faults, and trouble with the computer.

Each act is one function with the phrase that calls it; its docstring is its description.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from dispenser.launcher.messages import MAX_BURST_CARDS
from dispenser.scenario.launcher.stage import Stage
from dispenser.scenario.launcher.tables import ScenarioError, Table, closest
from dispenser.toy import ToyFault

NEEDED = object()
"""Default of a key that cannot be left out."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key of an act; bounds are for numbers, ``words`` for choices."""

    name: str
    kind: Literal["number", "whole", "text", "choice"]
    default: Any = NEEDED
    low: float = 0
    high: float = 0
    words: tuple[str, ...] = ()

    def read(self, table: Table) -> Any:
        if self.default is NEEDED and self.name not in table:
            raise ScenarioError(f"{table.name}: {self.name} is missing: this step needs it")
        default = None if self.default is NEEDED else self.default
        match self.kind:
            case "number":
                return table.number(self.name, self.low, self.high, default)
            case "whole":
                return table.whole(self.name, int(self.low), int(self.high), default)
            case "text":
                return table.text(self.name, default)
            case "choice":
                return table.choice(self.name, self.words, default)


@dataclass(frozen=True, slots=True)
class Act:
    """A phrase for ``do``, the keys that go with it, and what it does."""

    phrase: str
    keys: tuple[Key, ...]
    perform: Callable[..., None]

    def read(self, table: Table) -> dict[str, Any]:
        return {key.name: key.read(table) for key in self.keys}


ACTS: dict[str, Act] = {}


def read_act(table: Table) -> Act:
    """The act under ``do``."""
    phrase = table.needed_text("do", 'say what happens, such as do = "press button"')
    if phrase not in ACTS:
        raise table.error("do", closest(phrase, ACTS))
    return ACTS[phrase]


def _act(phrase: str, *keys: Key) -> Callable[[Callable[..., None]], Callable[..., None]]:
    def register(perform: Callable[..., None]) -> Callable[..., None]:
        ACTS[phrase] = Act(phrase, keys, perform)
        return perform

    return register


_HOLD = Key("hold", "number", 0.15, 0.001, 600)
_CARDS = Key("cards", "whole", low=1, high=999)
_REQUEST = Key("request", "text", None)
_SOURCE = Key("source", "text", "api")


# --- hands ---


@_act("press button", _HOLD)
def _press_button(stage: Stage, hold: float) -> None:
    """A finger pushes the button and lets go after ``hold`` seconds."""
    stage.toy.push_button(hold)


@_act("hold button")
def _hold_button(stage: Stage) -> None:
    """A finger pushes the button and stays there."""
    stage.toy.hold_button()


@_act("release button")
def _release_button(stage: Stage) -> None:
    """The finger lets go."""
    stage.toy.release_button()


@_act(
    "bounce button",
    Key("ms", "number", low=0.01, high=200),
    Key("edges", "whole", 6, 2, 200),
    Key("hold", "number", 0.15, 0.05, 600),
)
def _bounce_button(stage: Stage, ms: float, edges: int, hold: float) -> None:
    """One push whose contact bounces for ``ms`` milliseconds, with so many extra edges, at the push and the release."""
    stage.bounce_button(ms / 1000, edges, hold)


@_act("lid up")
def _lid_up(stage: Stage) -> None:
    """Somebody lifts the lid."""
    stage.toy.open_lid()


@_act("lid down")
def _lid_down(stage: Stage) -> None:
    """Somebody shuts the lid."""
    stage.toy.close_lid()


@_act("take card")
def _take_card(stage: Stage) -> None:
    """Somebody pulls out the card that sticks out (nothing happens when it is jammed or there is none)."""
    stage.toy.take_card()


@_act("clear the jam")
def _clear_jam(stage: Stage) -> None:
    """Somebody puts the jammed card back onto the stack; the lid must be up."""
    stage.toy.clear_jam()


@_act("put cards in", _CARDS)
def _put_cards_in(stage: Stage, cards: int) -> None:
    """Somebody puts so many more cards onto the stack and tells nobody."""
    stage.put_cards_in(cards)


@_act("take all cards out")
def _take_all_cards_out(stage: Stage) -> None:
    """Somebody empties the stack and tells nobody."""
    stage.take_cards_out()


# --- requests: what the page, the API or the command line ask for ---


@_act("press", _SOURCE, _REQUEST)
def _press(stage: Stage, source: str, request: str | None) -> None:
    """Somebody asks for a press, as the page's big button does."""
    stage.ask("press", lambda service: service.press(source, request=request), press=True, request_id=request)


@_act("eject", Key("cards", "whole", low=1, high=MAX_BURST_CARDS), _SOURCE, _REQUEST)
def _eject(stage: Stage, cards: int, source: str, request: str | None) -> None:
    """Somebody asks for exactly so many cards."""
    stage.ask(f"eject {cards}", lambda service: service.eject(cards, source, request), press=True, request_id=request)


@_act("load", _CARDS, _REQUEST)
def _load(stage: Stage, cards: int, request: str | None) -> None:
    """Somebody puts so many more cards onto the stack and tells how many are inside now."""
    stage.put_cards_in(cards)
    inside = stage.toy.view().cards_in_stack
    stage.ask(f"{inside} cards are inside", lambda service: service.load(inside, request))


@_act("say loaded", Key("cards", "whole", low=0, high=999), _REQUEST)
def _say_loaded(stage: Stage, cards: int, request: str | None) -> None:
    """Somebody tells how many cards are inside; the stack stays as it is."""
    stage.ask(f"{cards} cards are inside", lambda service: service.load(cards, request))


@_act("reset", _REQUEST)
def _reset(stage: Stage, request: str | None) -> None:
    """Somebody says that the trouble has been seen to."""
    stage.ask("reset", lambda service: service.reset(request))


@_act("enter count", Key("press", "whole", low=1, high=1_000_000), Key("cards", "whole", low=0, high=999), _REQUEST)
def _enter_count(stage: Stage, press: int, cards: int, request: str | None) -> None:
    """Somebody tells how many cards really came out at a press."""
    stage.ask(f"{cards} came out at press {press}", lambda service: service.count(press, cards, request))


# --- faults of the toy ---


def _fault(phrase: str, fault: ToyFault, about: str, *, on: bool = True, strikes: bool = False) -> None:
    def perform(stage: Stage, cards: int = 1) -> None:
        stage.toy.switch_fault(fault, on, cards=cards)

    perform.__doc__ = about
    _act(phrase, *([Key("cards", "whole", 1, 1, 999)] if strikes else []))(perform)


_fault("jam the roller", ToyFault.ROLLER_JAM, "The next ``cards`` cards jam in the light barrier.", strikes=True)
_fault("double feed", ToyFault.DOUBLE_FEED, "The next ``cards`` cards each take another one along.", strikes=True)
_fault("misfeed", ToyFault.MISFEED, "The roller slips on the next ``cards`` cards until it starts anew.", strikes=True)
_fault("flatten the cells", ToyFault.FLAT_CELLS, "The cells are flat from now on.")
_fault("motor dead", ToyFault.MOTOR_DEAD, "A motor lead comes off.")
_fault("motor works", ToyFault.MOTOR_DEAD, "The motor lead is back on.", on=False)
_fault("sensor stuck dark", ToyFault.EXIT_STUCK_DARK, "The exit sensor sees dark, whatever there is.")
_fault("sensor stuck light", ToyFault.EXIT_STUCK_LIGHT, "The exit sensor sees light, whatever there is.")
_fault("button stuck", ToyFault.BUTTON_STUCK, "The button sticks down.")
_fault("button free", ToyFault.BUTTON_STUCK, "The button comes up again.", on=False)
_fault("worn button", ToyFault.BOUNCING_BUTTON, "From now on every push and release bounces long, up to 20 ms.")
_fault("lid flutters", ToyFault.LID_CONTACT_FLUTTER, "The shut lid's switch opens for moments, again and again.")
_fault("lid is still", ToyFault.LID_CONTACT_FLUTTER, "No more of it.", on=False)
_fault("stack out of reach", ToyFault.EMPTY_STACK, "The roller reaches no card, as with an empty stack.")
_fault("stack in reach", ToyFault.EMPTY_STACK, "It reaches them again.", on=False)


@_act("sensor works")
def _sensor_works(stage: Stage) -> None:
    """The exit sensor is neither stuck dark nor stuck light."""
    for fault in (ToyFault.EXIT_STUCK_DARK, ToyFault.EXIT_STUCK_LIGHT):
        stage.toy.switch_fault(fault, on=False)


@_act("new cells")
def _new_cells(stage: Stage) -> None:
    """Somebody puts fresh cells in."""
    stage.toy.switch_fault(ToyFault.FLAT_CELLS, on=False)
    stage.toy.new_cells()


# --- trouble with the computer ---


@_act("kill the driver", Key("outputs", "choice", "fall", words=("fall", "hold")))
def _kill_driver(stage: Stage, outputs: str) -> None:
    """The GPIO chip answers no more: every use of a pin is an error. The outputs fall to off, or hold their levels."""
    stage.pins.break_down(hold_outputs=outputs == "hold")


@_act("mend the driver")
def _mend_driver(stage: Stage) -> None:
    """The GPIO chip answers again; edges of the time between were never heard."""
    stage.pins.mend()


@_act("kill the service")
def _kill_service(stage: Stage) -> None:
    """``kill -9``: not one more instruction. Outputs keep their levels until systemd turns them off, 0.1 s later."""
    stage.kill_service()


@_act("stop the service")
def _stop_service(stage: Stage) -> None:
    """Orderly, as by SIGTERM."""
    stage.stop_service()


@_act("start the service")
def _start_service(stage: Stage) -> None:
    """Again, on the same journal, the same pins and the same toy."""
    stage.start_service()


@_act("disk full")
def _disk_full(stage: Stage) -> None:
    """The journal can write nothing more."""
    stage.computer.disk.state = "full"


@_act("disk read-only")
def _disk_read_only(stage: Stage) -> None:
    """The journal's folder may only be read from now on."""
    stage.computer.disk.state = "read-only"


@_act("disk works")
def _disk_works(stage: Stage) -> None:
    """There is room again and it may be written."""
    stage.computer.disk.state = "works"


@_act("set the clock", Key("by", "number", low=-31_536_000, high=31_536_000))
def _set_clock(stage: Stage, by: float) -> None:
    """The computer's clock is set, back (below 0) or on, by so many seconds."""
    stage.computer.clock_set_by_s += by


@_act("add a listener that raises")
def _listener_raises(stage: Stage) -> None:
    """A program that listens to the service makes a mistake at every notice."""
    stage.add_raising_listener()


@_act("add a listener that never reads")
def _listener_sleeps(stage: Stage) -> None:
    """A program subscribes to all notices and never takes one."""
    stage.add_sleeping_listener()


@_act("mark")
def _mark(stage: Stage) -> None:
    """Nothing happens; with a ``name`` the moment can be referred to by ``since``."""
