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


def toy_router(showing: Showing) -> APIRouter:
    """All routes of the simulated launcher."""
    router = APIRouter(prefix="/api/v1/toy", tags=["toy"], responses=problems(*EVERYWHERE, 404))
    hands = Hands(showing)

    @router.get("", **_VIEW)
    async def look() -> dict[str, Any]:
        """What an onlooker sees of the simulated launcher."""
        return hands.look()

    acts = APIRouter(responses=problems(*ANY_COMMAND))
    _add_finger_and_lid(acts, hands)
    _add_trouble(acts, hands)
    _add_cards(acts, hands)
    router.include_router(acts)
    return router


def _add_finger_and_lid(acts: APIRouter, hands: Hands) -> None:
    @acts.post("/lid", **_VIEW)
    async def lid(command: models.ToyLid) -> dict[str, Any]:
        """Lift the lid or shut it. The contact bounces as a real one does."""
        if command.open:
            hands.toy.open_lid()
        else:
            hands.toy.close_lid()
        return hands.did("lid.moved", open=command.open)

    @acts.post("/button", **_VIEW)
    async def button(command: models.ToyButton = _NO_HOLD) -> dict[str, Any]:
        """Push the button with a finger. The answer comes as an event, like that of a real push."""
        hands.toy.push_button(command.hold_s)
        return hands.did("button.pushed", hold_s=command.hold_s)

    @acts.post("/let-go", include_in_schema=False)  # its name once
    @acts.post("/release", **_VIEW)
    async def release() -> dict[str, Any]:
        """Take the finger off the button before its time is over."""
        hands.toy.release_button()
        return hands.did("button.released")


def _add_trouble(acts: APIRouter, hands: Hands) -> None:
    @acts.post("/fault", **_VIEW)
    async def fault(command: models.ToyFault) -> dict[str, Any]:
        """Switch a fault on or off."""
        hands.toy.switch_fault(command.fault, command.on, cards=command.cards)
        return hands.did("fault.switched", fault=command.fault, on=command.on)

    @acts.post("/cells", **_VIEW)
    async def cells(command: models.ToyCells) -> dict[str, Any]:
        """Put in new cells, or cells of some voltage."""
        if (command.voltage_v is None) is not command.new:
            raise ProblemError(422, "bad_request", Text("Give voltage_v or new, one of the two."))
        if command.voltage_v is None:
            hands.toy.new_cells()
        else:
            hands.toy.set_cell_voltage(command.voltage_v)
        return hands.did("cells.changed", voltage_v=hands.toy.view().cell_voltage_v)


def _add_cards(acts: APIRouter, hands: Hands) -> None:
    @acts.post("/take-card", include_in_schema=False)  # its name once
    @acts.post("/take", **_VIEW, responses=problems(409))
    async def take() -> dict[str, Any]:
        """Take the card that sticks out; with the lid open also one that is jammed, which goes back onto the stack."""
        toy = hands.toy
        view = toy.view()
        if view.jammed and view.lid_open:
            toy.clear_jam()
            return hands.did("jam.cleared")
        if taken := toy.take_card():
            return hands.did("card.taken", cards=taken)
        if view.jammed:
            what_to_do = Text("Lift the lid, then take it.")
            raise ProblemError(409, "jammed_fast", Text("The card is jammed fast."), what_to_do)
        raise ProblemError(409, "no_card", Text("No card sticks out."))

    @acts.post("/stack", **_VIEW, responses=problems(409))
    async def stack(command: models.ToyStack) -> dict[str, Any]:
        """Under the open lid, put in or take out cards until so many are in the stack. Then tell `/load`."""
        toy = hands.toy
        if not toy.view().lid_open:
            raise ProblemError(409, "lid_shut", Text("The stack lies under the lid."), Text("Lift the lid first."))
        before = toy.unload()
        try:
            toy.load(command.cards)
        except ToyValueError:
            toy.load(before)
            raise
        return hands.did("stack.filled", cards=command.cards)
