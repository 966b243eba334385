"""Who may use the GPIO chips of this computer, and what to do when this user may not."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from dispenser.i18n import Text

GROUP = "gpio"
DEVICES = Path("/dev")
TELL_UDEV = ("sh", "-c", "udevadm control --reload && udevadm trigger --subsystem-match=gpio")
"""Lets a rule that is there already do its work."""


class WayIn(NamedTuple):
    """What must be done before this user can open a chip.

    :ivar command: what does it, for root, if a command can.
    """

    advice: Text
    command: tuple[str, ...] = ()


def way_in() -> WayIn:
    """By what the chips' device files say; called when a chip could not be opened."""
    chips = sorted(DEVICES.glob("gpiochip*"))
    if not chips:
        return WayIn(
            Text(
                "There is no {devices}/gpiochip…: on a Raspberry Pi the kernel has none, or PrivateDevices=yes in a "
                "service's unit hides it; on a computer without GPIO pins, 'dispenser demo' gives a simulated launcher"
            ).filled(devices=DEVICES)
        )
    shut = [chip for chip in chips if not os.access(chip, os.R_OK | os.W_OK)]
    if not shut:
        return WayIn(
            Text(
                "The rights of {chip} would let user {user} open it, so something else forbids it: for a service the "
                "sandbox of its unit, which needs DeviceAllow=char-gpiochip rw and may not have PrivateDevices=yes"
            ).filled(chip=chips[0], user=_user())
        )
    return _into_group(shut[0])


def _into_group(chip: Path) -> WayIn:
    group, user = _group(chip.stat().st_gid), _user()
    if group != GROUP:
        rule = Text(
            "{chip} belongs to the group {group}, and should to gpio: put systemd/udev/60-dispenser-gpio.rules into "
            "/etc/udev/rules.d, then 'sudo udevadm control --reload' and 'sudo udevadm trigger'"
        )
        return WayIn(rule.filled(chip=chip, group=group), TELL_UDEV if _has_rule() else ())
    text = Text(
        "User {user} is not in the group gpio, to which {chip} belongs: 'sudo adduser {user} gpio', then log out and "
        "in (a service: start it again)"
    )
    return WayIn(text.filled(user=user, chip=chip), ("adduser", user, GROUP))


def _has_rule() -> bool:
    return any(Path("/etc/udev/rules.d").glob("*dispenser-gpio.rules"))


def _user() -> str:
    import pwd  # no Unix has none, and no chip

    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def _group(number: int) -> str:
    import grp

    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)
