"""Commands to the simulated launcher: one struct each, defined here and nowhere else.

The routes and schemas of the HTTP API and the commands ``dispenser simulator WORD`` are made from these structs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from msgspec import UNSET, Meta, Struct, UnsetType

from dispenser.i18n import Text
from dispenser.simulator.errors import LidShutError, SimulatorError
from dispenser.simulator.faults import SimulatorFault
from dispenser.simulator.view import FRESH_CELLS_V

if TYPE_CHECKING:
    from dispenser.simulator.launcher import Simulator

MAX_CARDS: Final = 112  # Cards in a full deck
Done = tuple[str, dict[str, Any]]  # Type and data of the journal record


class NoCardError(SimulatorError):
    """No card can be taken: none sticks out, or it is jammed.

    :ivar jammed: whether it is jammed.
    """

    def __init__(self, *, jammed: bool) -> None:
        super().__init__(Text("The card is jammed fast.") if jammed else Text("No card sticks out."))
        self.jammed = jammed


class SimulatorCommand(Struct, forbid_unknown_fields=True):
    """A person's action at the simulated launcher."""

    def carry_out(self, simulator: Simulator) -> Done:
        """Apply the command; raise ``SimulatorError`` if that is impossible now."""
        raise NotImplementedError


class Lid(SimulatorCommand):
    """Open or shut the lid."""

    open: Annotated[bool, Meta(description="Whether it is open.", examples=[True], extra={"words": ("open", "shut")})]

    def carry_out(self, simulator: Simulator) -> Done:
        if self.open:
            simulator.open_lid()
        else:
            simulator.close_lid()
        return "simulator.lid.moved", {"open": self.open}


class Button(SimulatorCommand):
    """Push the button. The contact bounces, and the launcher reacts as to a real push."""

    hold_s: Annotated[float, Meta(ge=0.01, le=10, description="How long the button is held, seconds.")] = 0.15

    def carry_out(self, simulator: Simulator) -> Done:
        simulator.push_button(self.hold_s)
        return "simulator.button.pushed", {"hold_s": self.hold_s}


class Release(SimulatorCommand):
    """Release the button before its hold time is over."""

    def carry_out(self, simulator: Simulator) -> Done:
        simulator.release_button()
        return "simulator.button.released", {}


class Take(SimulatorCommand):
    """Remove the card that sticks out; with the lid open also a jammed card, which goes back onto the stack."""

    def carry_out(self, simulator: Simulator) -> Done:
        view = simulator.view()
        if view.jammed and view.lid_open:
            simulator.clear_jam()
            return "simulator.jam.cleared", {}
        if taken := simulator.take_card():
            return "simulator.card.taken", {"cards": taken}
        raise NoCardError(jammed=view.jammed)


class Stack(SimulatorCommand):
    """Set the number of cards in the stack; the lid must be open. Then send `load`."""

    cards: Annotated[int, Meta(ge=0, le=MAX_CARDS, description="Cards in the stack.", examples=[60])]

    def carry_out(self, simulator: Simulator) -> Done:
        if not simulator.view().lid_open:
            raise LidShutError(Text("the stack lies under the lid"))
        simulator.unload()
        simulator.load(self.cards)
        return "simulator.stack.filled", {"cards": self.cards}


class Cells(SimulatorCommand):
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

    def carry_out(self, simulator: Simulator) -> Done:
        if self.voltage_v is UNSET:
            simulator.new_cells()
        else:
            simulator.set_cell_voltage(self.voltage_v)
        return "simulator.cells.changed", {"voltage_v": simulator.view().cell_voltage_v}


class Fault(SimulatorCommand):
    """Switch a fault on or off."""

    fault: Annotated[SimulatorFault, Meta(description="Name of the fault.", examples=["roller_jam"])]
    on: Annotated[bool, Meta(description="Whether to switch it on or off.", extra={"words": ("on", "off")})] = True
    cards: Annotated[
        int,
        Meta(ge=1, le=MAX_CARDS, description="How many cards a jam, double feed or misfeed affects."),
    ] = 1

    def carry_out(self, simulator: Simulator) -> Done:
        simulator.switch_fault(self.fault, self.on, cards=self.cards)
        return "simulator.fault.switched", {"fault": self.fault.value, "on": self.on}


SIMULATOR_COMMANDS: Final[dict[str, type[SimulatorCommand]]] = {
    kind.__name__.lower(): kind for kind in (Lid, Button, Release, Take, Stack, Cells, Fault)
}
"""By the word in the route ``POST /api/v1/simulator/WORD`` and in the command ``dispenser simulator WORD``."""
