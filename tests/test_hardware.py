"""The build guide, the pin maps, the drawings and the program tell the same story."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from gpiozero import PiBoardInfo
from typer.testing import CliRunner

from dispenser.cli import app
from dispenser.drivers.gpio.wiring import GpioWiring
from dispenser.service.settings import Settings, parse

HARDWARE = Path(__file__).parents[1] / "hardware"
GUIDE = (HARDWARE / "README.md").read_text(encoding="utf-8")
BOARDS = sorted((HARDWARE / "boards").glob("raspberry-pi-*.toml"))
MICROCONTROLLERS = sorted((HARDWARE / "boards").glob("arduino-*.toml"))
HEADER = PiBoardInfo.from_revision(0xC03115).headers["J8"]
"""The 40-pin header, as gpiozero knows it of a Raspberry Pi 4."""
SVG = "{http://www.w3.org/2000/svg}"


def table(*headings: str) -> list[dict[str, str]]:
    """The rows of the guide's table that has these headings."""
    lines = GUIDE.splitlines()
    start = lines.index(f"| {' | '.join(headings)} |")
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append(dict(zip(headings, (cell.strip() for cell in line.strip("|").split("|")), strict=True)))
    return rows


WIRING = {row["Key"].strip("`"): row for row in table("Key", "Device", "GPIO", "Header pin", "Direction", "Says")}


def settings_of(board: Path) -> Settings:
    return parse(board.read_text(encoding="utf-8"))


def differences(wiring: GpioWiring) -> dict[str, Any]:
    usual = GpioWiring()
    names = GpioWiring.__dataclass_fields__
    return {name: getattr(wiring, name) for name in names if getattr(wiring, name) != getattr(usual, name)}


# --- pins ---


def test_the_wiring_table_is_the_programs_pin_map() -> None:
    assert {key: int(row["GPIO"]) for key, row in WIRING.items()} == GpioWiring().lines()


@pytest.mark.parametrize("key", WIRING)
def test_header_pins_are_those_of_the_gpio_numbers(key: str) -> None:
    row = WIRING[key]
    assert HEADER.pins[int(row["Header pin"])].name == f"GPIO{row['GPIO']}"


def test_ground_and_supply_pins_are_where_the_guide_says() -> None:
    grounds, supplies = re.search(  # type: ignore[union-attr]
        r"Ground is on the header pins ([\d, and]+); 3\.3 V on ([\d and]+)\.", GUIDE
    ).groups()
    names = {name: {pin.number for pin in HEADER.pins.values() if pin.name == name} for name in ("GND", "3V3")}
    assert {int(number) for number in re.findall(r"\d+", grounds)} == names["GND"]
    assert {int(number) for number in re.findall(r"\d+", supplies)} == names["3V3"]


def test_levels_are_those_of_the_program() -> None:
    wiring = GpioWiring()
    assert WIRING["button"]["Says"] == ("high: pressed" if wiring.button_active_high else "low: pressed")
    assert WIRING["lid"]["Says"] == ("high: shut" if wiring.lid_active_high else "low: shut")
    assert WIRING["exit"]["Says"] == ("high: blocked" if wiring.exit_blocked_high else "low: blocked")
    for key in ("button", "lid"):
        assert WIRING[key]["Direction"] == "input, pulled up"
        assert "to ground" in WIRING[key]["Device"]


def test_directions_are_those_of_the_program() -> None:
    outputs = {key for key, row in WIRING.items() if row["Direction"] == "output"}
    assert outputs == {"motor_forward", "motor_backward", "motor_enable", "buzzer", "light"}


# --- boards ---


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.stem)
def test_a_board_differs_as_the_guide_says_and_in_nothing_else(board: Path) -> None:
    rows = {row["File"]: row["Differs from the table above"] for row in table("File", "Differs from the table above")}
    said = rows[f"[{board.name}](boards/{board.name})"]
    written = "\n".join(re.findall(r"`([^`]+)`", said))
    expected = parse(f"[pins]\n{written}\n").pins
    assert settings_of(board).pins == expected
    assert (said == "nothing") == (differences(expected) == {})


def test_every_board_is_in_the_guide_and_every_board_of_the_guide_is_there() -> None:
    linked = set(re.findall(r"\]\(boards/([^)]+)\)", GUIDE))
    assert linked == {board.name for board in (HARDWARE / "boards").iterdir()}
    assert {board.name for board in (*BOARDS, *MICROCONTROLLERS)} == linked, "a name that says no kind"


