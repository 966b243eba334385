"""A phone that is the launcher, as people at the table see it, and who may say so."""

from __future__ import annotations

from typing import Any

import pytest

from dispenser.table import commands as c
from dispenser.table import events as e
from tests.table.evening import Sat

LEA, TOM, GUEST = 1, 2, 3


@pytest.fixture
def sat() -> Sat:
    """Léa hosts, Tom has a phone, too; Zoé has none."""
    sat = Sat("Léa", "Tom")
    sat.execute(c.Guest("Zoé"))
    return sat


def labels(sat: Sat, person: int, language: str = "en") -> list[str]:
    return [choice["label"] for choice in sat.sheet(person, language)["menu"]]


def test_the_host_says_whose_phone_it_is_and_everybody_sees_it(sat: Sat) -> None:
    assert "This phone is the launcher" in labels(sat, LEA)
    assert "The real launcher again" not in labels(sat, LEA)
    assert "This phone is the launcher" not in labels(sat, TOM)
    sat.execute(c.StandIn(person=TOM))
    assert sat.refused(c.StandIn(person=TOM)) == "stands_in"
    assert sat.view(TOM)["stand_in"] == {
        "person": TOM,
        "name": "Tom",
        "me": True,
        "text": "This phone is the launcher.",
    }
    assert sat.view(LEA)["stand_in"] == {"person": TOM, "name": "Tom", "me": False}
    assert sat.view(LEA, "fr")["news"][-1]["text"] == "Le lance-cartes, c’est maintenant le téléphone de Tom."
    assert "The real launcher again" in labels(sat, TOM)
    assert "Ce téléphone est le lance-cartes" in labels(sat, LEA, "fr")
    sat.execute(c.StandIn(yes=False))
    assert sat.view(TOM)["stand_in"] is None
    assert sat.view(TOM)["news"][-1]["text"] == "The real launcher is back."
    sat.check()


def test_its_button_is_always_there_whoever_owes(sat: Sat) -> None:
    def button(label: str, *, due: bool) -> dict[str, Any]:
        return {"label": label, "send": {"press": True}, "due": due}

    assert sat.view(TOM)["push"] is None
    sat.execute(c.StandIn(person=TOM))
    assert sat.view(TOM)["push"] == button("Press!", due=False)
    assert sat.view(LEA)["push"] is None
    sat.execute(c.Start("uno", tracking_mode=e.TrackingMode.COUNTER))
    assert sat.view(TOM)["push"] == button("Can’t play: press!", due=True)
    sat.execute(c.ChargeSeat(0, 1))
    assert sat.view(LEA)["push"]["due"] is True
    assert sat.view(TOM)["push"] == button("Press!", due=True)


def test_it_says_who_presses_there_now(sat: Sat) -> None:
    def said() -> str:
        return str(sat.view(TOM)["stand_in"]["text"]).removeprefix("This phone is the launcher.").strip()

    sat.execute(c.StandIn(person=TOM))
    assert said() == ""
    sat.execute(c.Start("uno", tracking_mode=e.TrackingMode.COUNTER))
    assert said() == "Can’t play? Press here."
    for seat, sentence in enumerate(("Léa presses here.", "You press here.", "Zoé presses here.")):
        sat.execute(c.ChargeSeat(seat, 0))
        assert said() == sentence
        sat.press(2, source="phone")


def test_a_bot_presses_without_it(sat: Sat) -> None:
    sat.execute(c.Bot())
    sat.execute(c.StandIn(person=TOM))
    sat.execute(c.Start("uno-extreme", tracking_mode=e.TrackingMode.CARDS))
    while sat.match.payer != 3:
        sat.press(1, source="phone")
    assert sat.view(TOM)["stand_in"]["text"].endswith("is a bot and presses alone.")
    assert sat.view(TOM, "fr")["stand_in"]["text"].endswith("est un bot et appuie tout seul.")


def test_it_says_how_many_to_take_and_says_nothing_of_what_it_did_not_end(sat: Sat) -> None:
    sat.execute(c.StandIn(person=TOM))
    assert sat.view(LEA)["take"] is None
    assert sat.press(3, source="phone") == [e.Thrown(press=1, person=TOM, cards=3)]
    assert sat.view(LEA)["take"] == {"press": 1, "cards": 3, "text": "Take 3 cards from the pile"}
    assert sat.view(TOM, "fr")["take"]["text"] == "Prends 3 cartes dans la pioche"
    sat.press(0, source="phone")
    assert sat.view(TOM)["take"]["text"] == "Nothing!"
    sat.accepted("phone")
    assert sat.ended(1, "off") == []
    sat.execute(c.StandIn(yes=False), TOM)
    assert sat.view(TOM)["take"] is None
    assert sat.press(2, source="phone") == []


def test_with_the_cards_on_the_phones_there_is_no_pile_to_take_from(sat: Sat) -> None:
    sat.execute(c.StandIn(person=TOM))
    sat.execute(c.Start("uno-extreme", tracking_mode=e.TrackingMode.CARDS))
    sat.press(3, source="phone")
    assert sat.view(LEA)["take"]["text"] == "3 cards"


@pytest.mark.parametrize("undone", [False, True], ids=["the next press", "undo"])
def test_what_it_said_goes_with_the_next_press_and_with_undo(sat: Sat, undone: bool) -> None:
    sat.execute(c.Start("uno-extreme", tracking_mode=e.TrackingMode.COUNTER))
    sat.execute(c.ChargeSeat(0, 0))
    sat.execute(c.StandIn(person=TOM))
    sat.press(3, source="phone")
    assert sat.view(TOM)["take"]["text"] == "Léa takes 3 cards from the pile"
    if undone:
        sat.execute(c.Undo())
    else:
        sat.accepted("phone")
    assert sat.view(TOM)["take"] is None


@pytest.mark.parametrize(("goes", "person"), [(c.Leave(), TOM), (c.LetGo(TOM), LEA)], ids=["leaves", "is sent away"])
def test_another_phone_may_take_over_and_whose_it_is_may_go(sat: Sat, goes: c.Command, person: int) -> None:
    sat.execute(c.StandIn())
    sat.execute(c.StandIn(person=TOM))
    assert sat.table.stand_in == TOM
    sat.execute(goes, person)
    assert sat.table.stand_in is None


@pytest.mark.parametrize(
    ("command", "person", "owner", "word"),
    [
        (c.StandIn(), None, False, "watching"),
        (c.StandIn(), None, True, "watching"),
        (c.StandIn(), TOM, False, "host_only"),
        (c.StandIn(person=LEA), TOM, False, "host_only"),
        (c.StandIn(yes=False), TOM, False, "host_only"),
        (c.StandIn(person=GUEST), LEA, False, "no_phone"),
        (c.StandIn(person=9), LEA, False, "unknown_person"),
        (c.StandIn(yes=False), LEA, False, "no_stand_in"),
    ],
)
def test_who_may_not(sat: Sat, command: c.StandIn, person: int | None, owner: bool, word: str) -> None:
    assert sat.refused(command, person, owner=owner) == word
