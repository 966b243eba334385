"""Frames: shared vectors, round trips, noise; and the dictionary and all that is made of it."""

from __future__ import annotations

import enum
import json
import subprocess
import sys
import typing
from pathlib import Path
from typing import Any

import pytest

from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.frames import Frame, FrameDecoder, crc16, encode
from dispenser.launcher import messages as m
from tests.sampled import sampled

ROOT = Path(__file__).parents[3]
GENERATE = ROOT / "firmware" / "wire" / "generate.py"
VECTORS: dict[str, Any] = json.loads((ROOT / "firmware" / "wire" / "vectors.json").read_text(encoding="utf-8"))
CLASSES = {cls.__name__.lower(): cls for cls in wire.MESSAGES.values()}


def types_of(kind: type[wire.Message]) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    return {name: hints[name] for name in kind.__struct_fields__}


def of_vector(vector: dict[str, Any]) -> Frame:
    kind = CLASSES[vector["message"].replace("_", "")]
    values = [type_(vector["fields"][name]) for name, type_ in types_of(kind).items()]
    return Frame(vector["sequence"], kind(*values))


# --- vectors that the tests of the C core use, too -----------------------------------------------------------------


@pytest.mark.parametrize("vector", VECTORS["crc"], ids=lambda vector: vector["data"][:18])
def test_the_crc_is_the_one_of_the_vectors(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["data"])
    for start, crc in ((0, vector["start_0"]), (0xFFFF, vector["start_ffff"])):
        assert crc16(data, start) == crc


@pytest.mark.parametrize("vector", VECTORS["frames"], ids=lambda vector: vector["name"])
def test_a_message_is_on_the_line_what_the_vectors_say(vector: dict[str, Any]) -> None:
    frame = of_vector(vector)
    assert encode(frame).hex() == vector["encoded"]
    assert FrameDecoder().feed(bytes.fromhex(vector["encoded"])) == [frame]


@pytest.mark.parametrize("vector", VECTORS["forever"], ids=lambda vector: vector["name"])
def test_the_handshake_of_version_1_is_understood_for_ever(vector: dict[str, Any]) -> None:
    assert FrameDecoder().feed(bytes.fromhex(vector["encoded"])) == [of_vector(vector)]


@pytest.mark.parametrize("vector", VECTORS["rejected"] + VECTORS["refused"], ids=lambda vector: vector["why"])
def test_what_is_no_frame_is_dropped_and_the_next_one_heard(vector: dict[str, Any]) -> None:
    good = Frame(9, wire.Stop())
    decoder = FrameDecoder()
    assert decoder.feed(bytes.fromhex(vector["encoded"]) + encode(good)) == [good]


@pytest.mark.parametrize("vector", VECTORS["streams"], ids=lambda vector: vector["name"])
@pytest.mark.parametrize("piece", [1, 2, 7, 1000])
def test_frames_are_found_in_a_stream_whatever_its_pieces(vector: dict[str, Any], piece: int) -> None:
    data, decoder = bytes.fromhex(vector["bytes"]), FrameDecoder()
    found = [frame for at in range(0, len(data), piece) for frame in decoder.feed(data[at : at + piece])]
    assert [encode(frame).hex() for frame in found] == vector["frames"]


# --- the dictionary --------------------------------------------------------------------------------------------------


def test_a_word_of_a_newer_firmware_is_unknown_and_not_an_error() -> None:
    welcome = wire.Welcome(1, 9, 9, 9, 9, 9, 9, wire.ResetCause.POWER_ON, wire.Capability(0), wire.Board.HOST)
    payload = bytearray(welcome.pack())
    payload[-3], payload[-1] = 200, 200
    newer = wire.Welcome.unpack(bytes(payload))
    assert (newer.reset_cause, newer.board) == (wire.ResetCause.UNKNOWN, wire.Board.UNKNOWN)


def names(kind: type[enum.Enum]) -> list[str]:
    return [member.name for member in kind]


