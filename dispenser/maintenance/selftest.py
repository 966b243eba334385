"""The steps of ``dispenser selftest``: lid, button, exit sensor, motor, beeper, one card, three cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from dispenser.drivers.base import Capabilities, Levels
from dispenser.drivers.findings import Finding
from dispenser.i18n import Text
from dispenser.launcher import messages as m
from dispenser.launcher.settings import MachineSettings
from dispenser.maintenance.wizard import (
    NOTHING_YET,
    Answer,
    Doing,
    Hand,
    Step,
    Wait,
    asked,
    came,
    first_of,
    good,
    left_out,
    run_of,
    wrong,
)

PUSHES = 3
SECOND_PUSH_S = 0.4  # A second press this soon after a push is bounce: no finger is as quick (assumed)
TURN_S = 0.3  # Duration of the backward run that the person watches, seconds
LISTEN_S = 1.0  # Duration of a chime at most, seconds
_YES_NO = (Answer.YES, Answer.NO)


@dataclass(frozen=True, slots=True)
class Launcher:
    """The launcher under test.

    :param levels: returns the current inputs, see ``Driver.levels``; used at the beginning of a step, before its
        events.
    :param gpios: GPIO numbers by name, on a Raspberry Pi, for remedies that name the pin.
    """

    capabilities: Capabilities
    settings: MachineSettings
    levels: Callable[[], Levels]
    gpios: Mapping[str, int] | None = None

    def where(self, name: str) -> Text:
        """Return the wire that a remedy is about."""
        if self.gpios is None or name not in self.gpios:
            return Text("its wire")
        return Text("its wire to GPIO{gpio}").filled(gpio=self.gpios[name])


def steps(launcher: Launcher) -> tuple[Step, ...]:
    """Return the steps, ordered so that each needs only what earlier ones have shown to work."""
    return (
        Step("lid", Text("The lid"), partial(_lid, launcher)),
        Step("button", Text("The button"), partial(_button, launcher)),
        Step("barrier", Text("The exit sensor"), partial(_barrier, launcher)),
        Step("motor", Text("The motor"), partial(_motor, launcher)),
        Step("chime", Text("The beeper"), partial(_chime, launcher)),
        Step("one card", Text("One card"), partial(_cards, launcher, 1)),
        Step("three cards", Text("Three cards"), partial(_cards, launcher, 3)),
    )


def _lid(launcher: Launcher) -> Doing:
    lift = (Text("Lift the lid."), Hand.LIFT_LID, m.LidOpened)
    shut = (Text("Shut the lid."), Hand.SHUT_LID, m.LidClosed, Text("it is open"))
    for asked_for in (shut, lift, shut) if launcher.levels().lid_open else (lift, shut):
        if not (yield from came(*asked_for)):
            look = Text("look at the lid's switch first, does the lid reach it; then at {where}")
            return wrong(Text("nothing happened"), look.filled(where=launcher.where("lid")))
    return good(Text("it was seen to open and to shut"))


def _button(launcher: Launcher) -> Doing:
    for number in range(PUSHES):
        say = Text("Push the button and let go ({number} of {all}).").filled(number=number + 1, all=PUSHES)
        if not (yield from came(say, Hand.PUSH_BUTTON, m.Press, _pushes(number) if number else NOTHING_YET)):
            look = Text("look at the button first, does it click; then at {where}")
            return wrong(_pushes(number), look.filled(where=launcher.where("button")))
        pause = Wait(Text("Wait a moment."), seen=_pushes(number + 1), within_s=SECOND_PUSH_S)
        if isinstance((yield from first_of(pause, m.Press)), m.Press):
            remedy = Text(
                "was it pushed twice? Else its contact is worn: a longer button_settle_s in the settings waits for it"
            )
            return wrong(Text("one push was taken for two"), remedy)
    return good(_pushes(PUSHES))


def _pushes(number: int) -> Text:
    return Text("{number} push was seen", plural="{number} pushes were seen").filled(number=number)


def _barrier(launcher: Launcher) -> Doing:
    if not launcher.capabilities.exit_sensor:
        return left_out(Text("no exit sensor: cards are not counted"))
    block = (Text("Hold a card into the exit."), Hand.BLOCK_EXIT, m.ExitBlocked)
    free = (Text("Take the card out of the exit."), Hand.FREE_EXIT, m.ExitCleared, Text("it is dark"))
    for asked_for in (free, block, free) if launcher.levels().exit_blocked else (block, free):
        if (yield from came(*asked_for)):
            continue
        found = Text("it stays dark")
        look = Text("wipe the exit sensor first and look for a scrap of card; then at its power and {where}")
        if asked_for is block:
            found = Text("it saw no card")
            look = Text("is the card between its two halves, right across? Then look at its power and {where}")
        return wrong(found, look.filled(where=launcher.where("exit")))
    return good(Text("it saw the card come and go"))


def _motor(launcher: Launcher) -> Doing:
    if not launcher.capabilities.retract:
        return left_out(Text("it turns forward only, which the cards will show"))
    ready = Text("The motor will turn backward for a moment: look at the roller, keep fingers away. The lid is shut?")
    yield from asked(ready, Answer.GO, hand=None)
    turning = run_of(m.Retract(TURN_S, launcher.settings.duty), TURN_S + 2)
    ended = yield from first_of(turning, m.RetractEnded)
    if not isinstance(ended, m.RetractEnded) or ended.cause is not m.FeedEnd.TIMED:
        return wrong(Text("it was stopped"), Text("shut the lid first, and keep it shut"))
    look = Text("Did the roller turn, pulling cards back into the launcher?")
    answer = yield from asked(look, Answer.YES, Answer.OTHER_WAY, Answer.NO)
    if answer is Answer.OTHER_WAY:
        return wrong(Text("it turns the wrong way round"), Text("change the motor's two wires over"))
    if answer is Answer.NO:
        dead = Text(
            "look at the batteries first, then at the second switch of the lid, then at the bridge: its power, its "
            "enable pin ({where}), the motor's wires"
        )
        return wrong(Text("it did not turn"), dead.filled(where=launcher.where("motor_enable")))
    return good(Text("it turned backward"))


def _chime(launcher: Launcher) -> Doing:
    answer = Answer.AGAIN
    for _ in range(3):
        if answer is Answer.AGAIN:
            yield from first_of(Wait(Text("Listen."), within_s=LISTEN_S, commands=(m.Play(m.Chime.FIRE),)))
            answer = yield from asked(Text("Did you hear four beeps?"), *_YES_NO, Answer.AGAIN)
    if answer is Answer.YES:
        return good(Text("it was heard"))
    advice = Text("look at {where} first; an active buzzer needs buzzer_active = true in the settings")
    return wrong(Text("it was not heard"), advice.filled(where=launcher.where("buzzer")))


def _cards(launcher: Launcher, cards: int) -> Doing:
    load = Text(
        "Put ten cards or more into the launcher and shut the lid. The motor will throw {number} card.",
        plural="Put ten cards or more into the launcher and shut the lid. The motor will throw {number} cards.",
    )
    yield from asked(load.filled(number=cards), Answer.GO, hand=Hand.LOAD_CARDS)
    feed = launcher.settings.feed(cards)
    ended = yield from first_of(run_of(feed, feed.timeout_s + launcher.settings.driver_patience_s), m.FeedEnded)
    if not isinstance(ended, m.FeedEnded):
        return wrong(
            Text("the driver did not report that the motor stopped"), Text("look at the wiring; 'dispenser doctor'")
        )
    if ended.cause not in (m.FeedEnd.COUNT, m.FeedEnd.TIMED):
        return cut_short(ended.cause)
    seen = ended.cards_seen
    counted = Text("the exit sensor saw {number} card", plural="the exit sensor saw {number} cards")
    look = Text("Did exactly {number} card come out?", plural="Did exactly {number} cards come out?")
    told = NOTHING_YET if seen is None else counted.filled(number=seen)
    answer = yield from asked(look.filled(number=cards), *_YES_NO, seen=told)
    if answer is Answer.YES and seen in (None, cards):
        return good(Text("{number} card came out", plural="{number} cards came out").filled(number=cards))
    if seen is None:
        advice = Text("without an exit sensor the motor's time decides: change timed_base_s and timed_card_s")
        return wrong(Text("not what was asked for"), advice)
    return wrong(
        Text("counted {number}, and it was another number").filled(number=seen),
        Text("two cards at once? Look at the roller's grip and the slit first, then at brake_s in the settings"),
    )


_CUT_SHORT = {
    m.FeedEnd.LID: (Text("the lid was open"), Text("shut the lid first, and keep it shut")),
    m.FeedEnd.BLIND: (
        Text("the exit sensor saw nothing"),
        Text(
            "did a card come out? Then look at the exit sensor. Did none, and the motor turned? Press the cards down "
            "onto the roller. Was it silent? Look at the batteries and the motor's wires"
        ),
    ),
    m.FeedEnd.STALL: (
        Text("something lies in the exit, or no more cards came"),
        Text("take it out first; then look whether cards are inside and the roller grips them"),
    ),
}
_STOPPED = (Text("it was stopped before the cards were out"), Text("look at the stack and the roller first"))


def cut_short(cause: m.FeedEnd) -> Finding:
    """Return the finding for a run that did not deliver its cards, with what to check first."""
    return wrong(*_CUT_SHORT.get(cause, _STOPPED))
