"""A phone stands in and goes again at any moment, between bursts and in them, while the launcher fails and recovers.

Each accepted press has one end, orders are obeyed, the motor is off while the phone is used, the audit passes.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import pytest

from dispenser import Service, simulated_launcher
from dispenser.drivers.gpio.wiring import GpioWiring
from dispenser.journal import Journal, Record
from dispenser.launcher.commands import Eject, Press, Reset
from dispenser.odds.audit import audit
from dispenser.service.requests import ServiceError
from dispenser.service.settings import Settings
from dispenser.simulator import Toy, ToyFault
from dispenser.table import messages as t
from dispenser.table.errors import TableRefusal
from tests.drivers.gpio.mock_pins import TroubleFactory
from tests.nightly.seed import SEED
from tests.service.test_service import play, toy_of

STEPS = 60
WIRINGS = (GpioWiring(), GpioWiring(exit=None), GpioWiring(motor_backward=None, motor_enable=None))
LEA, TOM = 1, 2


class SwappedEvening:
    """Léa's phone or Tom's is the launcher, or none; luck or exact cards, as the game has it."""

    def __init__(self, seed: int, service: Service, factory: TroubleFactory, wiring: GpioWiring) -> None:
        self.random = Random(seed)
        self.service = service
        self.factory = factory
        self.lines = set(wiring.lines().values())
        self.problems: list[str] = []

    @property
    def toy(self) -> Toy:
        return toy_of(self.service)

    def look(self) -> None:
        if self.service.driver.stands_in and not self.factory.failing and self.toy.view().motor_commanded:
            self.problems.append("the motor turns while a phone stands in")

    def say(self, tell: t.Tell, person: int = LEA) -> None:
        try:
            self.service.tell(tell, person=person)
        except TableRefusal:
            return

    def owe(self) -> None:
        match = self.service.evening and self.service.evening.table.match
        if match:
            charge = self.random.randrange(len(match.ledger.charges))
            self.say(t.ChargeSeat(self.random.randrange(2), charge, self.random.randint(1, 4)))

    def count(self) -> None:
        table = self.service.evening and self.service.evening.table
        for asked in list(table.asked.values()) if table else ():
            self.say(t.TellCount(asked.press, asked.likely))

    async def press(self) -> None:
        cards = self.random.choice((None, None, None, 2))
        try:
            await self.service.handle(Press() if cards is None else Eject(cards), self.random.choice(("phone", "web")))
        except ServiceError:
            return

    def swap(self) -> None:
        yes = self.random.random() < 0.6
        self.say(t.StandIn(yes, self.random.choice((LEA, TOM)) if yes else None), LEA)
        self.look()

    def trouble(self) -> None:
        choice = self.random.randrange(6)
        if choice == 0:
            self.factory.failing = set() if self.factory.failing else self.lines
        elif choice == 1:
            self.toy.open_lid() if self.random.random() < 0.5 else self.toy.close_lid()
        elif choice == 2:
            self.toy.push_button()
        elif choice == 3:
            self.toy.switch_fault(self.random.choice((ToyFault.ROLLER_JAM, ToyFault.DOUBLE_FEED, ToyFault.MISFEED)))
        elif choice == 4:
            self.toy.switch_fault(ToyFault.MOTOR_DEAD, self.random.random() < 0.3)
        else:
            self.toy.open_lid()
            self.toy.clear_jam()
            self.toy.close_lid()

    async def reset(self) -> None:
        await self.service.handle(Reset())

    async def step(self) -> None:
        act = self.random.choice(
            (self.press, self.press, self.press, self.swap, self.swap, self.owe, self.owe, self.count, self.count,
             self.trouble, self.reset)
        )  # fmt: skip
        done: Any = act()
        if done is not None:
            await done
        for _ in range(self.random.choice((0, 1, 1, 5))):
            await asyncio.sleep(self.random.choice((0.0, 0.01, 0.1, 0.7)))
            self.look()


def check(entries: list[Record]) -> None:
    """Ends, and who threw."""
    told = Counter((entry.type, entry.data["press"]) for entry in entries if "press" in entry.data)
    accepted = [press for (type_, press) in told if type_ == "launcher.press.accepted"]
    for press in accepted:
        ends = told["launcher.burst.ended", press] + told["launcher.burst.lost", press]
        assert ends == 1, f"press {press} has {ends} ends"
    stands_in, motor = False, []
    for entry in entries:
        if entry.type == "launcher.switched.on":
            stands_in = bool(entry.data["stand_in"])
        elif entry.type == "launcher.card.left" and stands_in:
            motor.append(entry)
        elif entry.type == "launcher.burst.ended" and stands_in:
            assert entry.data["cause"] in ("complete", "dud", "off", "fault"), entry
            if entry.data["cause"] == "complete":
                assert entry.data["delivered"] == entry.data["planned"]
    assert not motor, "a card of the real launcher was counted while a phone stood in"


@pytest.mark.parametrize("seed", range(SEED, SEED + 40))
def test_each_press_has_one_end_whoever_throws(seed: int, tmp_path: Path) -> None:
    file = tmp_path / "journal.sqlite3"
    factory = TroubleFactory()

    async def evening() -> None:
        settings = Settings(pins=WIRINGS[seed % len(WIRINGS)])
        with mock.patch("dispenser.simulator.ToyFactory", return_value=factory):
            service = simulated_launcher(settings, journal=file, seed=f"swap {seed}")
        async with service:
            service.tell(t.Open("Léa"))
            service.tell(t.Join("Tom"))
            game = ("uno-extreme", "uno")[seed // 2 % 2]
            service.tell(t.Start(game, telling=t.Telling.COUNTER), person=LEA)
            evening = SwappedEvening(seed, service, factory, settings.pins)
            for _ in range(STEPS):
                await evening.step()
            factory.failing = set()
            await asyncio.sleep(8.0)
            assert evening.problems == []

    play(evening)
    with Journal.open(file) as journal:
        entries = list(journal.read())
        report = audit(entries)
        assert [problem.text for problem in report.problems] == []
    check(entries)