@pytest.mark.parametrize(
    ("on_the_line", "ours"),
    [
        (names(wire.LauncherState), m.State),
        (names(wire.FeedEnd)[1:], m.FeedEnd),
        (names(wire.BurstEnd), m.BurstEnd),
        (names(wire.Chime), m.Chime),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_the_words_are_those_of_the_launcher_in_their_order(on_the_line: list[str], ours: type[enum.Enum]) -> None:
    assert on_the_line == names(ours)


def test_the_limits_are_those_of_the_launcher() -> None:
    assert wire.MAX_BURST_CARDS == m.MAX_BURST_CARDS
    assert wire.MAX_MOTOR_RUN_MS == m.MAX_MOTOR_RUN_S * 1000
    m.Retract(wire.MAX_RETRACT_MS / 1000)
    with pytest.raises(m.MessageError):
        m.Retract((wire.MAX_RETRACT_MS + 1) / 1000)


def run_generate(*arguments: str, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / GENERATE.relative_to(ROOT)), *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def test_what_is_made_from_the_dictionary_is_up_to_date() -> None:
    checked = run_generate("--check")
    assert checked.returncode == 0, checked.stderr


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The dictionary and its generator in a folder of their own, everything made."""
    folder = tmp_path / "firmware" / "wire"
    folder.mkdir(parents=True)
    for source in (
        *GENERATE.parent.glob("*.py"),
        *(GENERATE.parent / name for name in ("messages.toml", "protocol.md.in")),
    ):
        (folder / source.name).write_bytes(source.read_bytes())
    assert run_generate(root=tmp_path).returncode == 0
    return tmp_path


MADE = ("firmware/core/wire_messages.h", "dispenser/drivers/serial/tables.py", "firmware/PROTOCOL.md")


@pytest.mark.parametrize("name", MADE)
def test_a_file_that_was_changed_by_hand_is_found(copied: Path, name: str) -> None:
    path = copied / name
    assert path.read_bytes() == (ROOT / name).read_bytes()
    path.write_text(path.read_text(encoding="utf-8") + " ", encoding="utf-8")
    checked = run_generate("--check", root=copied)
    assert checked.returncode == 1
    assert name in checked.stderr
    path.unlink()
    assert run_generate("--check", root=copied).returncode == 1


def made_with(copied: Path, old: str, new: str) -> subprocess.CompletedProcess[str]:
    """Everything made anew from a dictionary that was changed."""
    path = copied / "firmware" / "wire" / "messages.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return run_generate(root=copied)


@pytest.mark.parametrize(
    ("old", "new"),
    sampled(
        [
            ('"dud", "refused"', '"refused", "dud"'),
            ("host_silent_ms = { value = 1000", "host_silent_ms = { value = 1001"),
            ('name = "duration_ms", type = "u16"', 'name = "duration_ms", type = "u32"'),
            ("number = 0x12", "number = 0x18"),
            ('"exit_sensor", "retract"', '"retract", "exit_sensor"'),
        ],
        3,
        several=True,
    ),
)
def test_whatever_both_ends_must_agree_on_changes_the_hash(copied: Path, old: str, new: str) -> None:
    made = made_with(copied, old, new)
    assert made.returncode == 0, made.stderr
    tables = (copied / MADE[1]).read_text(encoding="utf-8")
    assert int(tables.split("DICTIONARY = ")[1].split()[0], 16) != wire.DICTIONARY


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    sampled(
        [
            ("number = 0x12", "number = 0x13", "same number"),
            ("number = 0x82", "number = 0x182", "byte"),
            ("number = 0x12", "number = 0x92", "device_numbers"),
            ("number = 0x82", "number = 0x18", "device_numbers"),
            ('from = "host"', 'from = "moon"', "from must be"),
            ('type = "u16", text = "any', 'type = "i16", text = "any', "i16"),
            ('words = "chime"', 'words = "chimes"', "chimes"),
            ('bits = "latch"', 'bits = "lock"', "lock"),
            ('hosted = "there is', 'hoested = "there is', "no member: hoested"),
            ('text = "What became of a command."', 'text = "What became of a command."\nopen = true', "unknown"),
            ("max_payload = { value = 64", "max_payload = { value = 20", "max_payload"),
        ],
        4,
        several=True,
    ),
)
def test_a_dictionary_that_contradicts_itself_is_refused(copied: Path, old: str, new: str, complaint: str) -> None:
    made = made_with(copied, old, new)
    assert made.returncode != 0
    assert complaint in made.stderr
