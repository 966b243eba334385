"""The systemd unit of the service: query it, act as its user, stop it for a while."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from dispenser.system.programs import answer_of, ask

UNIT = "dispenser.service"
POWER_UNIT = "dispenser-power.path"  # Waits for the service to ask that the computer be switched off
_PROPERTIES = ("LoadState", "ActiveState", "SubState", "UnitFileState", "Result", "ExecMainStatus", "NRestarts", "User")


def unit_properties(unit: str = UNIT) -> Mapping[str, str] | None:
    """What systemd knows of a unit of ours; ``None`` where systemd does not run."""
    shown = answer_of("systemctl", "show", unit, f"--property={','.join(_PROPERTIES)}")
    return dict(line.partition("=")[::2] for line in shown.splitlines()) if shown else None


def is_active() -> bool:
    """Whether the service runs, or is about to."""
    unit = unit_properties() or {}
    return unit.get("ActiveState") in {"active", "activating", "reloading", "deactivating"}


@contextmanager
def acting_as(name: str) -> Iterator[None]:
    """Inside, this process of root's has the rights of that user: its number, its groups, the service's state folder.

    :raises KeyError: there is no such user.
    """
    import pwd  # only where there is Unix

    from dispenser.service.settings import SYSTEM_STATE

    user, groups = pwd.getpwnam(name), os.getgroups()
    os.environ.setdefault("STATE_DIRECTORY", str(SYSTEM_STATE))  # root has the same by default
    os.setgroups(os.getgrouplist(name, user.pw_gid))
    os.setresgid(user.pw_gid, user.pw_gid, 0)
    os.setresuid(user.pw_uid, user.pw_uid, 0)  # the real one, too: os.access asks for it
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)
        os.setresgid(0, 0, 0)
        os.setgroups(groups)


@contextmanager
def stopped() -> Iterator[None]:
    """Inside, the service does not run; afterwards it does."""
    ask("systemctl", "stop", UNIT, timeout_s=120.0)
    try:
        yield
    finally:
        ask("systemctl", "start", UNIT, timeout_s=120.0)
