"""A launcher for any gpiozero script: ``GPIOZERO_PIN_FACTORY=launcher python script.py``.

The script makes its devices as on a Raspberry Pi; behind the pins is the simulated launcher, wired as the build guide
says, in real time and on a thread of its own. What gpiozero starts cannot be given arguments, so they come from the
environment:

``DISPENSER_SIMULATOR_CARDS``
    Cards in the stack, 0 to 112; left out: 112.
``DISPENSER_SIMULATOR_SEED``
    A word that makes the physics repeat (a misfeed, two cards at once); left out: different every time.
``DISPENSER_SIMULATOR_LID``
    ``open`` or ``shut``, how the lid is at first; left out: shut.
"""

from __future__ import annotations

import hashlib
import os
import threading

from gpiozero import Device

from dispenser.clocks import ThreadClock
from dispenser.i18n import Text
from dispenser.simulator.errors import SimulatorError, SimulatorValueError
from dispenser.simulator.launcher import Simulator
from dispenser.simulator.parameters import Line, SimulatorParameters, SimulatorWiring
from dispenser.simulator.pins import SimulatorFactory

CARDS, SEED, LID = "DISPENSER_SIMULATOR_CARDS", "DISPENSER_SIMULATOR_SEED", "DISPENSER_SIMULATOR_LID"
LAST_NEWS_S = 1.0  # Timeout for notifying listeners at the end, seconds

BUILD_GUIDE = SimulatorWiring(
    button=Line(17, active_high=False),
    lid=Line(27),
    exit=Line(22),
    motor_forward=Line(23),
    motor_backward=Line(24),
    motor_enable=Line(25),
    buzzer=Line(18),
    light=Line(16),
)
"""Pin map of the build guide, which is also the default of the launcher's settings."""


class LauncherFactory(SimulatorFactory):
    """Mock pins connected to a simulated launcher. Missing arguments are read from the environment, see above.

    :raises SimulatorValueError: an environment variable is invalid, or there are too many cards.
    """

    def __init__(
        self,
        wiring: SimulatorWiring = BUILD_GUIDE,
        *,
        cards: int | None = None,
        seed: str | None = None,
        lid_open: bool | None = None,
    ) -> None:
        super().__init__()
        self._closed = False
        word = os.environ.get(SEED) if seed is None else seed
        self._clock = ThreadClock("simulator")
        try:
            self.simulator = Simulator(
                SimulatorParameters(),
                wiring,
                self,
                self._clock,
                seed=int.from_bytes(os.urandom(8) if word is None else hashlib.sha256(word.encode()).digest()[:8]),
                cards=_cards() if cards is None else cards,
                lid_open=_lid_open() if lid_open is None else lid_open,
            )
        except SimulatorValueError:
            self._clock.close()
            raise

    def close(self) -> None:
        """Release the pins (their outputs turn off), then close the launcher. gpiozero calls this at process exit.

        May be called twice.
        """
        super().close()
        if self._closed:
            return
        self._closed = True
        self.simulator.view()  # process all writes to pins so far
        told = threading.Event()
        self._clock.call_at(self._clock.time(), told.set)  # after all notifications
        told.wait(LAST_NEWS_S)
        self.simulator.close()
        self._clock.close()


def the_simulator() -> Simulator:
    """Return the launcher behind gpiozero's pins; its methods may be called from any thread.

    :raises SimulatorError: gpiozero uses another pin factory.
    """
    Device.ensure_pin_factory()
    factory = Device.pin_factory
    if not isinstance(factory, LauncherFactory):
        raise SimulatorError(
            Text(
                "the pins are those of a {kind}, with no simulated launcher behind them: start the script with "
                "GPIOZERO_PIN_FACTORY=launcher"
            ).filled(kind=type(factory).__name__)
        )
    return factory.simulator


def _cards() -> int | None:
    text = os.environ.get(CARDS)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit()):
        a_number = Text("{variable} = {text!r}: write a number of cards, such as {variable}=20")
        raise SimulatorValueError(a_number.filled(variable=CARDS, text=text))
    return int(text)


def _lid_open() -> bool:
    text = os.environ.get(LID, "shut")
    if text not in ("open", "shut"):
        a_word = Text("{variable} = {text!r}: write {variable}=open or {variable}=shut")
        raise SimulatorValueError(a_word.filled(variable=LID, text=text))
    return text == "open"
