"""Turn the motor off after the launcher's process has ended: ``python -m dispenser.motor_off [--kill]``.

  --kill      when the launcher that left the note still runs and holds the motor's lines (hung, or stopped):
              end it at once, then turn the motor off. Nothing else that holds them is ever ended.
  -h, --help  show this

On a Raspberry Pi an output keeps its level when the program that drove it dies, so a launcher that is killed in the
middle of a burst leaves its motor running. systemd runs this afterwards (``ExecStopPost=``).

It works when nothing else does. A launcher on pins leaves in its runtime directory, before it claims them, a note of
the motor's lines and a copy of this file (``dispenser.drivers.gpio.motor_note``). The note is looked for in
$RUNTIME_DIRECTORY; else beside this file, in $XDG_RUNTIME_DIR/dispenser and /run/dispenser. All the rest is asked of
the kernel: its GPIO character device, uAPI v2 (since Linux 5.10; a Raspberry Pi OS with our Python has 6.1 or later),
and who has locked the note. So nothing of ours and nothing installed is imported, no settings are read, no file is
written.

Every line goes low, enable first, and becomes an input that is pulled down; then the wiring's pull-down resistor
holds it.

Exit code: 0 the motor is off, or there is nothing to do; 2 wrong command line; 69 a line cannot be had.
"""

import errno
import fcntl
import os
import struct
import sys

NOTE = "motor-lines"
"""Name of the note: one row per line of the motor, the chip, and its label, without which the note was cut short."""
COPY = "motor_off.py"
"""Name of the copy of this file beside the note."""
SYSTEM_DIRECTORY = "/run/dispenser"
USAGE = 2
UNAVAILABLE = 69
KILL_PATIENCE_MS = 2000
CELLS = "Does the motor turn? Take out its cells"

# linux/gpio.h, for requests of one line; "x" are bytes that are always zero.
CHIP_INFO = struct.Struct("=32s32sI")  # name, label, lines
LINE_CONFIG = struct.Struct("=QI20xI4xQQ216x")  # flags, attributes; the first one's id, values, mask
LINE_REQUEST = struct.Struct("=I252x32s272sI24xi")  # offset, consumer, config, lines, fd
GET_CHIP_INFO = 0x8044B401
GET_LINE = 0xC250B407
SET_CONFIG = 0xC110B40D
INPUT, OUTPUT, PULL_DOWN = 1 << 2, 1 << 3, 1 << 9
OUTPUT_VALUES = 2
LOCK = struct.Struct("hhqqi")  # struct flock: type, whence, start, length, process


Line = tuple[str, int]
"""Name, and offset on the chip."""


def read(note: str) -> tuple[str, str, list[Line]]:
    """Parse a note: the chip, its label, and the motor's lines, enable first.

    :raises ValueError: it is not a note.
    """
    *rows, chip, label = note.splitlines()
    lines = [(name, int(offset)) for offset, name in (row.split(" ") for row in rows)]
    if not lines or not chip.startswith("/dev/gpiochip") or any(offset >> 32 for _, offset in lines):
        raise ValueError("it names no lines of a GPIO chip")
    return chip, label, lines


def holder(note: int) -> int:
    """Return the PID of the process that holds the lines, which keeps the note locked until it ends; 0 for none.

    :param note: descriptor of the open note.
    """
    asked = LOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
    kind, _, _, _, pid = LOCK.unpack(fcntl.fcntl(note, fcntl.F_GETLK, asked))
    return 0 if kind == fcntl.F_UNLCK else int(pid)


def label_of(chip: int) -> str:
    """Return the label of an open GPIO chip, such as ``pinctrl-bcm2711``."""
    label: bytes = CHIP_INFO.unpack(fcntl.ioctl(chip, GET_CHIP_INFO, bytes(CHIP_INFO.size)))[1]
    return label.rstrip(b"\0").decode(errors="replace")


def config(flags: int, level: int = 0) -> bytes:
    return LINE_CONFIG.pack(flags, 1, OUTPUT_VALUES, level, 1) if flags & OUTPUT else LINE_CONFIG.pack(flags, *[0] * 4)


def request(chip: int, offset: int, configuration: bytes) -> int:
    """Request one line from the kernel; return its file descriptor.

    :raises OSError: ``EBUSY`` if another process holds it.
    """
    asked = LINE_REQUEST.pack(offset, b"dispenser.motor_off", configuration, 1, 0)
    fd: int = LINE_REQUEST.unpack(fcntl.ioctl(chip, GET_LINE, asked))[4]
    return fd