def test_the_usual_board_writes_out_every_key() -> None:
    text = (HARDWARE / "boards" / "raspberry-pi-h-bridge.toml").read_text()
    for name in GpioWiring.__dataclass_fields__:
        assert re.search(rf"^{name} = ", text, re.MULTILINE), f"{name} is not in the file that people copy"


@pytest.mark.parametrize("board", [*BOARDS, *MICROCONTROLLERS], ids=lambda board: board.stem)
def test_the_program_takes_the_board(board: Path) -> None:
    checked = CliRunner().invoke(app, ["config", "check", str(board)])
    assert (checked.exit_code, checked.output) == (0, f"{board}: valid\n")


# --- microcontrollers ---


FIRMWARE = HARDWARE.parent / "firmware"
NAMES = {  # in firmware/avr/board.h, and in the guide
    "LID": "lid switch",
    "BUTTON": "push button",
    "MOTOR_ENABLE": "bridge enable",
    "MOTOR_BACKWARD": "bridge input 2",
    "MOTOR_FORWARD": "bridge input 1",
    "EXIT": "exit sensor",
    "PIEZO": "piezo",
    "LIGHT": "LED",
}


def arduino_pin(chip_pin: str) -> str:
    """An Uno's name of an ATmega328P's pin: port D is D0 to D7, port B is D8 to D13."""
    return f"D{int(chip_pin[2]) + {'D': 0, 'B': 8}[chip_pin[1]]}"


def test_the_microcontrollers_table_is_the_firmwares_pin_map() -> None:
    board = (FIRMWARE / "avr" / "board.h").read_text(encoding="utf-8")
    pins = dict(re.findall(r"^#define (\w+) (P[BD]\d)$", board, re.MULTILINE))
    rows = table("Device", "Arduino pin", "Chip pin", "Direction", "Says")
    assert set(pins) == set(NAMES)
    assert len(rows) == len(NAMES)
    for name, pin in pins.items():
        (row,) = (row for row in rows if row["Device"].startswith(NAMES[name]))
        assert (row["Chip pin"], row["Arduino pin"]) == (pin, arduino_pin(pin))
        assert re.search(rf"^//   {arduino_pin(pin)} +{pin} ", board, re.MULTILINE), f"{pin} in board.h's own table"


@pytest.mark.parametrize(("board", "clock"), list(zip(MICROCONTROLLERS, ["8", "16"], strict=True)))
def test_a_microcontrollers_board_speaks_as_fast_as_its_firmware(board: Path, clock: str) -> None:
    driver = settings_of(board).driver
    makefile = (FIRMWARE / "Makefile").read_text(encoding="utf-8")
    assert driver.kind == "serial"
    assert f"BAUD_{clock} := {driver.baud}\n" in makefile


def test_options_of_the_guides_are_the_makefiles() -> None:
    makefile = (FIRMWARE / "Makefile").read_text(encoding="utf-8")
    page = (FIRMWARE / "README.md").read_text(encoding="utf-8")
    for option, value in re.findall(r"`([A-Z_]+)=(\w+)`", GUIDE + page):
        assert re.search(rf"^(USUAL_{option} :?|{option} \?)= ", makefile, re.MULTILINE), (
            f"{option}={value}: no such option"
        )
    for option, usual in re.findall(r"^\| `([A-Z_]+)` \| (\w+)", page, re.MULTILINE):
        assert re.search(rf"^USUAL_{option} :?= ({usual}|\$\(BAUD_.*\))$", makefile, re.MULTILINE), (
            f"{option}: not {usual}"
        )


# --- drawings ---


def texts(drawing: str) -> list[str]:
    root = ElementTree.parse(HARDWARE / drawing).getroot()
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


def numbered_at(drawing: str) -> dict[str, str]:
    """GPIO names of a drawing, each with the pin number drawn at the same height on its side of the header."""
    root = ElementTree.parse(HARDWARE / drawing).getroot()
    grouped = [text for group in root.iter(f"{SVG}g") if group.get("class") == "pin" for text in group]
    pins = [*grouped, *(text for text in root.iter(f"{SVG}text") if text.get("class") == "pin")]
    names = [text for text in root.iter(f"{SVG}text") if re.fullmatch(r"GPIO\d+|GND|3\.3 V", text.text or "")]
    found = {}
    for name in names:
        near = [
            pin
            for pin in pins
            if abs(float(pin.get("y", 0)) - float(name.get("y", 0))) <= 2
            and abs(float(pin.get("x", 0)) - float(name.get("x", 0))) <= 30
        ]
        if near:
            assert len(near) == 1
            found[f"{name.text}@{near[0].text}"] = str(near[0].text)
    return found


