"""Routes that move the simulated launcher, ``/api/v1/toy``. On a real one every address here is 404."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter, Response

from dispenser.simulator.commands import TOY_COMMANDS, NoCardError, ToyCommand
from dispenser.web import models
from dispenser.web.api import SOURCE, told
from dispenser.web.errors import ProblemError
from dispenser.web.schemas import EVERYWHERE, answer, problems, takes

if TYPE_CHECKING:
    from dispenser.simulator import Toy
    from dispenser.web.show import Showing

_NOT_THIS = {404: "This is a real launcher: use your hands."}
_NOT_NOW = {409: "Not as things are now."}


def toy_router(showing: Showing) -> APIRouter:
    """All routes of the simulated launcher.

    A command is done first, then written down, so that only what happened is in the journal. The launcher notices
    through its pins, a moment later, like a real one.
    """
    answers = {
        200: answer(models.ToyNow, "The simulated launcher now."),
        **problems({**EVERYWHERE, **_NOT_THIS, **_NOT_NOW}),
    }
    router = APIRouter(prefix="/api/v1/toy", tags=["toy"], responses=answers)

    def simulated() -> Toy:
        if showing.toy is None:
            raise ProblemError("not_simulated")
        return showing.toy

    @router.get("", response_class=Response)
    async def look() -> Response:
        """What an onlooker sees of the simulated launcher."""
        return told(models.seen(simulated().view()))

    async def carry_out(command: ToyCommand) -> Response:
        try:
            type_, data = command.carry_out(simulated())
        except NoCardError as error:
            raise ProblemError("jammed_fast" if error.jammed else "no_card") from error
        showing.note(type_, data, SOURCE)
        return await look()

    for word, kind in TOY_COMMANDS.items():
        takes(router, f"/{word}", kind)(carry_out)
    return router
