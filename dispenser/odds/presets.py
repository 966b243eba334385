"""Named odds, and odds from a settings table.

A settings table, as it stands under ``[odds]`` in the configuration::

    preset = "toy"                       # toy, gentle, wild or family; or
    recording = "saturday.csv"           # what somebody wrote down at a real launcher (see recording.py)
    cap = 12                             # never more cards than this in one burst; a larger burst is cut

    [odds.fire]                          # instead of the preset's or the recording's
    policy = "memoryless"                # toy, memoryless, countdown, rising, empirical
    probability = 0.4

    [odds.size]
    kind = "uniform"                     # fixed, uniform, geometric, empirical
    low = 3
    high = 8

``OddsDesign.describe()`` gives such a table back, whole, for the journal; ``policies.py`` has the keys of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, json

from dispenser.config import WrongValueError, closest, error_at, read
from dispenser.config.errors import Path
from dispenser.i18n import Text, why
from dispenser.launcher.messages import MAX_BURST_CARDS
from dispenser.odds import policies as p
from dispenser.odds.policies import AnyFire, AnySize, Cards
from dispenser.odds.recording import OddsSettingsError, parse_recording

DEFAULT_CAP = 12
"""Cards in one burst at most, unless the settings say otherwise (assumed: a burst takes about a second)."""

ReadLines = Callable[[str], Iterable[str]]
_STREAM: Final = Text("write {stream}").filled(stream="hmac-sha256/1")
_CAP: Final = Text("write a whole number of cards from 1 to {most}")
_TOO_SMALL: Final = Text("the smallest burst has {fewest} cards and would always be cut; write {fewest} to {most}")
_LEAVE_PRESET_OUT: Final = Text("leave it out: recording is there already")
_NO_FILES: Final = Text("files cannot be read here; write fire and size instead")
_UNREADABLE: Final = Text("cannot be read ({error}); name a CSV text file")


class OddsDesign(Struct, frozen=True):
    """Odds without a seed: when a press fires, how many cards then, and the cap on a burst.

    :param name: the preset's name, ``recording`` or ``custom``; for people.
    :param stream: that of ``odds.py``; a journal written with another one cannot be replayed here.
    """

    name: str
    fire: AnyFire
    size: AnySize
    cap: Cards = DEFAULT_CAP
    stream: Annotated[Literal["hmac-sha256/1"], Meta(extra={"hint": _STREAM})] = "hmac-sha256/1"

    def __post_init__(self) -> None:
        fewest = self.size.chances()[0][0]
        if not fewest <= self.cap <= MAX_BURST_CARDS:
            raise WrongValueError(_TOO_SMALL.filled(fewest=fewest, most=MAX_BURST_CARDS), "cap")

    def sizes(self) -> tuple[tuple[int, float], ...]:
        """(cards, probability) of a burst, cards rising; larger bursts are cut to the cap."""
        chances, rest = self.size.chances(), 1.0
        within = [(cards, chance) for cards, chance in chances if cards < self.cap]
        for _, chance in within:
            rest -= chance
        return (*within, (self.cap, rest)) if chances[-1][0] >= self.cap else tuple(within)

    def describe(self) -> dict[str, Any]:
        """A dict for JSON, enough to build an equal design: ``design_from_description``."""
        described: dict[str, Any] = json.decode(json.encode(self))
        return described


PRESETS: Mapping[str, OddsDesign] = MappingProxyType(
    {
        # The original: its fixed table, 3 to 8 cards.
        "toy": OddsDesign("toy", p.ToyTable(), p.Uniform(3, 8), cap=8),
        # First evenings and small hands: after a burst one press is always safe, never more than 4 duds, few cards.
        "gentle": OddsDesign("gentle", p.Countdown(min_duds=1, max_duds=4), p.Uniform(1, 4), cap=4),
        # No mercy, no pattern: twice in a row or a long silence, and now and then a fountain.
        "wild": OddsDesign("wild", p.Memoryless(0.4), p.Geometric(2, 12, ratio=0.9), cap=12),
        # Tension that grows: every dud makes the next press riskier, and the sixth press fires for certain.
        "family": OddsDesign("family", p.Rising(first=0.15, step=0.17, highest=1.0), p.Uniform(2, 6), cap=6),
    }
)


class _Settings(Struct):
    """The table ``[odds]``."""

    preset: str | UnsetType = UNSET
    recording: str | UnsetType = UNSET
    cap: Cards | UnsetType = UNSET
    fire: AnyFire | UnsetType = UNSET
    size: AnySize | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.recording and self.preset:
            raise WrongValueError(_LEAVE_PRESET_OUT, "preset")
        if self.preset is not UNSET and self.preset not in PRESETS:
            raise WrongValueError(closest(self.preset, PRESETS), "preset")


def design_from_settings(
    settings: Mapping[str, object],
    *,
    read_lines: ReadLines | None = None,
    max_cards: int = MAX_BURST_CARDS,
    path: Path = (),
) -> OddsDesign:
    """Build a design from a settings table; an empty one means the toy.

    :param read_lines: gives the lines of the file that ``recording`` names; without it that key is refused.
    :param max_cards: what the machine lets out in one burst: the cap is lowered to it.
    :param path: where the table stands in its file.
    :raises OddsSettingsError: each wrong key, what stands there and what to write.
    """
    table = read(settings, _Settings, path=path, error=OddsSettingsError)
    base = PRESETS[table.preset or "toy"]
    if table.recording is not UNSET:
        recorded = _recording(table.recording, read_lines, (*path, "recording"))
        base = OddsDesign("recording", *recorded, MAX_BURST_CARDS)
    fire, size = table.fire or base.fire, table.size or base.size
    cap = min(base.cap if size is base.size else DEFAULT_CAP, max_cards)
    if table.cap is not UNSET:
        cap = table.cap
    if cap > max_cards:
        raise OddsSettingsError(error_at((*path, "cap"), _CAP.filled(most=max_cards), cap))
    name = base.name if (fire, size) == (base.fire, base.size) else "custom"
    try:
        return OddsDesign(name, fire, size, cap)
    except WrongValueError as error:
        raise OddsSettingsError(error_at((*path, "cap"), error.text, cap)) from error


def design_from_description(description: Mapping[str, object]) -> OddsDesign:
    """The design that ``describe()`` described; ``OddsSettingsError`` when it was, say, for another stream."""
    return read(description, OddsDesign, error=OddsSettingsError)


def _recording(name: str, read_lines: ReadLines | None, place: Path) -> tuple[p.EmpiricalFire, p.EmpiricalSize]:
    if read_lines is None:
        raise OddsSettingsError(error_at(place, _NO_FILES, name))
    try:
        return parse_recording(read_lines(name))
    except OSError as error:
        text = _UNREADABLE.filled(error=why(error))
    except UnicodeError:
        text = _UNREADABLE.filled(error=Text("this is no text in UTF-8"))
    except OddsSettingsError as error:
        text = error.text
    raise OddsSettingsError(error_at(place, text, name))
