"""Hands on the simulated launcher, ``/api/v1/toy``. On a real one every address here is 404."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter

from dispenser.language import Text
from dispenser.toy.errors import ToyValueError
from dispenser.toy.faults import ToyFault
from dispenser.web import models
from dispenser.web.api import ANY_COMMAND, SOURCE, problems
from dispenser.web.docs import EVERYWHERE
from dispenser.web.errors import ProblemError

if TYPE_CHECKING:
    from dispenser.toy import Toy
    from dispenser.web.showing import Showing

_NO_HOLD = models.ToyButton()
_VIEW: dict[str, Any] = {"response_model": models.ToyOut, "response_description": "The simulated launcher now."}


class Hands:
    """What a person does to the toy: done first, then written down, so that only what happened is in the journal.

    The launcher notices through its pins, a moment later, like a real one.
    """

    def __init__(self, showing: Showing) -> None:
        self._showing = showing

    @property
    def toy(self) -> Toy:
        """:raises ProblemError: 404 on a real launcher."""
        toy = self._showing.toy
        if toy is None:
            raise ProblemError(404, "not_simulated", Text("This is a real launcher."), Text("Use your hands."))
        return toy

    def look(self) -> dict[str, Any]:
        view = dataclasses.asdict(self.toy.view())
        return {**view, "faults": {fault.value: fault.value in view["faults"] for fault in ToyFault}}

    def did(self, act: str, **data: Any) -> dict[str, Any]:
        self._showing.note(f"toy.{act}", data, SOURCE)
        return self.look()

    def move_lid(self, *, lid_open: bool) -> dict[str, Any]:
        if lid_open:
            self.toy.open_lid()
        else:
            self.toy.close_lid()
        return self.did("lid.moved", open=lid_open)

    def push_button(self, hold_s: float) -> dict[str, Any]:
        self.toy.push_button(hold_s)
        return self.did("button.pushed", hold_s=hold_s)

    def let_go(self) -> dict[str, Any]:
        self.toy.release_button()
        return self.did("button.released")

    def switch_fault(self, fault: str, *, on: bool, cards: int) -> dict[str, Any]:
        self.toy.switch_fault(fault, on, cards=cards)
        return self.did("fault.switched", fault=fault, on=on)

    def change_cells(self, voltage_v: float | None) -> dict[str, Any]:
        if voltage_v is None:
            self.toy.new_cells()
        else:
            self.toy.set_cell_voltage(voltage_v)
        return self.did("cells.changed", voltage_v=self.toy.view().cell_voltage_v)

    def take_card(self) -> dict[str, Any]:
        """The card that sticks out; under the open lid also one that is jammed, which goes back onto the stack."""
        view = self.toy.view()
        if view.jammed and view.lid_open:
            self.toy.clear_jam()
            return self.did("jam.cleared")
        taken = self.toy.take_card()
        if not taken and view.jammed:
            raise ProblemError(
                409, "jammed_fast", Text("The card is jammed fast."), Text("Lift the lid, then take it.")
            )
        if not taken:
            raise ProblemError(409, "no_card", Text("No card sticks out."))
        return self.did("card.taken", cards=taken)

    def fill_stack(self, cards: int) -> dict[str, Any]:
        if not self.toy.view().lid_open:
            raise ProblemError(409, "lid_shut", Text("The stack lies under the lid."), Text("Lift the lid first."))
        before = self.toy.unload()
        try:
            self.toy.load(cards)
        except ToyValueError:
            self.toy.load(before)
            raise
        return self.did("stack.filled", cards=cards)


def toy_router(showing: Showing) -> APIRouter:
    """All routes of the simulated launcher."""
    router = APIRouter(prefix="/api/v1/toy", tags=["toy"], responses=problems(*EVERYWHERE, 404))
    hands = Hands(showing)

    @router.get("", **_VIEW)
    async def look() -> dict[str, Any]:
        """What an onlooker sees of the simulated launcher."""
        return hands.look()

    acts = APIRouter(responses=problems(*ANY_COMMAND))

    @acts.post("/lid", **_VIEW)
    async def lid(command: models.ToyLid) -> dict[str, Any]:
        """Lift the lid or shut it. The contact bounces as a real one does."""
        return hands.move_lid(lid_open=command.open)

    @acts.post("/button", **_VIEW)
    async def button(command: models.ToyButton = _NO_HOLD) -> dict[str, Any]:
        """Push the button with a finger. The answer comes as an event, like that of a real push."""
        return hands.push_button(command.hold_s)

    @acts.post("/let-go", include_in_schema=False)  # its name once
    @acts.post("/release", **_VIEW)
    async def release() -> dict[str, Any]:
        """Take the finger off the button before its time is over."""
        return hands.let_go()

    @acts.post("/fault", **_VIEW)
    async def fault(command: models.ToyFault) -> dict[str, Any]:
        """Switch a fault on or off."""
        return hands.switch_fault(command.fault, on=command.on, cards=command.cards)

    @acts.post("/cells", **_VIEW)
    async def cells(command: models.ToyCells) -> dict[str, Any]:
        """Put in new cells, or cells of some voltage."""
        if (command.voltage_v is None) is not command.new:
            raise ProblemError(422, "bad_request", Text("Give voltage_v or new, one of the two."))
        return hands.change_cells(command.voltage_v)

    @acts.post("/take-card", include_in_schema=False)  # its name once
    @acts.post("/take", **_VIEW, responses=problems(409))
    async def take() -> dict[str, Any]:
        """Take the card that sticks out; with the lid open also one that is jammed."""
        return hands.take_card()

    @acts.post("/stack", **_VIEW, responses=problems(409))
    async def stack(command: models.ToyStack) -> dict[str, Any]:
        """Under the open lid, put in or take out cards until so many are in the stack. Then tell `/load`."""
        return hands.fill_stack(command.cards)

    router.include_router(acts)
    return router
