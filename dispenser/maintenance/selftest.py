"""``dispenser selftest``: lid, button, barrier, motor, chime, one card, three cards."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from functools import partial

from dispenser.drivers.base import Capabilities, Levels
from dispenser.drivers.findings import Finding
from dispenser.i18n import Text
from dispenser.launcher import messages as m
from dispenser.launcher.settings import MachineSettings
from dispenser.maintenance.steps import (
    NOTHING_YET,
    PATIENCE_S,
    Answer,
    Doing,
    Hand,
    Happened,
    Step,
    Wait,
    first_of,
    good,
    left_out,
    wrong,
)

PUSHES = 3
SECOND_PUSH_S = 0.4
"""So soon after a push no finger pushes again: what comes then is the contact (assumed)."""
TURN_S = 0.3
"""How long the motor turns backward to be looked at, seconds."""
LISTEN_S = 1.0
"""A chime is over after so long."""
_NOTHING_COMES = Text("nothing came of it")
_YES_NO = (Answer.YES, Answer.NO)


@dataclass(frozen=True, slots=True)
class Launcher:
    """What is to be tested.

    :param levels: what the inputs show when it is asked, see ``Driver.levels``; for the beginning of a step, when no
        event is waited for yet.
    :param gpios: on a Raspberry Pi, name to GPIO: an advice names the pin.
    """

    capabilities: Capabilities
    settings: MachineSettings
    levels: Callable[[], Levels]
    gpios: Mapping[str, int] | None = None

    def where(self, name: str) -> Text:
        """Which wire an advice is about."""
        if self.gpios is None or name not in self.gpios:
            return Text("its wire")
        return Text("its wire to GPIO{gpio}").filled(gpio=self.gpios[name])


def steps(launcher: Launcher) -> tuple[Step, ...]:
    """In the order in which each needs only what those before have shown to be right."""
    return (
        Step("lid", Text("The lid"), partial(_lid, launcher)),
        Step("button", Text("The button"), partial(_button, launcher)),
        Step("barrier", Text("The light barrier"), partial(_barrier, launcher)),
        Step("motor", Text("The motor"), partial(_motor, launcher)),
        Step("chime", Text("The beeper"), partial(_chime, launcher)),
        Step("one card", Text("One card"), partial(_cards, launcher, "one card", 1)),
        Step("three cards", Text("Three cards"), partial(_cards, launcher, "three cards", 3)),
    )


# --- inputs ----------------------------------------------------------------------------------------------------------


def _lid(launcher: Launcher) -> Doing:
    broken = wrong(
        "lid",
        _NOTHING_COMES,
        Text("look at the lid's switch first, does the lid reach it; then at {where}").filled(
            where=launcher.where("lid")
        ),
    )
    lift = Wait(Text("Lift the lid."), Hand.LIFT_LID, NOTHING_YET, (Answer.NOTHING,), PATIENCE_S)
    shut = Wait(Text("Shut the lid."), Hand.SHUT_LID, Text("it is open"), (Answer.NOTHING,), PATIENCE_S)
    if launcher.levels().lid_open and not isinstance((yield from first_of(shut, m.LidClosed)), m.LidClosed):
        return broken
    if not isinstance((yield from first_of(lift, m.LidOpened)), m.LidOpened):
        return broken
    if not isinstance((yield from first_of(shut, m.LidClosed)), m.LidClosed):
        return broken
    return good("lid", Text("it was seen to open and to shut"))


def _button(launcher: Launcher) -> Doing:
    first = Text("look at the button first, does it click; then at {where}").filled(where=launcher.where("button"))
    for number in range(PUSHES):
        say = Text("Push the button and let go ({number} of {all}).").filled(number=number + 1, all=PUSHES)
        push = Wait(say, Hand.PUSH_BUTTON, _pushes(number) if number else NOTHING_YET, (Answer.NOTHING,), PATIENCE_S)
        if not isinstance((yield from first_of(push, m.Press)), m.Press):
            return wrong("button", _pushes(number), first)
        again = yield from first_of(
            Wait(Text("Wait a moment."), seen=_pushes(number + 1), within_s=SECOND_PUSH_S), m.Press
        )
        if isinstance(again, m.Press):
            bounces = Text("one push was taken for two")
            remedy = Text(
                "was it pushed twice? Else its contact is worn: a longer button_settle_s in the settings waits for it"
            )
            return wrong("button", bounces, remedy)
    return good("button", _pushes(PUSHES))


def _pushes(number: int) -> Text:
    return Text("{number} push was seen", plural="{number} pushes were seen").filled(number=number)


def _barrier(launcher: Launcher) -> Doing:
    if not launcher.capabilities.exit_sensor:
        return left_out("barrier", Text("no exit sensor: cards are not counted"))
    block = Wait(Text("Hold a card into the exit."), Hand.BLOCK_EXIT, NOTHING_YET, (Answer.NOTHING,), PATIENCE_S)
    free = Wait(
        Text("Take the card out of the exit."), Hand.FREE_EXIT, Text("it is dark"), (Answer.NOTHING,), PATIENCE_S
    )
    stays = Text("it stays dark")
    dark = Text("wipe the light barrier first and look for a scrap of card; then at its power and {where}")
    if launcher.levels().exit_blocked and not isinstance((yield from first_of(free, m.ExitCleared)), m.ExitCleared):
        return wrong("barrier", stays, dark.filled(where=launcher.where("exit")))
    if not isinstance((yield from first_of(block, m.ExitBlocked)), m.ExitBlocked):
        blind = Text("is the card between its two halves, right across? Then look at its power and {where}")
        return wrong("barrier", Text("it saw no card"), blind.filled(where=launcher.where("exit")))
    if not isinstance((yield from first_of(free, m.ExitCleared)), m.ExitCleared):
        return wrong("barrier", stays, dark.filled(where=launcher.where("exit")))
    return good("barrier", Text("it saw the card come and go"))


# --- outputs ---------------------------------------------------------------------------------------------------------


def _motor(launcher: Launcher) -> Doing:
    if not launcher.capabilities.retract:
        return left_out("motor", Text("it turns forward only, which the cards will show"))
    ready = Text("The motor will turn backward for a moment: look at the roller, keep fingers away. The lid is shut?")
    yield from first_of(Wait(ready, answers=(Answer.GO,)))
    turning = Wait(Text("The motor turns."), within_s=TURN_S + 2, commands=(m.Retract(TURN_S, launcher.settings.duty),))
    ended = yield from first_of(turning, m.RetractEnded)
    if not isinstance(ended, m.RetractEnded) or ended.cause is not m.FeedEnd.TIMED:
        return wrong("motor", Text("it was stopped"), Text("shut the lid first, and keep it shut"))
    asked = Text("Did the roller turn, pulling cards back into the launcher?")
    look = Wait(asked, Hand.LOOK, answers=(Answer.YES, Answer.OTHER_WAY, Answer.NO))
    answer = yield from first_of(look)
    if answer is Answer.OTHER_WAY:
        return wrong("motor", Text("it turns the wrong way round"), Text("change the motor's two wires over"))
    if answer is Answer.NO:
        dead = Text(
            "look at the cells first, then at the second switch of the lid, then at the bridge: its power, its enable "
            "pin ({where}), the motor's wires"
        )
        return wrong("motor", Text("it did not turn"), dead.filled(where=launcher.where("motor_enable")))
    return good("motor", Text("it turned backward"))


def _chime(launcher: Launcher) -> Doing:
    for _ in range(3):
        playing = Wait(Text("It plays."), within_s=LISTEN_S, commands=(m.Play(m.Chime.FIRE),))
        yield from first_of(playing)
        heard = Wait(Text("Did you hear four beeps?"), Hand.LOOK, answers=(*_YES_NO, Answer.AGAIN))
        answer = yield from first_of(heard)
        if answer is Answer.YES:
            return good("chime", Text("it was heard"))
        if answer is Answer.NO:
            break
    advice = Text("look at {where} first; an active buzzer needs buzzer_active = true in the settings")
    return wrong("chime", Text("it was not heard"), advice.filled(where=launcher.where("buzzer")))


# --- cards -----------------------------------------------------------------------------------------------------------


def _cards(launcher: Launcher, check: str, cards: int) -> Doing:
    load = Text(
        "Put ten cards or more into the launcher and shut the lid. The motor will throw {number} card.",
        plural="Put ten cards or more into the launcher and shut the lid. The motor will throw {number} cards.",
    )
    yield from first_of(Wait(load.filled(number=cards), Hand.LOAD_CARDS, answers=(Answer.GO,)))
    feed = launcher.settings.feed(cards)
    patience_s = feed.timeout_s + launcher.settings.driver_patience_s
    going = Wait(Text("The motor turns."), within_s=patience_s, commands=(feed,))
    ended = yield from first_of(going, m.FeedEnded)
    if not isinstance(ended, m.FeedEnded):
        return wrong(
            check, Text("the end of the motor's run was not told"), Text("look at the wiring; 'dispenser doctor'")
        )
    if ended.cause not in (m.FeedEnd.COUNT, m.FeedEnd.TIMED):
        return cut_short(check, ended)
    return (yield from _counted(check, cards, ended.cards_seen))


def _counted(check: str, cards: int, seen: int | None) -> Generator[Wait, Happened, Finding]:
    counted = Text("the light barrier saw {number} card", plural="the light barrier saw {number} cards")
    asked = Text("Did exactly {number} card come out?", plural="Did exactly {number} cards come out?")
    look = Wait(
        asked.filled(number=cards), Hand.LOOK, NOTHING_YET if seen is None else counted.filled(number=seen), _YES_NO
    )
    answer = yield from first_of(look)
    if answer is Answer.YES and seen in (None, cards):
        came = Text("{number} card came out", plural="{number} cards came out")
        return good(check, came.filled(number=cards))
    if seen is None:
        advice = Text("without an exit sensor the motor's time decides: change timed_base_s and timed_card_s")
        return wrong(check, Text("other than asked for"), advice)
    return wrong(
        check,
        Text("counted {number}, and it was another number").filled(number=seen),
        Text("two cards at once? Look at the roller's grip and the slit first, then at brake_s in the settings"),
    )


def cut_short(check: str, ended: m.FeedEnded) -> Finding:
    """A run that did not bring its cards, and what to look at first."""
    found, advice = {
        m.FeedEnd.LID: (Text("the lid was open"), Text("shut the lid first, and keep it shut")),
        m.FeedEnd.BLIND: (
            Text("the light barrier saw nothing"),
            Text(
                "did a card come out? Then look at the light barrier. Did none, and the motor turned? Press the cards "
                "down onto the roller. Was it silent? Look at the cells and the motor's wires"
            ),
        ),
        m.FeedEnd.STALL: (
            Text("something lies in the exit, or no more cards came"),
            Text("take it out first; then look whether cards are inside and the roller grips them"),
        ),
    }.get(
        ended.cause, (Text("it was stopped before the cards were out"), Text("look at the stack and the roller first"))
    )
    return wrong(check, found, advice)