def test_the_drawing_shows_every_pin_of_the_table() -> None:
    drawn = numbered_at("wiring.svg")
    for row in WIRING.values():
        assert drawn[f"GPIO{row['GPIO']}@{row['Header pin']}"] == row["Header pin"]
    assert sum(name.startswith("GPIO") for name in drawn) == len(WIRING)


@pytest.mark.parametrize("drawing", ["wiring.svg", "wiring-mosfet.svg"])
def test_pin_numbers_of_a_drawing_carry_what_is_written_beside_them(drawing: str) -> None:
    drawn = numbered_at(drawing)
    assert drawn
    for name, number in drawn.items():
        on_header = HEADER.pins[int(number)].name
        assert on_header == name.partition("@")[0].replace("3.3 V", "3V3")


def test_the_mosfet_is_drawn_on_its_boards_pin() -> None:
    wiring = settings_of(HARDWARE / "boards" / "raspberry-pi-mosfet.toml").pins
    assert [text for text in texts("wiring-mosfet.svg") if text.startswith("GPIO")] == [f"GPIO{wiring.motor_forward}"]


@pytest.mark.parametrize("drawing", ["wiring.svg", "wiring-mosfet.svg"])
def test_drawings_show_what_keeps_the_motor_off_and_can_be_read_aloud(drawing: str) -> None:
    shown = texts(drawing)
    assert "10 kOhm" in shown
    assert any("second lid switch" in text for text in shown)
    assert "fuse" in shown
    root = ElementTree.parse(HARDWARE / drawing).getroot()
    assert root.find(f"{SVG}title") is not None
    assert root.find(f"{SVG}desc") is not None
    assert f"({drawing})" in GUIDE


# --- parts ---


def bill() -> list[dict[str, str]]:
    with (HARDWARE / "BOM.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_bill_of_materials_is_whole() -> None:
    rows = bill()
    assert [int(row["item"]) for row in rows] == list(range(1, len(rows) + 1))
    names = {board.stem.removeprefix("raspberry-pi-") for board in BOARDS} | {"microcontroller"}
    for row in rows:
        assert int(row["quantity"]) >= 1
        assert row["part"]
        assert row["used_for"]
        assert row["variants"] == "all" or set(row["variants"].split(";")) <= names
        assert None not in row, "a value with a comma needs quotes"


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.stem)
def test_a_board_has_parts_for_what_its_pin_map_drives(board: Path) -> None:
    wiring = settings_of(board).pins
    name = board.stem.removeprefix("raspberry-pi-")
    parts = " / ".join(row["part"] for row in bill() if name in row["variants"].split(";") or row["variants"] == "all")
    assert ("H-bridge" in parts) == (wiring.motor_backward is not None)
    assert ("MOSFET" in parts) == (wiring.motor_backward is None)
    assert ("light barrier" in parts) == (wiring.exit is not None)
    assert ("active buzzer" in parts) == wiring.buzzer_active
    assert ("passive piezo" in parts) == (not wiring.buzzer_active)
    assert "push button" in parts
    assert "microswitch" in parts


def test_every_printed_part_has_named_lengths_with_a_source() -> None:
    parts = sorted((HARDWARE / "printed").glob("*.scad"))
    assert len(parts) == 2
    for part in parts:
        assert f"(printed/{part.name})" in GUIDE
        head = part.read_text().partition("$fn")[0]
        lengths = re.findall(r"^(\w+) = [\d.]+;(.*)$", head, re.MULTILINE)
        assert len(lengths) >= 8
        for name, comment in lengths:
            sources = r"data sheet|listed|assumed|measured|M3 screws"
            assert re.search(sources, comment), f"{part.name}: {name} has no source and is not marked as assumed"


# --- the guide ---


def test_settings_of_the_guide_are_the_programs() -> None:
    for line in re.findall(r"`(\w+ = [^`]+)`", GUIDE):
        parse(f"[pins]\n{line}\n")
    for block in re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL):
        parse(block)
    assert parse('[pins]\nexit = "none"\n').pins.exit is None
