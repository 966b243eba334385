"""How deep the stack can grow: every call path of the program, from its machine code and the compiler's own figures.

avr-gcc's ``-fstack-usage`` tells what each function takes, return address included; who calls whom comes from the
disassembly. Interrupts do not nest (none of ours sets the I flag), so the worst case is the deepest path of the main
program and, on top of it, the deepest path of an interrupt.
"""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.firmware.toolchain import FIRMWARE, built, elf, firmware_files, run

RETURN_BYTES = 2
"""A call pushes the return address: two bytes on a chip with 32 KiB of flash."""
SWITCH = "__tablejump2__"
"""The library's jump through the table of a ``switch``: it lands in the function that it came from."""
_HEAD = re.compile(r"^([0-9a-f]+) <([A-Za-z_]\w*(?:\.\w+)*)>:$")
"""A function. Newer linkers also name places within one: ``.LVL3``, ``L0`` with a control character."""
_TARGET = re.compile(r"\t(r?call|r?jmp|br\w+)\t.*; 0x([0-9a-f]+) ")


@dataclass(frozen=True, slots=True)
class Depth:
    """The deepest path from a function: bytes, and who is on it."""

    size: int
    path: tuple[str, ...]


@dataclass(slots=True)
class _Function:
    name: str
    start: int
    pushes: int = 0
    indirect: bool = False
    targets: list[tuple[str, int]] = field(default_factory=list)


def frames(clock_mhz: int = 16) -> dict[str, int]:
    """Bytes that each function takes, as the compiler says; of two static functions of one name the larger."""

    def build(path: Path) -> None:
        folder = path.with_suffix(".build")
        run("make", "-C", FIRMWARE, f"BUILD={folder}", f"CLOCK={clock_mhz}", "WARNINGS=-fstack-usage")
        found: dict[str, int] = {}
        for usage in folder.rglob("*.su"):
            for line in usage.read_text(encoding="utf-8").splitlines():
                place, size, kind = line.split("\t")
                if "dynamic" in kind and "bounded" not in kind:
                    raise AssertionError(f"a stack frame without a bound: {line}")
                name = place.rsplit(":", 1)[1]
                found[name] = max(found.get(name, 0), int(size))
        path.write_text(json.dumps(found), encoding="utf-8")
        shutil.rmtree(folder)

    told: dict[str, int] = json.loads(
        built(f"stack-{clock_mhz}mhz.json", firmware_files(), "-fstack-usage", build).read_text(encoding="utf-8")
    )
    return told


def _functions(program: Path) -> dict[int, _Function]:
    found: dict[int, _Function] = {}
    current: _Function | None = None
    for line in run("avr-objdump", "-d", "--no-show-raw-insn", program).splitlines():
        head = _HEAD.match(line)
        if head:
            current = _Function(head[2], int(head[1], 16))
            found[current.start] = current
        elif current is not None:
            current.pushes += "\tpush\t" in line
            current.indirect |= bool(re.search(r"\te?i(call|jmp)\b", line))
            target = _TARGET.search(line)
            if target:
                current.targets.append((target[1], int(target[2], 16)))
    return found


@cache
def deepest(clock_mhz: int = 16) -> tuple[Depth, Depth]:
    """The deepest path of the main program and that of the deepest interrupt.

    :raises AssertionError: recursion, a call through a pointer, a frame of unknown size: no bound can be given.
    """
    program, own = elf(clock_mhz), frames(clock_mhz)
    functions = _functions(program)
    known: dict[int, Depth] = {}
    under_way: list[int] = []

    def depth(start: int) -> Depth:
        if start in known:
            return known[start]
        function = functions[start]
        assert start not in under_way, f"recursion: {[functions[one].name for one in under_way]}"
        assert not function.indirect or function.name == SWITCH, f"{function.name} calls through a pointer"
        under_way.append(start)
        size = own.get(function.name.partition(".")[0], function.pushes + RETURN_BYTES)
        best = Depth(size, (function.name,))
        for kind, target in function.targets:
            calls = kind.endswith("call")
            if target not in functions or (target in under_way and not calls):
                continue  # a place within this function, or a loop of a library routine with labels
            below = depth(target)
            whole = size + below.size if calls else max(size, below.size)
            if whole > best.size:
                best = Depth(whole, (function.name, *below.path))
        under_way.pop()
        known[start] = best
        return best

    interrupts = [start for start, function in functions.items() if re.fullmatch(r"__vector_\d+", function.name)]
    main = next(start for start, function in functions.items() if function.name == "main")
    return depth(main), max((depth(start) for start in interrupts), key=lambda found: found.size)
