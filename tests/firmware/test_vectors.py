"""The vectors that C and Python share: firmware/wire/vectors.json, put to the C side."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.frames import Frame, FrameDecoder, decode, enclose
from tests.firmware.host import HostCore
from tests.firmware.line import Host
from tests.firmware.toolchain import FIRMWARE

VECTORS: dict[str, Any] = json.loads((FIRMWARE / "wire" / "vectors.json").read_text(encoding="utf-8"))


def named(vectors: list[dict[str, Any]], name: str) -> list[Any]:
    return [pytest.param(vector, id=vector[name]) for vector in vectors]


PAGE = (FIRMWARE / "PROTOCOL.md").read_text(encoding="utf-8")
EXAMPLES = [bytes.fromhex(line.split("`")[1]) for line in PAGE.splitlines() if line.startswith("| on the line")]


def test_the_frames_that_the_page_shows_are_what_it_says_and_do_it(silent: HostCore) -> None:
    hello, feed = (decode(example.removesuffix(b"\0")) for example in EXAMPLES)
    assert hello == Frame(1, wire.Hello(wire.VERSION, wire.DICTIONARY, 0xBEEF))
    assert feed == Frame(2, wire.Feed(1, 3, 2000, 120, 500, 255))
    silent.run(500_000)
    host = Host(silent)
    for example in EXAMPLES:
        silent.send(example)
        silent.run(20_000)
    welcome, _, *others = (frame.message for frame in host.listen())
    assert isinstance(welcome, wire.Welcome)
    assert welcome.nonce == 0xBEEF
    assert wire.Ack(wire.Feed.TYPE, wire.Result.DONE) in others
    assert silent.motor != 0


@pytest.fixture
def silent() -> HostCore:
    core = HostCore()
    core.start()
    return core


@pytest.mark.parametrize("vector", named(VECTORS["frames"], "name"))
def test_the_core_reads_and_writes_each_frame(silent: HostCore, vector: dict[str, Any]) -> None:
    encoded = bytes.fromhex(vector["encoded"])
    kind = wire.MESSAGES[vector_type(encoded)]
    assert kind.__name__.lower() == vector["message"].replace("_", "")
    ((version, type_, sequence, payload),) = silent.frames(encoded)
    assert (type_, sequence) == (kind.TYPE, vector["sequence"])
    assert len(payload) == kind.layout().size
    if version == wire.VERSION:
        assert silent.frame(type_, sequence, payload) == encoded


@pytest.mark.parametrize("vector", named(VECTORS["frames"], "name"))
def test_one_wrong_bit_makes_no_other_frame_at_either_end(silent: HostCore, vector: dict[str, Any]) -> None:
    """Wherever it is, the zeros around the frame included."""
    stream = b"\0" + bytes.fromhex(vector["encoded"])
    (right,), whole = silent.frames(stream), FrameDecoder().feed(stream)
    for bit in range(8 * len(stream)):
        wrong = bytearray(stream)
        wrong[bit // 8] ^= 1 << bit % 8
        others = [frame for frame in silent.frames(bytes(wrong) + b"\0") if frame != right]
        assert all(len(payload) != len(right[3]) for *_, payload in others), bit  # which the session drops
        assert FrameDecoder().feed(bytes(wrong) + b"\0") in ([], whole), bit


def vector_type(encoded: bytes) -> int:
    frame = decode(encoded.rstrip(b"\0"))
    assert frame is not None
    return frame.message.TYPE


def test_a_host_of_version_1_is_told_who_answers_and_gets_no_session(silent: HostCore) -> None:
    hello = next(vector for vector in VECTORS["forever"] if vector["message"] == "hello")
    host = Host(silent)
    silent.send(b"\0" + bytes.fromhex(hello["encoded"]))
    welcome = host.wait_for(wire.Welcome, hello["sequence"])
    assert (welcome.nonce, welcome.protocol) == (hello["fields"]["nonce"], wire.VERSION)
    assert not silent.hosted


@pytest.mark.parametrize("vector", named(VECTORS["rejected"] + VECTORS["refused"], "why"))
def test_a_frame_that_is_not_right_does_nothing_and_a_refused_one_is_told_so(
    silent: HostCore, vector: dict[str, Any]
) -> None:
    host = Host(silent)
    host.hello()
    silent.run(20_000)
    silent.happenings()
    host.listen()
    encoded = bytes.fromhex(vector["encoded"])
    silent.send(b"\0" + encoded)
    silent.run(20_000)
    told = []
    if "result" in vector:
        ((_, type_, sequence, _),) = silent.frames(encoded)
        told = [Frame(sequence, wire.Ack(type_, wire.Result[vector["result"].upper()]))]
    assert host.listen() == told
    assert silent.happenings() == []


@pytest.mark.parametrize("vector", named(VECTORS["streams"], "name"))
def test_a_stream_holds_these_frames_and_no_others(silent: HostCore, vector: dict[str, Any]) -> None:
    found = silent.frames(bytes.fromhex(vector["bytes"]))
    wanted = [silent.frames(bytes.fromhex(frame))[0] for frame in vector["frames"]]
    assert found == wanted


@given(
    pieces=st.lists(
        st.one_of(
            st.binary(max_size=90),
            st.builds(enclose, st.binary(min_size=3, max_size=67)),
            st.just(b"\0"),
        ),
        max_size=12,
    )
)
def test_core_and_python_find_the_same_frames_in_any_stream(pieces: list[bytes]) -> None:
    core = HostCore()
    stream = b"".join(pieces) + b"\0"
    found = core.frames(stream)
    known = [
        (type_, sequence, payload)
        for version, type_, sequence, payload in found
        if (version == wire.VERSION or type_ in {wire.Hello.TYPE, wire.Welcome.TYPE})
        and type_ in wire.MESSAGES
        and unpacks(type_, payload)
    ]
    frames = FrameDecoder().feed(stream)
    assert [(frame.message.TYPE, frame.sequence, frame.message.pack()) for frame in frames] == known


def unpacks(type_: int, payload: bytes) -> bool:
    """Python's own reader takes it; that the two agree about lengths and words is what the vectors are for."""
    return decode(enclose(bytes((wire.VERSION, type_, 1)) + payload)[:-1]) is not None
