"""Who is connected. Whoever has not shown a token cannot keep out those who have.

A connection is a stranger's until one of its requests has passed the guard. Strangers have a few places among
themselves; when one more comes, the one that has been idle for longest must go, of the address with the most of them.
Those who have passed have places of their own, as many as there may be streams and some more; of these, too, only idle
ones are closed, and when none is idle the newest is told to come back later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Protocol

STRANGERS = 64
"""Places of those who have not passed the guard: a few browsers that load the login form."""
SPARE = 64
"""Places beside the streams for those who have: pages, commands."""


class Connection(Protocol):
    """What must be known of a connection."""

    @property
    def address(self) -> str:
        """Of the other side; empty when it is not known."""
        ...

    @property
    def idle(self) -> bool:
        """No request of it waits for its answer."""
        ...

    def drop(self) -> None:
        """Close it at once; ``Connections.left`` will be told."""
        ...


class Connections:
    """All connections of one server, in the order in which they came."""

    def __init__(self, streams: int) -> None:
        self._most_known = streams + SPARE
        self._strangers: dict[Connection, None] = {}
        self._known: dict[Connection, None] = {}

    def came(self, stranger: Connection) -> None:
        """Somebody has connected."""
        self._strangers[stranger] = None
        if len(self._strangers) > STRANGERS:
            self._drop(_oldest(self._strangers) or next(iter(self._strangers)))

    def passed(self, connection: Connection) -> bool:
        """A request of it has passed the guard; return whether there is a place for it."""
        if connection not in self._strangers:  # it has a place already, or has just left
            return True
        if len(self._known) >= self._most_known:
            idle = _oldest(self._known)
            if idle is None:
                return False
            self._drop(idle)
        del self._strangers[connection]
        self._known[connection] = None
        return True

    def left(self, connection: Connection) -> None:
        """It is closed. May be told twice."""
        self._strangers.pop(connection, None)
        self._known.pop(connection, None)

    def _drop(self, connection: Connection) -> None:
        self.left(connection)
        connection.drop()


def _oldest(connections: Collection[Connection]) -> Connection | None:
    """Of the idle ones the oldest of the address that has the most of them."""
    idle = [connection for connection in connections if connection.idle]
    if not idle:
        return None
    ((crowd, _),) = Counter(connection.address for connection in idle).most_common(1)
    return next(connection for connection in idle if connection.address == crowd)
