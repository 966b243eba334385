"""The systemd unit of the service: query it, act as its user, stop it for a while."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from dispenser.system.programs import answer_of, ask

UNIT = "dispenser.service"
POWER_UNIT = "dispenser-power.path"  # Path unit that switches the computer off at the service's request
_PROPERTIES = ("LoadState", "ActiveState", "SubState", "UnitFileState", "Result", "ExecMainStatus", "NRestarts", "User")


def unit_properties(unit: str = UNIT) -> Mapping[str, str] | None:
    """Return systemd's properties of one of our units; ``None`` without systemd."""
    shown = answer_of("systemctl", "show", unit, f"--property={','.join(_PROPERTIES)}")
    return dict(line.partition("=")[::2] for line in shown.splitlines()) if shown else None


def is_active() -> bool:
    """Return whether the service runs, starts or stops."""
    unit = unit_properties() or {}
    return unit.get("ActiveState") in {"active", "activating", "reloading", "deactivating"}


@contextmanager
def acting_as(name: str) -> Iterator[None]:
    """Give this process, run by root, the UID, groups and state folder of a user within the context.

    :raises KeyError: there is no such user.
    """
    import pwd  # Unix only

    from dispenser.service.settings import SYSTEM_STATE

    user, groups = pwd.getpwnam(name), os.getgroups()
    os.environ.setdefault("STATE_DIRECTORY", str(SYSTEM_STATE))  # root has the same by default
    os.setgroups(os.getgrouplist(name, user.pw_gid))
    os.setresgid(user.pw_gid, user.pw_gid, 0)
    os.setresuid(user.pw_uid, user.pw_uid, 0)  # the real UID, too, which os.access checks
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)
        os.setresgid(0, 0, 0)
        os.setgroups(groups)


@contextmanager
def stopped() -> Iterator[None]:
    """Stop the service within the context, and start it afterwards."""
    ask("systemctl", "stop", UNIT, timeout_s=120.0)
    try:
        yield
    finally:
        ask("systemctl", "start", UNIT, timeout_s=120.0)
