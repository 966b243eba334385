"""What the page can show: a launcher with its own brain, or a toy that somebody's script drives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from dispenser.journal import Journal
    from dispenser.service.hub import Hub, Reading
    from dispenser.toy import Toy


class Showing(Protocol):
    """As far as listeners and hands on the toy need it; ``Service`` and ``ScriptShow`` both are one."""

    @property
    def toy(self) -> Toy | None: ...

    @property
    def hub(self) -> Hub: ...

    @property
    def journal(self) -> Journal: ...

    @property
    def reading(self) -> Reading: ...

    def snapshot(self) -> dict[str, Any]: ...

    async def rest(self) -> None: ...

    def note(self, type_: str, data: dict[str, Any], source: str = "toy") -> object: ...
