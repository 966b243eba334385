"""What the last resort asks of the kernel is what the kernel's own header says, to the byte."""

from __future__ import annotations

import fcntl
import os
import struct
import subprocess

import pytest

from dispenser import motor_off
from tests.kernel_gpio import compiled


@pytest.fixture(scope="module")
def layout(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the compiler makes of the kernel's own header."""
    program = compiled("layout.c", tmp_path_factory.mktemp("layout"))
    said = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    return dict(line.split(" ", 1) for line in said.splitlines())


def test_requests_are_those_of_the_kernels_header_to_the_byte(layout: dict[str, str]) -> None:
    low, high = motor_off.config(motor_off.OUTPUT, 0), motor_off.config(motor_off.OUTPUT, 1)
    ours = {
        "low": low,
        "high": high,
        "down": motor_off.config(motor_off.INPUT | motor_off.PULL_DOWN),
        "request": motor_off.LINE_REQUEST.pack(25, b"dispenser.motor_off", low, 1, 0),
    }
    assert {name: made.hex() for name, made in ours.items()} == {name: layout[name] for name in ours}
    for name in ("GET_CHIP_INFO", "GET_LINE", "SET_CONFIG"):
        assert getattr(motor_off, name) == int(layout[name], 16)


def test_the_lock_of_the_note_is_asked_for_as_this_computer_has_it(layout: dict[str, str]) -> None:
    asked = motor_off.LOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, 1, 2, 3)
    assert bytes.fromhex(layout["lock"]).startswith(asked)
    assert int(layout["F_GETLK"], 16) == fcntl.F_GETLK


def test_answers_are_read_where_the_kernel_writes_them(layout: dict[str, str]) -> None:
    def read(form: struct.Struct, name: str) -> tuple[object, ...]:
        return tuple(
            each.rstrip(b"\0") if isinstance(each, bytes) else each for each in form.unpack(bytes.fromhex(layout[name]))
        )

    assert read(motor_off.CHIP_INFO, "chip") == (b"gpiochip0", b"pinctrl-bcm2711", 58)
    assert read(motor_off.LINE_REQUEST, "answered")[-1] == 7
