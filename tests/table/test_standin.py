"""A phone that is the launcher, as people at the table see it, and who may say so."""

from __future__ import annotations

from typing import Any

import pytest

from dispenser.launcher import messages as launcher
from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table.decisions import execute
from dispenser.table.errors import TableRefusal
from dispenser.table.menu import menu
from dispenser.table.people import Who
from dispenser.table.presses import hear, listen
from dispenser.table.table import Table
from dispenser.table.views import Around, Viewer, view

LEA, TOM, GUEST = 1, 2, 3


@pytest.fixture
def table() -> Table:
    """Léa hosts, Tom has a phone, too; Zoé has none."""
    table = Table(lambda _: b"secret" * 6)
    execute(table, c.Open("Léa"), Who(secret="a" * 64, table="evening", commitment="c"))
    execute(table, c.Join("Tom"), Who(secret="b" * 64))
    execute(table, c.Guest("Zoé"), Who(LEA))
    return table


def seen(table: Table, person: int | None, language: str = "en") -> dict[str, Any]:
    return view(table, Viewer(person, person is None, language), Around({LEA: 1, TOM: 1}))


def labels(table: Table, person: int, language: str = "en") -> list[str]:
    return [choice["label"] for choice in menu(table, person, language, owner=False, present={})]


def throw(table: Table, press: int, cards: int, cause: launcher.BurstEnd = launcher.BurstEnd.COMPLETE) -> list[e.Event]:
    heard = [
        *hear(table, launcher.PressAccepted(press, "phone", None, press)),
        *hear(table, launcher.BurstEnded(press, cards, cards, cause)),
    ]
    for entry in heard:
        table.apply(entry)
    return heard


def test_the_host_says_whose_phone_it_is_and_everybody_sees_it(table: Table) -> None:
    assert "This phone is the launcher" in labels(table, LEA)
    assert "The real launcher again" not in labels(table, LEA)
    assert "This phone is the launcher" not in labels(table, TOM)
    execute(table, c.StandIn(person=TOM), Who(LEA))
    assert seen(table, TOM)["stand_in"] == {"person": TOM, "name": "Tom", "me": True}
    assert seen(table, LEA)["stand_in"] == {"person": TOM, "name": "Tom", "me": False}
    assert seen(table, LEA, "fr")["news"][-1]["text"] == "Le lance-cartes, c’est maintenant le téléphone de Tom."
    assert "The real launcher again" in labels(table, TOM)
    assert "Ce téléphone est le lance-cartes" in labels(table, LEA, "fr")
    execute(table, c.StandIn(yes=False), Who(LEA))
    assert seen(table, TOM)["stand_in"] is None
    assert seen(table, TOM)["news"][-1]["text"] == "The real launcher throws again."


def test_its_button_is_always_there_whoever_owes(table: Table) -> None:
    assert seen(table, TOM)["push"] is None
    execute(table, c.StandIn(person=TOM), Who(LEA))
    assert seen(table, TOM)["push"] == {"label": "Press!", "send": {"press": True}, "due": False}
    assert seen(table, LEA)["push"] is None
    execute(table, c.Start("uno", telling=e.TrackingMode.COUNTER), Who(LEA))
    assert seen(table, TOM)["push"] == {"label": "Can’t play: press!", "send": {"press": True}, "due": True}
    charge = next(place for place, each in enumerate(table.match.ledger.charges) if each.number)  # type: ignore[union-attr]
    execute(table, c.ChargeSeat(0, charge), Who(LEA))
    assert seen(table, LEA)["push"]["due"] is True
    assert seen(table, TOM)["push"] == {"label": "Press!", "send": {"press": True}, "due": True}


def test_it_says_how_many_to_take_and_says_nothing_of_what_it_did_not_end(table: Table) -> None:
    execute(table, c.StandIn(person=TOM), Who(LEA))
    assert seen(table, LEA)["take"] is None
    assert throw(table, 1, 3) == [e.Thrown(press=1, person=TOM, cards=3)]
    assert seen(table, LEA)["take"] == {"press": 1, "cards": 3, "text": "Take 3 cards from the pile"}
    assert seen(table, TOM, "fr")["take"]["text"] == "Prends 3 cartes dans la pioche"
    throw(table, 2, 0, launcher.BurstEnd.DUD)
    assert seen(table, TOM)["take"]["text"] == "Nothing!"
    assert throw(table, 3, 1, launcher.BurstEnd.OFF) == []
    execute(table, c.StandIn(yes=False), Who(TOM))
    assert seen(table, TOM)["take"] is None
    assert throw(table, 4, 2) == []


@pytest.mark.parametrize("undone", [False, True], ids=["the next press", "undo"])
def test_what_it_said_goes_with_the_next_press_and_with_undo(table: Table, undone: bool) -> None:
    execute(table, c.Start("uno-extreme", telling=e.TrackingMode.COUNTER), Who(LEA))
    execute(table, c.ChargeSeat(0, 0), Who(LEA))
    execute(table, c.StandIn(person=TOM), Who(LEA))
    listen(table, launcher.PressAccepted(1, "phone", None, 1))
    listen(table, launcher.BurstEnded(1, 3, 3, launcher.BurstEnd.COMPLETE))
    assert seen(table, TOM)["take"]["text"] == "Léa takes 3 cards from the pile"
    if undone:
        execute(table, c.Undo(), Who(LEA))
    else:
        listen(table, launcher.PressAccepted(2, "phone", None, 2))
    assert seen(table, TOM)["take"] is None


def test_another_phone_may_take_over_and_whose_it_is_may_go(table: Table) -> None:
    execute(table, c.StandIn(person=TOM), Who(LEA))
    execute(table, c.StandIn(), Who(LEA))
    execute(table, c.Leave(), Who(TOM))
    assert table.stand_in == LEA
    execute(table, c.Leave(), Who(LEA))
    assert table.stand_in is None


def test_who_is_sent_away_has_no_phone_to_stand_in(table: Table) -> None:
    execute(table, c.StandIn(person=TOM), Who(LEA))
    execute(table, c.LetGo(TOM), Who(LEA))
    assert table.stand_in is None


@pytest.mark.parametrize(
    ("tell", "who", "word"),
    [
        (c.StandIn(), Who(None), "watching"),
        (c.StandIn(), Who(None, owner=True), "watching"),
        (c.StandIn(), Who(TOM), "host_only"),
        (c.StandIn(person=LEA), Who(TOM), "host_only"),
        (c.StandIn(yes=False), Who(TOM), "host_only"),
        (c.StandIn(person=GUEST), Who(LEA), "no_phone"),
        (c.StandIn(person=9), Who(LEA), "unknown_person"),
        (c.StandIn(yes=False), Who(LEA), "no_stand_in"),
    ],
)
def test_who_may_not(table: Table, tell: c.StandIn, who: Who, word: str) -> None:
    with pytest.raises(TableRefusal) as refusal:
        execute(table, tell, who)
    assert refusal.value.word == word


def test_the_host_may_name_a_phone_and_none_is_named_twice(table: Table) -> None:
    execute(table, c.StandIn(person=TOM), Who(LEA))
    assert table.stand_in == TOM
    with pytest.raises(TableRefusal, match="already"):
        execute(table, c.StandIn(person=TOM), Who(LEA))
