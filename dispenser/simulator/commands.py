"""Commands to the simulated launcher: one struct each, defined here and nowhere else.

The routes and schemas of the HTTP API and the commands ``dispenser toy WORD`` are made from these structs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from msgspec import UNSET, Meta, Struct, UnsetType

from dispenser.i18n import Text
from dispenser.simulator.errors import LidShutError, ToyError
from dispenser.simulator.faults import ToyFault
from dispenser.simulator.view import FRESH_CELLS_V

if TYPE_CHECKING:
    from dispenser.simulator.toy import Toy

MAX_CARDS: Final = 112  # Cards in a full deck
Done = tuple[str, dict[str, Any]]  # Type and data of the journal record


class NoCardError(ToyError):
    """No card can be taken: none sticks out, or it is jammed.

    :ivar jammed: whether it is jammed.
    """

    def __init__(self, *, jammed: bool) -> None:
        super().__init__(Text("The card is jammed fast.") if jammed else Text("No card sticks out."))
        self.jammed = jammed


class ToyCommand(Struct, forbid_unknown_fields=True):
    """A person's action at the simulated launcher."""

    def carry_out(self, toy: Toy) -> Done:
        """Apply the command; raise ``ToyError`` if that is impossible now."""
        raise NotImplementedError


class Lid(ToyCommand):
    """Open or shut the lid."""

    open: Annotated[bool, Meta(description="Whether it is open.", examples=[True], extra={"words": ("open", "shut")})]

    def carry_out(self, toy: Toy) -> Done:
        if self.open:
            toy.open_lid()
        else:
            toy.close_lid()
        return "toy.lid.moved", {"open": self.open}


class Button(ToyCommand):
    """Push the button. The contact bounces, and the launcher reacts as to a real push."""

    hold_s: Annotated[float, Meta(ge=0.01, le=10, description="How long the button is held, seconds.")] = 0.15

    def carry_out(self, toy: Toy) -> Done:
        toy.push_button(self.hold_s)
        return "toy.button.pushed", {"hold_s": self.hold_s}


class Release(ToyCommand):
    """Release the button before its hold time is over."""

    def carry_out(self, toy: Toy) -> Done:
        toy.release_button()
        return "toy.button.released", {}


class Take(ToyCommand):
    """Remove the card that sticks out; with the lid open also a jammed card, which goes back onto the stack."""

    def carry_out(self, toy: Toy) -> Done:
        view = toy.view()
        if view.jammed and view.lid_open:
            toy.clear_jam()
            return "toy.jam.cleared", {}
        if taken := toy.take_card():
            return "toy.card.taken", {"cards": taken}
        raise NoCardError(jammed=view.jammed)


class Stack(ToyCommand):
    """Set the number of cards in the stack; the lid must be open. Then send `load`."""

    cards: Annotated[int, Meta(ge=0, le=MAX_CARDS, description="Cards in the stack.", examples=[60])]

    def carry_out(self, toy: Toy) -> Done:
        if not toy.view().lid_open:
            raise LidShutError(Text("the stack lies under the lid: open the lid first"))
        toy.unload()
        toy.load(self.cards)
        return "toy.stack.filled", {"cards": self.cards}


class Cells(ToyCommand):
    """Put in new cells, or cells of a given voltage."""

    voltage_v: (
        Annotated[
            float,
            Meta(
                ge=0, le=FRESH_CELLS_V, description="Voltage of all cells, volts; default: new cells.", examples=[4.1]
            ),
        ]
        | UnsetType
    ) = UNSET

    def carry_out(self, toy: Toy) -> Done:
        if self.voltage_v is UNSET:
            toy.new_cells()
        else:
            toy.set_cell_voltage(self.voltage_v)
        return "toy.cells.changed", {"voltage_v": toy.view().cell_voltage_v}


class Fault(ToyCommand):
    """Switch a fault on or off."""

    fault: Annotated[ToyFault, Meta(description="Name of the fault.", examples=["roller_jam"])]
    on: Annotated[bool, Meta(description="Whether to switch it on or off.", extra={"words": ("on", "off")})] = True
    cards: Annotated[
        int,
        Meta(ge=1, le=MAX_CARDS, description="How many cards a jam, double feed or misfeed affects."),
    ] = 1

    def carry_out(self, toy: Toy) -> Done:
        toy.switch_fault(self.fault, self.on, cards=self.cards)
        return "toy.fault.switched", {"fault": self.fault.value, "on": self.on}


TOY_COMMANDS: Final[dict[str, type[ToyCommand]]] = {
    kind.__name__.lower(): kind for kind in (Lid, Button, Release, Take, Stack, Cells, Fault)
}
"""By the word in the route ``POST /api/v1/toy/WORD`` and in the command ``dispenser toy WORD``."""