def turn_off(chip: int, lines: list[Line]) -> dict[Line, OSError]:
    """Drive every line low, then release it as an input.

    :returns: the lines that failed; the others are turned off all the same.
    """
    held, failures = [], {}
    for line in lines:
        try:
            held.append((request(chip, line[1], config(OUTPUT)), line))
        except OSError as error:
            failures[line] = error
    for fd, line in held:
        try:
            fcntl.ioctl(fd, SET_CONFIG, config(INPUT | PULL_DOWN))
        except OSError as error:
            failures[line] = error
        os.close(fd)
    return failures


def end(note: int) -> bool:
    """End the process that holds the lines by SIGKILL; return whether it has ended."""
    import select
    import signal

    try:
        process = os.pidfd_open(pid := holder(note))
    except (OSError, ValueError):
        return False
    try:
        if holder(note) != pid:  # it has ended meanwhile, and its PID may have been reused
            return False
        signal.pidfd_send_signal(process, signal.SIGKILL)
        gone = select.poll()
        gone.register(process, select.POLLIN)
        return bool(gone.poll(KILL_PATIENCE_MS))
    except OSError as error:
        _complain(f"the launcher cannot be ended: {error}")
        return False
    finally:
        os.close(process)


def obey(path: str, *, kill: bool = False) -> int | None:
    """Turn off the lines in the note at ``path``; return the exit code, ``None`` if there is no note."""
    try:
        with open(path, encoding="utf-8") as note:
            chip, label, lines = read(note.read())
            with open(chip, "r+b", buffering=0) as opened:
                if (found := label_of(opened.fileno())) != label:
                    _complain(f"{chip} is a {found}, and was a {label}: its lines are left alone. {CELLS}")
                    return UNAVAILABLE
                return _carry_out(opened.fileno(), lines, note.fileno(), kill=kill)
    except (OSError, ValueError) as error:
        if isinstance(error, (FileNotFoundError, NotADirectoryError)) and error.filename == path:
            return None
        _complain(
            f"the motor cannot be turned off by the note {path}: {error}. May this user read it, and use the chip "
            f"(group gpio)? Else sudo. {CELLS}"
        )
        return UNAVAILABLE


def _carry_out(chip: int, lines: list[Line], note: int, *, kill: bool) -> int:
    failures = turn_off(chip, lines)
    if kill and any(error.errno == errno.EBUSY for error in failures.values()) and end(note):
        failures = turn_off(chip, list(failures))
        _say("the launcher held the motor's lines and was ended")
    for (name, offset), error in failures.items():
        why = str(error)
        if error.errno == errno.EBUSY and holder(note):
            why = "the launcher still runs and holds it. End that, which turns its motor off; if it does not, --kill"
        elif error.errno == errno.EBUSY:
            why = "another program holds it ('gpioinfo' shows which). End that program"
        _complain(f"{name} (line {offset}) cannot be turned off: {why}")
    if failures:
        return UNAVAILABLE
    _say(f"the motor is off: {', '.join(name for name, _ in lines)}")
    return 0


def runtime_directory() -> str | None:
    """Return the folder in which a launcher started now would leave its note; ``None`` if there is none."""
    if given := os.environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]:
        return given
    if os.path.isdir(of_user := os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}"):
        return f"{of_user}/dispenser"
    return SYSTEM_DIRECTORY if os.getuid() == 0 else None


def main(arguments: list[str] | None = None) -> int:
    """Turn the motor off; return the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    if "-h" in given or "--help" in given:
        os.write(1, (__doc__ or "").encode())
        return 0
    if wrong := [argument for argument in given if argument != "--kill"]:
        _complain(f"there is no {wrong[0]}; see --help")
        return USAGE
    here = runtime_directory()
    everywhere = [os.path.dirname(os.path.abspath(__file__)), here, SYSTEM_DIRECTORY]
    places = dict.fromkeys([here] if os.environ.get("RUNTIME_DIRECTORY") else everywhere)
    codes = [obey(f"{place}/{NOTE}", kill="--kill" in given) for place in places if place]
    if not (told := [code for code in codes if code is not None]):
        _say(
            "nothing to do: since the boot, or since it last ended well, no launcher on pins has left a note "
            "(a microcontroller turns its motor off by itself)"
        )
    return max(told, default=0)


def _say(text: str, fd: int = 1) -> None:
    try:
        os.write(fd, f"dispenser.motor_off: {text}\n".encode())
    except OSError:
        pass  # a closed terminal or a full disk: the motor comes first


def _complain(text: str) -> None:
    _say(text, 2)


if __name__ == "__main__":
    sys.exit(main())
