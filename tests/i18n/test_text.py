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


FILLED = Text("Now: {new}").filled(new=READY)


@pytest.mark.parametrize(
    ("text", "english", "french"),
    [
        (READY, "ready", "prêt"),
        (Text("nobody has translated this"), "nobody has translated this", "nobody has translated this"),
        (FILLED, "Now: ready", "Maintenant\u00a0: prêt"),
        (Text("{error}").filled(error=SpokenError(FILLED)), "Now: ready", "Maintenant\u00a0: prêt"),
        (Text("Press"), "Press", "Appuie"),
        (Text("Press", context="heading: number of the press"), "Press", "Appui"),
        (
            Text("{share:.1%} of {all:,}").filled(share=0.125, all=12_500),
            "12.5% of 12,500",
            "12,5\u00a0% of 12\u202f500",
        ),
        (Text("no {word!r}").filled(word="a\nb"), r"no 'a\nb'", "no «\u00a0a\\nb\u00a0»"),
        (Text("{0} and {rest}"), "{0} and {rest}", "{0} and {rest}"),
        (Text("{word}").filled(word="{0}"), "{0}", "{0}"),
        (listed([READY, "x", 3]), "ready, x, 3", "prêt, x, 3"),
        (listed([READY, READY], between=" / "), "ready / ready", "prêt / prêt"),
    ],
)
def test_a_text_is_said_in_each_language_with_all_that_is_filled_in(text: Text, english: str, french: str) -> None:
    assert (str(text), text.en, text.fr) == (english, english, french)


def test_there_is_no_third_language() -> None:
    with pytest.raises(LookupError, match="en, fr"):
        READY["de"]
    with pytest.raises(LookupError, match="en, fr"):
        listed(["a"])["de"]


@pytest.mark.parametrize(
    ("number", "english", "french"),
    [(0, "0 apples", "0 pomme"), (1, "1 apple", "1 pomme"), (1.5, "1.5 apples", "1,5 pommes")],
)
def test_each_language_has_its_own_plural(
    number: float, english: str, french: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    apples = Text("{number:g} apple", plural="{number:g} apples")
    pommes = ("{number:g} pomme", "{number:g} pommes")
    monkeypatch.setattr(catalog("fr"), "ngettext", lambda _one, _many, n: pommes[n > 1])
    assert (apples.filled(number=number).en, apples.filled(number=number).fr) == (english, french)


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


def test_an_error_with_a_wording_is_said_in_each_language_in_another_process_too() -> None:
    error = SpokenError(Text("Now: {new}").filled(new=worded(shouted, what=READY)))
    assert (str(error), said(error, "fr")) == ("Now: READY!", "Maintenant\u00a0: PRÊT!")
    assert pickle.loads(pickle.dumps(error)).text == error.text


def shouted(language: str, what: Text) -> str:
    return what[language].upper() + "!"


def test_texts_are_equal_when_they_say_the_same() -> None:
    assert CARDS.filled(n=2) == CARDS.filled(n=2) != CARDS.filled(n=3)
    assert listed(["a"]) == listed(["a"]) != listed(["b"])
    assert len({READY, Text("ready"), Text("off")}) == 2


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "fr_CH.UTF-8"}, "fr"),
        ({"LANG": "fro_FR"}, "en"),
        ({"LC_MESSAGES": "fr_FR", "LANG": "en_GB"}, "fr"),
        ({"LC_ALL": "C", "LC_MESSAGES": "fr_FR", "LANG": "fr_FR"}, "en"),
        ({"LC_ALL": "", "LANG": "fr_FR@euro"}, "fr"),
        ({"LANGUAGE": "de:fr:en", "LANG": "de_DE"}, "fr"),
        ({"LANGUAGE": "en:fr", "LANG": "fr_FR"}, "en"),
        ({"LANGUAGE": "fr", "LC_ALL": "C"}, "en"),
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
def test_a_text_that_a_record_keeps_is_said_in_each_language_by_whoever_reads_it(text: Text) -> None:
    kept = json.loads(json.dumps(recorded(text)))
    assert kept["detail"] == text.en
    assert [recalled(kept)[language] for language in ("en", "fr")] == [text.en, text.fr]


@pytest.mark.parametrize("said", [None, 5, [], ["{a}", "", "", {}], ["a", "", "", 3], [1, 2, 3, {}], ["a", {}, [], {}]])
def test_a_text_whose_record_is_damaged_is_said_as_it_was_in_english(said: object) -> None:
    kept = {"detail": "the service has stopped", "said": said}
    assert recalled(kept).en in ("the service has stopped", "{a}", "a", "1")
    assert recalled({"detail": "nobody knows this"}).fr == "nobody knows this"
