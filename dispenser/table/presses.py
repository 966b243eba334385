"""What a press of the launcher is at the table: whose it is, what it pays, and what the next one is to bring."""

from __future__ import annotations

from typing import Final

from dispenser.launcher import messages as launcher
from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.errors import RulesError
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.moves import DRAW
from dispenser.table import messages as m
from dispenser.table.match import Match
from dispenser.table.table import Table

MOST_MORE: Final = 3
"""So many cards more than planned may have come, at the most, as far as anybody is offered."""
LIKE_A_DRAW: Final = 1
"""Counter, exact games: what a push brings when nothing is owed, which is the card of whoever does not play."""
_SURE: Final = frozenset({launcher.BurstEnd.DUD, launcher.BurstEnd.COMPLETE})
_LUCK: Final = launcher.Order()


def order(table: Table, most_cards: int) -> launcher.Order:
    """What the next push is to bring.

    :param most_cards: that the launcher lets out at a time.
    """
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
    """So many cards; ``None`` when luck decides."""
    if match.dealing:
        return next(iter(match.dealing.values()))
    if match.by_itself:
        debts = match.ledger.debts
        if match.counts_presses:
            return None
        return debts[0].left if debts else LIKE_A_DRAW
    demand = match.game.demand
    if demand is not None:
        return None if demand.kind is Owed.PRESSES else demand.number
    return None if match.counts_presses and match.may_decline else 0


def listen(table: Table, notice: launcher.Notice) -> list[m.Entry]:
    """Hear a notice, and let what comes of it be in force."""
    entries = hear(table, notice)
    for number, entry in enumerate(entries):
        try:
            table.take(entry)
        except RulesError:  # somebody counts at the launcher what nobody can set right at the table any more
            if number or not isinstance(entry, m.CountTold):
                raise
            return []
    return entries


def hear(table: Table, notice: launcher.Notice) -> list[m.Entry]:
    """What a notice of the launcher is at the table; to be taken at once, before the next notice is heard."""
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


def _accepted(table: Table, notice: launcher.PressAccepted) -> list[m.Entry]:
    playing = table.playing
    if playing is None or (notice.cards is not None and not notice.ordered):
        return []
    press = notice.press
    if playing.dealing:
        return [m.PressTaken(press=press, seat=next(iter(playing.dealing)))]
    if playing.by_itself:
        debts = playing.ledger.debts
        return [m.PressTaken(press=press, seat=debts[0].seat if debts else None)]
    if (demand := playing.game.demand) is not None:
        return [m.PressTaken(press=press, seat=demand.payer)]
    if playing.counts_presses and playing.may_decline:  # E-14
        turn = playing.game.turn
        declined = playing.notes.write(Action(Deed.PLAY, turn, DRAW))
        return [m.Acted(action=declined, press=press), m.PressTaken(press=press, seat=turn)]
    return [m.PressTaken(press=press)]


def _ended(table: Table, notice: launcher.BurstEnded) -> list[m.Entry]:
    if notice.press not in table.pushes:
        return []
    delivered = notice.delivered
    if delivered is not None and notice.cause in _SURE and not notice.suspected_doubles:
        return settle(table, notice.press, delivered)
    why = "double" if notice.cause in _SURE else notice.cause.value
    return _ask(table, notice.press, notice.planned if delivered is None else delivered, notice.planned, why)


def _thrown(table: Table, notice: launcher.BurstEnded) -> list[m.Entry]:
    """What the phone that stands in says: so many cards from the pile; nothing where it did not end the burst."""
    if table.stand_in is None or notice.delivered is None or notice.cause not in _SURE:
        return []
    return [m.Thrown(press=notice.press, person=table.stand_in, cards=notice.delivered)]


def _ask(table: Table, press: int, likely: int, planned: int, why: str) -> list[m.Entry]:
    if press not in table.pushes:
        return []
    if table.playing is None or table.playing.telling is m.Telling.CARDS:  # taken back since, or no hand holds them
        return settle(table, press, likely)
    return [m.CountAsked(press=press, likely=likely, most=max(likely, planned) + MOST_MORE, why=why)]


def count(table: Table, press: int, cards: int, by: int | None = None, request: str | None = None) -> list[m.Entry]:
    """Somebody says how many cards came at a press: of one that is asked about, or of one that was believed."""
    told = m.CountTold(press=press, cards=cards, by=by, request=request)
    if press in table.asked:
        return [told, *settle(table, press, cards)]
    match = table.match
    if match is None or match.brought(press) in {None, cards} or not match.may_recount(press):
        return []
    return [told]


def settle(table: Table, press: int, cards: int) -> list[m.Entry]:
    """So many cards came at a press that counts."""
    match = table.playing
    if match is None:
        return [m.PressDone(press=press, cards=cards)]
    if match.dealing:
        return _deal(match, press, cards)
    if match.by_itself:
        return [m.Paid(press=press, cards=cards)]
    demand, most = match.game.demand, match.most_due
    if demand is None:
        return [m.PressDone(press=press, cards=cards)]
    paid = m.Acted(action=[str(Deed.FULFIL), demand.payer, min(cards, most)], press=press)
    return [paid] if cards <= most else [paid, m.PressDone(press=press, cards=cards - most)]


def _deal(match: Match, press: int, cards: int) -> list[m.Entry]:
    seat, left = next(iter(match.dealing.items()))
    dealt: list[m.Entry] = [m.Dealt(press=press, seat=seat, cards=min(cards, left))]
    if cards > left:
        dealt.append(m.PressDone(press=press, cards=cards - left))
    if cards >= left and len(match.dealing) == 1 and not match.by_itself:
        dealt.append(m.Acted(action=match.notes.write(match.next_deal)))
    return dealt
