"""An evening of the serial driver with the core over a line that hurts bits."""

from __future__ import annotations

from random import Random

from dispenser.drivers.serial.frames import Frame
from dispenser.launcher.messages import (
    Chime,
    DriverFailed,
    ExitCleared,
    Feed,
    FeedEnd,
    FeedEnded,
    Light,
    Play,
    Retract,
    RetractEnded,
)
from tests.drivers.serial.serial_rig import SerialRig


def an_evening_on_a_bad_line(seed: int) -> None:
    """One bit of each twentieth frame is wrong, the zeros around it included: what was asked is done once, unsaid."""
    random = Random(seed)

    def hurt(_: Frame | None, data: bytes) -> bytes:
        if random.random() >= 0.05:
            return data
        bit = random.randrange(8 * len(data))
        return bytes(byte ^ (1 << bit % 8 if at == bit // 8 else 0) for at, byte in enumerate(data))

    rig = SerialRig(opened=False)
    rig.link.disturb = hurt
    rig.open()
    rig.driver.give(Light(on=True))
    for cards in (1, 5, 3):
        rig.driver.give(Play(Chime.SUSPENSE))
        rig.driver.give(Feed(cards=cards, timeout_s=3, stall_s=1))
        rig.live(2)
    rig.driver.give(Retract(0.05))
    rig.live(1)
    rig.driver.give(Feed(cards=30, timeout_s=5, stall_s=5, blind_s=5))
    rig.run(0.5)
    rig.driver.stop()
    rig.run(0.3)
    assert rig.motor() == 0
    rig.live(1)
    *ends, stopped = rig.of(FeedEnded)
    assert ends == [FeedEnded(FeedEnd.COUNT, cards) for cards in (1, 5, 3)]
    assert isinstance(stopped, FeedEnded)
    assert stopped.cause is FeedEnd.STOPPED
    assert rig.of(RetractEnded) == [RetractEnded(FeedEnd.TIMED)]
    assert len(rig.of(ExitCleared)) == rig.simulator.view().cards_out
    assert rig.starts() == 5
    assert rig.lit()
    assert rig.of(DriverFailed) == []
