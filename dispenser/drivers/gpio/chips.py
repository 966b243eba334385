"""Who may use the GPIO chips of this computer, and what to do when this user may not."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from dispenser.i18n import Text

GROUP = "gpio"
DEVICES = Path("/dev")
RELOAD_UDEV = ("sh", "-c", "udevadm control --reload && udevadm trigger --subsystem-match=gpio")


class AccessAdvice(NamedTuple):
    """What must be done before this user can open a chip.

    :ivar command: does it, for root, if a command can.
    """

    text: Text
    command: tuple[str, ...] = ()


def access_advice() -> AccessAdvice:
    """By the rights of the chips' device files; called when a chip could not be opened."""
    chips = sorted(DEVICES.glob("gpiochip*"))
    if not chips:
        text = Text(
            "There is no {devices}/gpiochip…: on a Raspberry Pi the kernel has none, or PrivateDevices=yes in a "
            "service's unit hides it; on a computer without GPIO pins, 'dispenser demo' gives a simulated launcher"
        )
        return AccessAdvice(text.filled(devices=DEVICES))
    import pwd

    user = pwd.getpwuid(os.geteuid()).pw_name
    chip = next((chip for chip in chips if not os.access(chip, os.R_OK | os.W_OK)), None)
    if chip is None:
        text = Text(
            "The rights of {chip} would let user {user} open it, so something else forbids it: for a service the "
            "sandbox of its unit, which needs DeviceAllow=char-gpiochip rw and may not have PrivateDevices=yes"
        )
        return AccessAdvice(text.filled(chip=chips[0], user=user))
    if (group := chip.group()) != GROUP:
        text = Text(
            "{chip} belongs to the group {group}, and should to gpio: put systemd/udev/60-dispenser-gpio.rules into "
            "/etc/udev/rules.d, then 'sudo udevadm control --reload' and 'sudo udevadm trigger'"
        )
        has_rule = any(Path("/etc/udev/rules.d").glob("*dispenser-gpio.rules"))
        return AccessAdvice(text.filled(chip=chip, group=group), RELOAD_UDEV if has_rule else ())
    text = Text(
        "User {user} is not in the group gpio, to which {chip} belongs: 'sudo adduser {user} gpio', then log out and "
        "in (a service: start it again)"
    )
    return AccessAdvice(text.filled(user=user, chip=chip), ("adduser", user, GROUP))
