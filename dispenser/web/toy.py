"""Routes that move the simulated launcher, ``/api/v1/toy``. On a real one every address here is 404."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Response
from msgspec import UNSET

from dispenser.simulator.errors import ToyValueError
from dispenser.web import models
from dispenser.web.api import SOURCE, told
from dispenser.web.errors import ProblemError
from dispenser.web.schemas import EVERYWHERE, answer, problems, takes

if TYPE_CHECKING:
    from dispenser.simulator import Toy
    from dispenser.web.show import Showing

_NOT_THIS = {404: "This is a real launcher: use your hands."}
_NOT_NOW = problems({409: "Not as things are now."})


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
            raise ProblemError("not_simulated")
        return toy

    def look(self) -> Response:
        return told(models.seen(self.toy.view()))

    def did(self, act: str, **data: Any) -> Response:
        self._showing.note(f"toy.{act}", data, SOURCE)
        return self.look()

    def take(self) -> Response:
        """:raises ProblemError: 409 when there is no card to take."""
        toy, view = self.toy, self.toy.view()
        if view.jammed and view.lid_open:
            toy.clear_jam()
            return self.did("jam.cleared")
        if taken := toy.take_card():
            return self.did("card.taken", cards=taken)
        if view.jammed:
            raise ProblemError("jammed_fast")
        raise ProblemError("no_card")

    def fill_stack(self, cards: int) -> Response:
        """:raises ProblemError: 409 with the lid shut."""
        toy = self.toy
        if not toy.view().lid_open:
            raise ProblemError("lid_shut")
        before = toy.unload()
        try:
            toy.load(cards)
        except ToyValueError:
            toy.load(before)
            raise
        return self.did("stack.filled", cards=cards)


def toy_router(showing: Showing) -> APIRouter:
    """All routes of the simulated launcher."""
    answers = {200: answer(models.ToyNow, "The simulated launcher now."), **problems({**EVERYWHERE, **_NOT_THIS})}
    router = APIRouter(prefix="/api/v1/toy", tags=["toy"], responses=answers)
    hands = Hands(showing)

    @router.get("", response_class=Response)
    async def look() -> Response:
        """What an onlooker sees of the simulated launcher."""
        return hands.look()

    _add_acts(router, hands)
    return router


def _add_acts(router: APIRouter, hands: Hands) -> None:
    @takes(router, "/lid")
    async def lid(command: models.ToyLid) -> Response:
        """Lift the lid or shut it. The contact bounces as a real one does."""
        if command.open:
            hands.toy.open_lid()
        else:
            hands.toy.close_lid()
        return hands.did("lid.moved", open=command.open)

    @takes(router, "/button")
    async def button(command: models.ToyButton) -> Response:
        """Push the button with a finger. The answer comes as an event, like that of a real push."""
        hands.toy.push_button(command.hold_s)
        return hands.did("button.pushed", hold_s=command.hold_s)

    @takes(router, "/release")
    async def release(command: models.ToyHand) -> Response:  # noqa: ARG001 - nothing more to say
        """Take the finger off the button before its time is over."""
        hands.toy.release_button()
        return hands.did("button.released")

    @takes(router, "/fault")
    async def fault(command: models.ToyTrouble) -> Response:
        """Switch a fault on or off."""
        hands.toy.switch_fault(command.fault, command.on, cards=command.cards)
        return hands.did("fault.switched", fault=command.fault.value, on=command.on)

    @takes(router, "/cells")
    async def cells(command: models.ToyCells) -> Response:
        """Put in new cells, or cells of some voltage."""
        if command.voltage_v is UNSET:
            hands.toy.new_cells()
        else:
            hands.toy.set_cell_voltage(command.voltage_v)
        return hands.did("cells.changed", voltage_v=hands.toy.view().cell_voltage_v)

    @takes(router, "/take", responses=_NOT_NOW)
    async def take(command: models.ToyHand) -> Response:  # noqa: ARG001 - nothing more to say
        """Take the card that sticks out; with the lid open also one that is jammed, which goes back onto the stack."""
        return hands.take()

    @takes(router, "/stack", responses=_NOT_NOW)
    async def stack(command: models.ToyStack) -> Response:
        """Under the open lid, put in or take out cards until so many are in the stack. Then tell `/load`."""
        return hands.fill_stack(command.cards)
