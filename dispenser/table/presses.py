"""Assign each press of the launcher: whose it is, what it pays, what the next one delivers."""

from __future__ import annotations

from typing import Final

from dispenser.launcher import messages as launcher
from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.errors import RulesError
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.moves import DRAW
from dispenser.table import events as e
from dispenser.table.match import Match
from dispenser.table.table import Table

MOST_MORE: Final = 3  # Cards above the planned number that are offered as an answer, at most
LIKE_A_DRAW: Final = 1
"""Counter, exact games: cards of a press without a debt, which is the draw of a player who does not play."""
_SURE: Final = frozenset({launcher.BurstEnd.DUD, launcher.BurstEnd.COMPLETE})
_LUCK: Final = launcher.Order()


def order(table: Table, most_cards: int) -> launcher.Order:
    """Return what the next press delivers: an exact number, a draw of the odds, or a refusal."""
    match = table.playing
    if table.asked:
        return launcher.Order(0, launcher.Refusal.COUNT_FIRST)
    if match is None:
        return _LUCK
    wanted = _wanted(match)
    if wanted is None:
        return _LUCK
    return launcher.Order(min(wanted, most_cards), None if wanted else launcher.Refusal.NOTHING_OWED)


def _wanted(match: Match) -> int | None:
    """Return the exact number of cards that the next press delivers; ``None``: the odds decide."""
    if (due := match.due) is not None:
        return None if due.kind is Owed.PRESSES else due.left
    if match.counter_mode:
        return None if match.counts_presses else LIKE_A_DRAW
    return None if match.press_declines else 0


def handle_notice(table: Table, notice: launcher.Notice) -> list[e.Event]:
    """Convert a launcher event into table events and apply them."""
    events = convert_notice(table, notice)
    for number, event in enumerate(events):
        try:
            table.apply(event)
        except RulesError:  # a count entered at the launcher comes too late for the table to correct
            if number or not isinstance(event, e.CountTold):
                raise
            return []
    return events


def convert_notice(table: Table, notice: launcher.Notice) -> list[e.Event]:
    """Convert a launcher event into table events; apply them before the next launcher event is converted."""
    match notice:
        case launcher.PressAccepted():
            return _accepted(table, notice)
        case launcher.BurstEnded():
            return [*_ended(table, notice), *_thrown(table, notice)]
        case launcher.BurstLost():
            return _ask(table, notice.press, notice.delivered, notice.delivered, "lost")
        case launcher.BurstCounted():
            return count(table, notice.press, notice.cards)
    return []


def _accepted(table: Table, notice: launcher.PressAccepted) -> list[e.Event]:
    playing = table.playing
    if playing is None or (notice.cards is not None and not notice.ordered):
        return []
    press = notice.press
    taken = e.PressTaken(press=press, seat=playing.payer)
    if playing.due is None and playing.payer is not None:  # E-14
        declined = playing.notes.write(Action(Deed.PLAY, playing.payer, DRAW))
        return [e.Acted(action=declined, press=press), taken]
    return [taken]


def _ended(table: Table, notice: launcher.BurstEnded) -> list[e.Event]:
    if notice.press not in table.pushes:
        return []
    delivered = notice.delivered
    if delivered is not None and notice.cause in _SURE and not notice.suspected_doubles:
        return settle(table, notice.press, delivered)
    why = "double" if notice.cause in _SURE else notice.cause.value
    return _ask(table, notice.press, notice.planned if delivered is None else delivered, notice.planned, why)


def _thrown(table: Table, notice: launcher.BurstEnded) -> list[e.Event]:
    """Tell what the stand-in phone delivers from the pile; nothing if the end of the burst is uncertain."""
    if table.stand_in is None or notice.delivered is None or notice.cause not in _SURE:
        return []
    return [e.Thrown(press=notice.press, person=table.stand_in, cards=notice.delivered)]


def _ask(table: Table, press: int, likely: int, planned: int, why: str) -> list[e.Event]:
    if press not in table.pushes:
        return []
    if (
        table.playing is None or table.playing.tracking_mode is e.TrackingMode.CARDS
    ):  # undone since, or no real hand holds the cards
        return settle(table, press, likely)
    return [e.CountAsked(press=press, likely=likely, most=max(likely, planned) + MOST_MORE, why=why)]


def count(table: Table, press: int, cards: int) -> list[e.Event]:
    """Return the events of a count that a person gives for a press: asked for, or a correction."""
    told = e.CountTold(press=press, cards=cards)
    if press in table.asked:
        return [told, *settle(table, press, cards)]
    match = table.match
    if match is None or match.brought(press) in {None, cards} or not match.may_recount(press):
        return []
    return [told]


def settle(table: Table, press: int, cards: int) -> list[e.Event]:
    """Return the events that settle a press with its number of cards."""
    match = table.playing
    if match is None:
        return [e.PressDone(press=press, cards=cards)]
    if match.dealing:
        return _deal(match, press, cards)
    if match.counter_mode:
        owed = match.due.left if match.due else 1
        paid_for: list[e.Event] = [e.Paid(press=press, cards=cards)]
        if not match.counts_presses and cards > owed:
            paid_for.append(e.PressDone(press=press, cards=cards - owed))
        return paid_for
    demand, most = match.game.demand, match.most_due
    if demand is None:
        return [e.PressDone(press=press, cards=cards)]
    paid = e.Acted(action=[str(Deed.FULFIL), demand.payer, min(cards, most)], press=press)
    return [paid] if cards <= most else [paid, e.PressDone(press=press, cards=cards - most)]


def _deal(match: Match, press: int, cards: int) -> list[e.Event]:
    seat, left = next(iter(match.dealing.items()))
    dealt: list[e.Event] = [e.Dealt(press=press, seat=seat, cards=min(cards, left))]
    if cards > left:
        dealt.append(e.PressDone(press=press, cards=cards - left))
    if cards >= left and len(match.dealing) == 1 and not match.counter_mode:
        dealt.append(e.Acted(action=match.notes.write(match.next_deal)))
    return dealt
