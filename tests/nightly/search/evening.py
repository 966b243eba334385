"""A random evening: who presses when, what breaks, who lifts the lid. Everything follows from one number.

To see one evening as it happened, entry by entry, up to where it goes wrong::

    python -m tests.nightly.search.evening SEED [PRESSES]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random

from dispenser.service.settings import Settings
from dispenser.simulator import ToyFault, ToyParameters
from tests.clocks.lateness import SeededLateness
from tests.nightly.search.watched import WatchedLauncher
from tests.service.test_service import with_settings
from tests.simulator.fault_plans import random_faults

PINS: tuple[dict[str, object], ...] = (
    {},
    {"motor_enable": None},
    {"motor_backward": None, "motor_enable": None},
    {"exit": None},
    {"buzzer_active": True, "motor_pwm": False, "light": None},
    {"button_active_high": True, "lid_active_high": True, "exit_blocked_high": False},
)
MOODS = ("calm", "hasty", "broken", "lid", "unplugged", "full disk")
"""Nothing special; no patience; faults; the lid in every other burst; pins that fail; a journal that fails."""
PRESETS = ("toy", "gentle", "wild", "family")
LATENESS_S = {"in time": 0.0, "a little late": 0.02, "late": 0.5}
"""How late the service's loop, and its disk, are at most."""
NO_SENSOR_FAULTS = tuple(set(ToyFault) - {ToyFault.EXIT_STUCK_DARK, ToyFault.EXIT_STUCK_LIGHT})


