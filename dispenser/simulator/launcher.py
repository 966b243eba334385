"""``Simulator``, the simulated launcher: what people do to it, and the pins that it moves."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from dispenser.clocks import Clock, Timer
from dispenser.i18n import Text
from dispenser.simulator.clockwork import Clockwork
from dispenser.simulator.contacts import Contact, Flutter, InputLine
from dispenser.simulator.electrics import Electrics
from dispenser.simulator.errors import LidShutError, SimulatorValueError
from dispenser.simulator.faults import FaultPanel, SimulatorFault
from dispenser.simulator.feeder import Feeder
from dispenser.simulator.parameters import SimulatorParameters, SimulatorWiring
from dispenser.simulator.pins import SimulatorFactory
from dispenser.simulator.shared import Purpose, Shared
from dispenser.simulator.view import Happening, Listener, SimulatorEvent, SimulatorView

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")
_Act = Callable[Concatenate["Simulator", _Arguments], _Result]


def _at_once(act: _Act[_Arguments, _Result]) -> _Act[_Arguments, _Result]:
    """Make a method thread-safe and atomic, executed after everything that is due."""

    @wraps(act)
    def at_once(simulator: Simulator, /, *args: _Arguments.args, **named: _Arguments.kwargs) -> _Result:
        with simulator._clockwork.acting():  # noqa: SLF001 - it stands before methods of that class
            return act(simulator, *args, **named)

    return at_once


class Simulator:
    """The simulated launcher, and a person's actions on it.

    All methods may be called from any thread. It runs on its own clock (see ``clockwork``): in real time the physics
    never waits, devices are called back on the thread ``simulator-pins``, and a write to a pin takes effect at the time
    of the write; in virtual time all effects are complete when a method or a write returns. A timer is set only while
    something is going on. An edge has the time at which it happened, however late it is reported.

    The same seed, actions and motor commands at the same times give the same cards, faults and edges.

    :param factory: its pins are claimed here; create devices under test on the same factory, before or after.
    :param clock: ``None`` is real time, on a thread that ends with the simulator; ``dispenser.clocks`` has others.
    :param seed: seed of all randomness.
    :param cards: cards in the stack; ``None`` means a full stack.
    :param lid_open: initial state of the lid.
    :raises SimulatorValueError: more cards than fit.
    """

    def __init__(
        self,
        parameters: SimulatorParameters,
        wiring: SimulatorWiring,
        factory: SimulatorFactory,
        clock: Clock | None = None,
        seed: int = 0,
        *,
        cards: int | None = None,
        lid_open: bool = False,
    ) -> None:
        self._parameters = parameters
        self._clockwork = Clockwork(clock, factory)
        self._agenda = self._clockwork.agenda
        self._faults = FaultPanel()
        self._listeners: tuple[Listener, ...] = ()
        self._finger = False
        self._release: Timer | None = None
        try:
            with self._clockwork.acting():
                shared = Shared(parameters, self._agenda, seed, self._faults, self._report)
                self._put_together(shared, wiring, lid_open=lid_open)
                self.load(parameters.stack_capacity_cards if cards is None else cards)
        except BaseException:
            self._clockwork.close()
            raise

    def _put_together(self, shared: Shared, wiring: SimulatorWiring, *, lid_open: bool) -> None:
        wires = {"button": wiring.button, "lid": wiring.lid, "exit": wiring.exit}
        self._lines = {name: InputLine(line, self._clockwork) for name, line in wires.items() if line}
        self._button = Contact(shared, Purpose.BUTTON, self._lines["button"].show, active=False)
        self._lid = Contact(shared, Purpose.LID, self._lines["lid"].show, active=lid_open)
        self._flutter = Flutter(shared, self._lines["lid"].show)
        self._feeder = Feeder(shared, self._show_exit)
        for line, active in (("button", False), ("lid", lid_open)):
            self._lines[line].show(active)
        self._show_exit(dark=False)
        self._electrics = Electrics(shared, wiring, self._clockwork, self._feeder, self._lid)

    # --- state ---

    @_at_once
    def view(self) -> SimulatorView:
        """Return the current state."""
        feeder, electrics = self._feeder, self._electrics
        in_stack = feeder.cards_in_stack()
        return SimulatorView(
            time_s=self._agenda.time(),
            lid_open=self._lid.active,
            button_down=self._button.active,
            cards_loaded=feeder.cards_held + feeder.cards_out,
            cards_in_stack=in_stack,
            cards_in_path=feeder.cards_held - in_stack,
            cards_out=feeder.cards_out,
            card_in_exit=feeder.dark,
            motor=max(-1.0, min(1.0, feeder.speed_mm_s() / self._parameters.full_speed_mm_s)),
            motor_commanded=electrics.commanded,
            cell_voltage_v=electrics.voltage_v(),
            tone_hz=electrics.tone_hz,
            light_on=electrics.light_on,
            faults=self._faults.names(),
            jammed=feeder.jammed,
        )

    def add_listener(self, listener: Listener) -> None:
        """Call ``listener`` with every event, immediately, in order, on the clock's thread; it must be quick."""
        self._listeners = (*self._listeners, listener)

    def close(self) -> None:
        """Stop timers and threads, and ignore the pins. May be called twice."""
        self._clockwork.close()

    # --- actions of a person ---

    @_at_once
    def push_button(self, hold_s: float = 0.15) -> None:
        """Push the button and release it after ``hold_s`` seconds (0.15: a brisk push, assumed)."""
        if not hold_s > 0:
            raise SimulatorValueError(Text("hold_s must be above 0 s, not {hold_s}").filled(hold_s=hold_s))
        self._set_finger(down=True)
        self._release = self._agenda.call_at(self._agenda.time() + hold_s, self.release_button)

    @_at_once
    def hold_button(self) -> None:
        """Push the button and keep it down."""
        self._set_finger(down=True)

    @_at_once
    def release_button(self) -> None:
        """Release the button."""
        self._set_finger(down=False)

    @_at_once
    def open_lid(self) -> None:
        """Open the lid; without effect if it is open."""
        self._move_lid(lid_open=True)

    @_at_once
    def close_lid(self) -> None:
        """Shut the lid; without effect if it is shut."""
        self._move_lid(lid_open=False)

    @_at_once
    def take_card(self) -> int:
        """Pull out a card that sticks out of the exit.

        :returns: number of cards: 0 if there is none or it is jammed, 1, or 2 for a double.
        """
        return self._feeder.take()

    @_at_once
    def clear_jam(self) -> bool:
        """Remove the jammed card and put it back onto the stack.

        :returns: whether a card was jammed.
        :raises LidShutError: the lid is shut.
        """
        if not self._lid.active:
            raise LidShutError(Text("the jammed card lies under the lid: open the lid first"))
        return self._feeder.free()

    @_at_once
    def load(self, cards: int) -> None:
        """Add cards to the stack. A person opens the lid for that; this is not checked.

        :raises SimulatorValueError: they do not fit, or are fewer than 0; none is added.
        """
        inside, room = self._feeder.cards_in_stack(), self._parameters.stack_capacity_cards
        if cards < 0:
            raise SimulatorValueError(
                Text("cards must be 0 or more, not {cards}: unload() takes cards out").filled(cards=cards)
            )
        if inside + cards > room:
            raise SimulatorValueError(
                Text(
                    "{cards} more cards do not fit: {inside} of {room} are in the stack; load {fitting} or fewer"
                ).filled(cards=cards, inside=inside, room=room, fitting=room - inside)
            )
        self._feeder.put(cards)
        self._report(Happening.CARDS, inside + cards)

    @_at_once
    def unload(self) -> int:
        """Remove all cards from the stack; a card in the path stays there.

        :returns: number of cards removed.
        """
        taken = self._feeder.cards_in_stack()
        self._feeder.put(-taken)
        self._report(Happening.CARDS, 0)
        return taken

    @_at_once
    def new_cells(self) -> None:
        """Insert fresh cells. The fault ``flat_cells`` stays until it is switched off."""
        self.set_cell_voltage(self._parameters.cell_fresh_v)

    @_at_once
    def set_cell_voltage(self, voltage_v: float) -> None:
        """Insert cells with this open-circuit voltage, all three together, volts.

        :raises SimulatorValueError: below 0 or above fresh cells.
        """
        self._electrics.set_cell_voltage(voltage_v)
        self._report(Happening.CELLS, voltage_v)

    # --- faults ---

    @_at_once
    def switch_fault(self, fault: SimulatorFault | str, on: bool = True, *, cards: int = 1) -> None:
        """Switch a fault on or off.

        :param fault: a :class:`SimulatorFault` or its name.
        :param cards: how many cards ``roller_jam``, ``double_feed`` or ``misfeed`` strike; others ignore it.
        :raises SimulatorValueError: no such fault, or fewer than 1 card.
        """
        try:
            fault = SimulatorFault(fault)
        except ValueError as error:
            names = ", ".join(known.value for known in SimulatorFault)
            raise SimulatorValueError(
                Text("there is no fault {fault!r}; the faults are {names}").filled(fault=fault, names=names)
            ) from error
        changed = self._faults.switch(fault, on=on, cards=cards)
        match fault:
            case SimulatorFault.BUTTON_STUCK:
                self._move_button()
            case SimulatorFault.EXIT_STUCK_DARK | SimulatorFault.EXIT_STUCK_LIGHT:
                self._show_exit(self._feeder.dark)
            case SimulatorFault.LID_CONTACT_FLUTTER:
                self._set_flutter()
            case SimulatorFault.FLAT_CELLS | SimulatorFault.MOTOR_DEAD:
                self._electrics.motor_changed()
            case (
                SimulatorFault.ROLLER_JAM
                | SimulatorFault.DOUBLE_FEED
                | SimulatorFault.MISFEED
                | SimulatorFault.EMPTY_STACK
            ):
                self._feeder.look_again()
        if changed:
            self._report(Happening.FAULT, fault.value)

    # --- raw lines, to replay recorded edges ---

    @_at_once
    def drive_line(self, line: str, active: bool) -> None:
        """Set the state of ``button`` (active: down), ``lid`` (open) or ``exit`` (dark), without bounce and faults.

        It overrides the physics of this line until ``release_line``.

        :raises SimulatorValueError: no such line, or it is not connected.
        """
        self._line(line).drive(active)

    @_at_once
    def release_line(self, line: str) -> None:
        """End the override of a line; it takes the state of the physics at once."""
        self._line(line).release()

    def _line(self, name: str) -> InputLine:
        try:
            return self._lines[name]
        except KeyError as error:
            raise SimulatorValueError(
                Text("there is no line {name!r}; the wired lines are {lines}").filled(
                    name=name, lines=", ".join(self._lines)
                )
            ) from error

    # --- internals ---

    def _show_exit(self, dark: bool) -> None:
        if "exit" in self._lines:
            stuck_dark, stuck_light = SimulatorFault.EXIT_STUCK_DARK, SimulatorFault.EXIT_STUCK_LIGHT
            self._lines["exit"].show(self._faults.on(stuck_dark) or (dark and not self._faults.on(stuck_light)))

    def _report(self, happening: Happening, value: float | str | None) -> None:
        if self._listeners:
            event = SimulatorEvent(self._agenda.time(), happening, value)
            self._clockwork.notify(lambda: self._notify_listeners(event))

    def _notify_listeners(self, event: SimulatorEvent) -> None:
        for listener in self._listeners:
            listener(event)

    def _set_finger(self, *, down: bool) -> None:
        if self._release is not None:
            self._release.cancel()
        self._finger = down
        self._move_button()

    def _move_button(self) -> None:
        down = self._finger or self._faults.on(SimulatorFault.BUTTON_STUCK)
        if self._button.move(down, worn=self._faults.on(SimulatorFault.BOUNCING_BUTTON)):
            self._report(Happening.BUTTON, down)

    def _move_lid(self, *, lid_open: bool) -> None:
        if lid_open == self._lid.active:
            return
        self._flutter.stop()
        self._lid.move(lid_open)
        self._electrics.motor_changed()
        self._set_flutter()
        self._report(Happening.LID, lid_open)

    def _set_flutter(self) -> None:
        if self._faults.on(SimulatorFault.LID_CONTACT_FLUTTER) and not self._lid.active:
            self._flutter.start()
            return
        self._flutter.stop()
        self._lines["lid"].show(self._lid.active)
