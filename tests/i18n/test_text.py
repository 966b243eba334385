"""What a text promises: it is said in a language, and so is all that is filled into it."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from dispenser.i18n import SpokenError, Text, catalog, language_wanted, listed, recalled, recorded, said, worded

CARDS = Text("{n} card", plural="{n} cards")
READY = Text("ready")


def test_a_text_is_said_in_english_unless_somebody_asks_for_french() -> None:
    assert (str(READY), READY.en, READY["en"]) == ("ready",) * 3
    assert (READY.fr, READY["fr"]) == ("prêt",) * 2


def test_a_text_without_french_is_said_in_english() -> None:
    assert Text("nobody has translated this").fr == "nobody has translated this"


def test_there_is_no_third_language() -> None:
    with pytest.raises(LookupError, match="en, fr"):
        READY["de"]
    with pytest.raises(LookupError, match="en, fr"):
        listed(["a"])["de"]


def test_a_text_that_is_filled_in_is_said_in_the_language_of_the_whole() -> None:
    now = Text("Now: {new}").filled(new=READY)
    assert (now.en, now.fr) == ("Now: ready", "Maintenant\u00a0: prêt")


def test_the_same_english_can_be_two_texts() -> None:
    assert (Text("Press").fr, Text("Press", context="heading: number of the press").fr) == ("Appuie", "Coup")


@pytest.mark.parametrize(
    ("number", "english", "french"),
    [
        (0, "0 apples", "0 pomme"),
        (1, "1 apple", "1 pomme"),
        (2, "2 apples", "2 pommes"),
        (1.5, "1.5 apples", "1,5 pommes"),
    ],
)
def test_each_language_has_its_own_plural(
    number: float, english: str, french: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    apples = Text("{number:g} apple", plural="{number:g} apples")
    pommes = ("{number:g} pomme", "{number:g} pommes")
    monkeypatch.setattr(catalog("fr"), "ngettext", lambda _one, _many, n: pommes[n > 1])
    assert (apples.filled(number=number).en, apples.filled(number=number).fr) == (english, french)


def test_numbers_are_written_as_the_language_writes_them() -> None:
    share = Text("{share:.1%} of {presses:,}").filled(share=0.125, presses=12_500)
    assert share.en == "12.5% of 12,500"
    assert share.fr == "12,5\u00a0% of 12\u202f500"


def test_words_of_somebody_else_stand_in_the_quotation_marks_of_the_language() -> None:
    word = Text("no {word!r}").filled(word="a\nb")
    assert word.en == r"no 'a\nb'"
    assert word.fr == "no «\u00a0a\\nb\u00a0»"


@pytest.mark.parametrize(
    ("name", "french"),
    [("Zoé", "de Zoé"), ("Élise", "d’Élise"), ("hélène", "d’hélène"), ("Yves", "d’Yves"), ("Yann", "de Yann"),
     ("Œdipe", "d’Œdipe"), (listed(["Anna"]), "d’Anna"), ("דנה", "de \u2068דנה\u2069")],
)  # fmt: skip
def test_french_elides_before_a_name(name: str | Text, french: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog("fr"), "gettext", lambda _: "la place {name:de}")
    assert Text("{name}’s seat").filled(name=name).fr == f"la place {french}"


def test_a_word_that_is_read_from_the_right_is_held_apart_once() -> None:
    sits = Text("{name} sits down.")
    assert sits.filled(name="דנה 2").en == "\u2068דנה 2\u2069 sits down."
    assert sits.filled(name="דנה").fr.startswith("\u2068דנה\u2069 ")
    assert sits.filled(name=listed(["Zoé", "דנה"])).en == "Zoé, \u2068דנה\u2069 sits down."
    assert Text("{what}").filled(what=sits.filled(name="דנה").en).en == "\u2068דנה\u2069 sits down."
    assert Text("no {word!r}").filled(word="דנה").en == "no 'דנה'"


def test_braces_stand_for_themselves_until_something_is_filled_in() -> None:
    assert Text("{0} and {rest}").en == "{0} and {rest}"
    assert Text("{word}").filled(word="{0}").en == "{0}"


def test_a_list_and_a_wording_are_said_in_each_language() -> None:
    assert listed([READY, "x", 3]).fr == "prêt, x, 3"
    assert listed([READY, READY], between=" / ").en == "ready / ready"
    assert worded(shouted, what=READY).fr == "PRÊT!"


def shouted(language: str, what: Text) -> str:
    return what[language].upper() + "!"


def test_texts_are_equal_when_they_say_the_same() -> None:
    assert CARDS.filled(n=2) == CARDS.filled(n=2) != CARDS.filled(n=3)
    assert listed(["a"]) == listed(["a"]) != listed(["b"])
    assert len({READY, Text("ready"), Text("off")}) == 2


def test_an_error_says_its_text() -> None:
    error = SpokenError(Text("Now: {new}").filled(new=READY))
    assert str(error) == "Now: ready"
    assert said(error, "fr") == "Maintenant\u00a0: prêt"
    assert Text("{error}").filled(error=error).fr == "Maintenant\u00a0: prêt"


def test_texts_and_errors_go_to_another_process_and_come_back() -> None:
    error = SpokenError(Text("Now: {new}").filled(new=worded(shouted, what=READY)))
    assert pickle.loads(pickle.dumps(error)).text == error.text


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "fr_CH.UTF-8"}, "fr"),
        ({"LANG": "fr"}, "fr"),
        ({"LANG": "fro_FR"}, "en"),
        ({"LANG": "de_CH.UTF-8"}, "en"),
        ({"LC_MESSAGES": "fr_FR", "LANG": "en_GB"}, "fr"),
        ({"LC_ALL": "C", "LC_MESSAGES": "fr_FR", "LANG": "fr_FR"}, "en"),
        ({"LC_ALL": "", "LANG": "fr_FR@euro"}, "fr"),
        ({"LANGUAGE": "de:fr:en", "LANG": "de_DE"}, "fr"),
        ({"LANGUAGE": "en:fr", "LANG": "fr_FR"}, "en"),
        ({"LANGUAGE": "fr", "LC_ALL": "C"}, "en"),
        ({"LANGUAGE": "de", "LANG": "fr_FR"}, "en"),
    ],
)
def test_the_language_of_the_environment_is_the_one_that_gettext_would_take(
    environment: dict[str, str], language: str
) -> None:
    assert language_wanted(environment) == language


def test_english_needs_no_catalog_and_nothing_needs_babel() -> None:
    code = (
        "import sys; from dispenser.i18n import Text, catalog; str(Text('ready'));"
        "assert catalog.cache_info().currsize == 1; catalog('fr'); assert 'babel' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


FULL = Text("{name}: the disk is full, nothing more can be recorded. Make room (1 MB or more); nothing was lost so far")
NESTED = Text("the journal could not be checked: {why}").filled(why=SpokenError(FULL.filled(name="/evening")))


@pytest.mark.parametrize(
    "text", [Text(""), Text("the service has stopped"), FULL.filled(name=Path("/evening")), NESTED], ids=str
)
def test_a_text_that_an_entry_keeps_is_said_in_each_language_by_whoever_reads_it(text: Text) -> None:
    kept = json.loads(json.dumps(recorded(text)))
    assert kept["detail"] == text.en
    assert [recalled(kept)[language] for language in ("en", "fr")] == [text.en, text.fr]


@pytest.mark.parametrize("said", [None, 5, [], ["{a}", "", "", {}], ["a", "", "", 3], [1, 2, 3, {}], ["a", {}, [], {}]])
def test_a_text_whose_entry_is_damaged_is_said_as_it_was_in_english(said: object) -> None:
    kept = {"detail": "the service has stopped", "said": said}
    assert recalled(kept).en in ("the service has stopped", "{a}", "a", "1")
    assert recalled({"detail": "nobody knows this"}).fr == "nobody knows this"
