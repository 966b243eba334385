"""Open gpiozero's pin factory for lgpio, or raise an error; there is no other factory to fall back on."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, chdir, contextmanager
from pathlib import Path
from typing import Any

from gpiozero import GPIOZeroError

from dispenser.drivers.base import PinsUnavailableError
from dispenser.drivers.gpio.boot_config import who_takes
from dispenser.i18n import Text

GROUP = "gpio"
DEVICES = Path("/dev")
RELOAD_UDEV = ("sh", "-c", "udevadm control --reload && udevadm trigger --subsystem-match=gpio")
_NO_HARDWARE = Text("on a computer without GPIO pins, 'dispenser demo' gives a simulated launcher")


def pin_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions of gpiozero and lgpio for an unusable pin; lgpio's own have no base class."""
    return (GPIOZeroError, OSError, *([sys.modules["lgpio"].error] if "lgpio" in sys.modules else []))


def who_has(error: Exception, gpios: Mapping[str, int]) -> Text | None:
    """Return which line of the boot configuration claims our pins, if a pin is busy; ``None`` if there is none.

    :param gpios: name to GPIO.
    """
    is_busy = "busy" in str(error).lower() or getattr(error, "errno", None) == errno.EBUSY
    return who_takes(gpios) if is_busy else None


def open_pin_factory() -> Any:
    """Return lgpio's pin factory of this Raspberry Pi.

    :raises PinsUnavailableError: the pins cannot be used here; the text says what to do.
    """
    try:
        with _own_lgpio_directory():
            from gpiozero.pins.lgpio import LGPIOFactory

            return LGPIOFactory()
    except ImportError as error:
        text = Text(
            "no GPIO here: the Python module lgpio is missing ({error}). On a Raspberry Pi: 'sudo apt install "
            "python3-lgpio' and a virtual environment with --system-site-packages; {advice}"
        )
        raise PinsUnavailableError(text.filled(error=error, advice=_NO_HARDWARE)) from error
    except Exception as error:  # lgpio raises its own bare errors
        if type(error).__module__ != "lgpio" and not isinstance(error, GPIOZeroError | OSError):
            raise
        text = Text("no GPIO here: lgpio cannot open the chip ({kind}: {error}). {advice}")
        filled = text.filled(kind=type(error).__name__, error=error, advice=access_advice()[0])
        raise PinsUnavailableError(filled) from error


def access_advice() -> tuple[Text, tuple[str, ...]]:
    """Return what gives this user access to a chip, from the permissions of the device files; and the command for it,
    to be run by root, if there is one.
    """
    chips = sorted(DEVICES.glob("gpiochip*"))
    if not chips:
        text = Text(
            "There is no {devices}/gpiochip…: on a Raspberry Pi the kernel has none, or PrivateDevices=yes in a "
            "service's unit hides it; on a computer without GPIO pins, 'dispenser demo' gives a simulated launcher"
        )
        return text.filled(devices=DEVICES), ()
    import pwd  # not available on systems without such chips

    user = pwd.getpwuid(os.geteuid()).pw_name
    chip = next((chip for chip in chips if not os.access(chip, os.R_OK | os.W_OK)), None)
    if chip is None:
        text = Text(
            "The rights of {chip} would let user {user} open it, so something else forbids it: for a service the "
            "sandbox of its unit, which needs DeviceAllow=char-gpiochip rw and may not have PrivateDevices=yes"
        )
        return text.filled(chip=chips[0], user=user), ()
    if (group := chip.group()) != GROUP:
        text = Text(
            "{chip} belongs to the group {group}, and should to gpio: put systemd/udev/60-dispenser-gpio.rules into "
            "/etc/udev/rules.d, then 'sudo udevadm control --reload' and 'sudo udevadm trigger'"
        )
        has_rule = any(Path("/etc/udev/rules.d").glob("*dispenser-gpio.rules"))
        return text.filled(chip=chip, group=group), RELOAD_UDEV if has_rule else ()
    text = Text(
        "User {user} is not in the group gpio, to which {chip} belongs: 'sudo adduser {user} gpio', then log out and "
        "in (a service: start it again)"
    )
    return text.filled(user=user, chip=chip), ("adduser", user, GROUP)


@contextmanager
def _own_lgpio_directory() -> Iterator[None]:
    """Give lgpio a directory of its own for its FIFO; afterwards remove it and restore the working directory.

    On import lgpio changes into ``LG_WD``, creates a FIFO there through which it receives edges, and opens both ends:
    two programs in one directory would take each other's. The file name is not needed after that.
    """
    with chdir("."), ExitStack() as stack:
        if "LG_WD" not in os.environ and "lgpio" not in sys.modules:
            parent = os.environ.get("RUNTIME_DIRECTORY", "").partition(":")[0] or None
            folder = tempfile.TemporaryDirectory(prefix="dispenser-lgpio-", dir=parent)
            os.environ["LG_WD"] = stack.enter_context(folder)
            stack.callback(os.environ.pop, "LG_WD")
        yield