class Evening:
    """Plays one evening of at least ``presses`` presses."""

    def __init__(self, seed: int, presses: int) -> None:
        self.random = Random(seed)
        self.presses = presses
        dice = self.random
        self.mood = dice.choice(MOODS)
        settings = self._settings()
        self.lateness = Random(f"lateness {seed}").choice(tuple(LATENESS_S))
        most_s = LATENESS_S[self.lateness]
        self.launcher = WatchedLauncher(
            f"evening {seed} of {presses} presses, {self.mood}, {self.lateness}",
            settings=settings,
            cards=dice.choice((112, 112, 40, 5, 0)),
            lid_open=dice.random() < 0.1,
            parameters=ToyParameters(wear=dice.choice((0.0, 0.0, 0.5, 1.0))),
            lateness=SeededLateness(seed, most_s=most_s) if most_s else None,
        )

    def _settings(self) -> Settings:
        dice = self.random
        least_s = dice.choice((0.0, 0.05, 0.6))
        return with_settings(
            pins=dice.choice(PINS),
            odds={"preset": dice.choice(PRESETS)},
            launcher={
                "suspense_min_s": least_s,
                "suspense_max_s": least_s + dice.choice((0.0, 0.3, 1.0)),
                "max_tries": dice.choice((1, 2, 3)),
            },
        )

    def play(self) -> int:
        """:return: presses that were played."""
        launcher, dice = self.launcher, self.random
        if self.mood in {"broken", "unplugged"}:
            self._follow_faults()
        while launcher.snapshot["presses"] < self.presses:
            self._press()
            if dice.random() < {"lid": 0.5, "hasty": 0.1}.get(self.mood, 0.05):
                self._lid_at_some_moment()
            if self.mood == "unplugged" and dice.random() < 0.1:
                self._outage()
            if self.mood == "full disk" and dice.random() < 0.1:
                self._journal_fails()
            self._wait()
            if launcher.state != "ready" or launcher.toy.view().card_in_exit:
                self._see_to_it()
        return launcher.finish().presses

    # --- what people do ---

    def _press(self) -> None:
        launcher, dice = self.launcher, self.random
        dice_says = dice.random()
        if dice_says < 0.55:
            launcher.push(dice.choice((0.03, 0.15, 0.15, 0.6)))
        elif dice_says < 0.75:
            launcher.press()
        elif dice_says < 0.9:
            launcher.press(dice.randint(1, 12))
        else:
            for _ in range(dice.randint(2, 6)):
                launcher.press(dice.choice((None, 1, 3)))
                launcher.push(0.05)
                launcher.run(dice.choice((0.0, 0.001, 0.08)))

    def _later(self, act: Callable[[], object]) -> float:
        """Let it happen at a moment that favours bursts; returns when that is."""
        dice = self.random
        after_s = dice.choice((dice.uniform(0.0, 0.1), dice.uniform(0.0, 1.2), dice.uniform(0.0, 3.0)))
        self.launcher.call_after(after_s, act)
        return after_s

    def _lid_at_some_moment(self) -> None:
        launcher, dice = self.launcher, self.random
        at_s = self._later(lambda: launcher.lid(True))
        closes = at_s + dice.choice((dice.uniform(0.0005, 0.3), dice.uniform(0.1, 1.0), 3.0))
        launcher.call_after(closes, lambda: launcher.lid(False))
        if dice.random() < 0.2:
            self._later(launcher.take_card)

    def _outage(self) -> None:
        launcher, dice = self.launcher, self.random
        lines = launcher.settings.pins.lines()
        motor = [gpio for name, gpio in lines.items() if name.startswith("motor")]
        inputs = [gpio for name, gpio in lines.items() if name in {"button", "lid", "exit"}]
        pins = dice.choice(
            (list(lines.values()), motor, inputs, [dice.choice(motor)], [dice.choice(list(lines.values()))])
        )
        at_s = self._later(lambda: launcher.outage(set(pins)))
        launcher.call_after(at_s + dice.choice((0.01, 0.3, 2.5)), lambda: launcher.outage(set()))

    def _journal_fails(self) -> None:
        launcher, dice = self.launcher, self.random
        at_s = self._later(lambda: launcher.journal_fails(True))
        launcher.call_after(at_s + dice.choice((0.001, 0.3, 4.0)), lambda: launcher.journal_fails(False))

    def _wait(self) -> None:
        launcher, dice = self.launcher, self.random
        if self.mood == "hasty" and dice.random() < 0.7:
            launcher.run(dice.uniform(0.0, 1.0))
            return
        launcher.run(dice.uniform(0.05, 0.3))
        launcher.until_idle()

    def _see_to_it(self) -> None:
        """Somebody looks what is wrong, now and then in a hurry."""
        launcher, dice = self.launcher, self.random
        if dice.random() < 0.1:
            return
        if dice.random() < 0.3:
            launcher.take_card()
            launcher.run(0.1)
        launcher.lid(True)
        launcher.run(dice.choice((0.05, 0.5)))
        if launcher.state in {"open", "fault"}:
            launcher.clear_jam()
            launcher.take_card()
            if launcher.toy.view().cards_in_stack < 20:
                launcher.load(60)
        launcher.lid(False)
        launcher.run(dice.choice((0.06, 0.5)))
        if launcher.state in {"fault", "jammed", "empty", "blind"}:
            launcher.reset()

    def _follow_faults(self) -> None:
        launcher, dice = self.launcher, self.random
        healthy = self.mood == "unplugged" or dice.random() < 0.6
        plan = random_faults(
            dice.randrange(1 << 30),
            duration_s=self.presses * 2.0,
            faults_per_minute=dice.choice((2.0, 10.0, 30.0)),
            among=NO_SENSOR_FAULTS if healthy else tuple(ToyFault),
        )
        launcher.follow(plan)


def play(seed: int, presses: int) -> int:
    """One evening from its seed; raises an ``AssertionError`` that names it when something is wrong."""
    evening = Evening(seed, presses)
    with evening.launcher:
        return evening.play()


def main() -> None:
    seed = int(sys.argv[1])
    evening = Evening(seed, int(sys.argv[2]) if len(sys.argv) > 2 else 250)
    launcher = evening.launcher
    print(launcher.name)
    launcher.service.on("", lambda entry: print(f"{launcher.now():11.6f} {entry.seq:5} {entry.type:26} {entry.data}"))
    launcher.toy.add_listener(lambda event: print(f"{event.time_s:11.6f}       {event.happening.name} {event.value}"))
    print(evening.play())


if __name__ == "__main__":
    main()
