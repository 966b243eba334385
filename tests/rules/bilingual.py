"""What holds of every text in two languages: both are there, they differ, and neither leaks into the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

import pytest

from dispenser.i18n import SpokenError, Text

_ENGLISH: Final = frozenset(
    re.findall(
        r"\S+",
        """
        a's above after again against all already an and another any are ask asked be been before below both
        but by can cannot card cards catch challenge choose colour could dealer did direction do does draw
        each file first found game give given has have hand hands here how if into is it its know known last
        less list made match mean more most must name named names never nobody none nor not nothing now
        number numbers of off only other out owed pile play player players read round rule rules said say
        scores seat seats set should since so some such take than that the their then there these they this
        those time times to too turn twice undo until value values was way were what when where which who
        whole will with without word words would write written wrong yes yet you your
        """,
    )
)
"""Words that stand in the English texts and not in the French ones."""
_SAID_BACK: Final = re.compile(r"\"(?:[^\"\\]|\\.)*\"|«\u00a0.*?\u00a0»|'(?:[^'\\]|\\.)*'|--[a-z]+|[A-Z]-\d\d")
"""What stands in quotes is somebody else’s word, or a key of a file; and names of options and rules."""
_WRONG_SPACE: Final = re.compile(r" [:;!?»]|«(?!\u00a0)|[^\s\u00a0(/«]\?|(?<=[a-zé]);|[a-zéèà]'[a-zéèà]")


def leaks(text: Text, names: Iterable[str] = ()) -> list[str]:
    """What is not as it should be in a text; nothing when all is well.

    :param names: words that are names here, such as keys of a file, and stay what they are in each language.
    """
    left_out = set(names)
    french = _SAID_BACK.sub("…", text.fr)
    found = [word for word in re.findall(r"[\w’'-]+", french) if word.lower() in _ENGLISH - left_out]
    found += [f"spacing: {wrong!r}" for wrong in _WRONG_SPACE.findall(french)]
    if "\u00a0" in _SAID_BACK.sub("…", text.en):
        found.append("French spacing in the English text")
    if not text.en.strip() or not text.fr.strip() or text.en == text.fr:
        found.append("one text for both languages")
    return found


def caught(attempt: Callable[[], object]) -> SpokenError:
    """The error that something ends with."""
    with pytest.raises(SpokenError) as refusal:
        attempt()
    return refusal.value
