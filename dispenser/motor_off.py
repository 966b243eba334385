"""Turns the motor off from outside the launcher: ``python -m dispenser.motor_off [--kill]``.

On a Raspberry Pi an output keeps its level when the program that drove it dies, so a launcher that is killed in the
middle of a burst leaves its motor running. systemd runs this afterwards (``ExecStopPost=``).

It works when nothing else does. A launcher on pins leaves in its runtime directory, before it claims them, a note of
the motor's lines and a copy of this file (``dispenser.drivers.pins.motor_note``). All the rest is asked of the
kernel: its GPIO character device, uAPI v2 (since Linux 5.10; a Raspberry Pi OS with our Python has 6.1 or later). So
nothing of ours and nothing installed is imported, no settings are read, no file is written.

Every line goes to the level that means off, enable first, and becomes an input that is pulled there; then the wiring's
pull-down resistor holds it.

Exit code: 0 the motor is off, or there is nothing to do; 2 wrong command line; 69 a line cannot be had.
"""

import errno
import fcntl
import os
import struct
import sys

NOTE = "motor-lines"
"""Name of the note in the runtime directory. A word and its value on each line; see ``Note``."""
COPY = "motor_off.py"
"""Name of this file's copy beside it."""
SYSTEM_DIRECTORY = "/run/dispenser"
USAGE = 2
UNAVAILABLE = 69
KILL_PATIENCE_MS = 2000
CELLS = "Does the motor turn? Take out its cells"
HELP = f"""usage: python -m dispenser.motor_off [--kill]

Turn the motor off after a launcher that has crashed, by the note that it left in its runtime directory.
It reads no settings, and needs nothing but Python.

  --kill      when the launcher that left the note still runs and holds the motor's lines (hung, or stopped):
              end it at once, then turn the motor off. Nothing else that holds them is ever ended.
  -h, --help  show this

It looks into $RUNTIME_DIRECTORY; else beside this file, into $XDG_RUNTIME_DIR/dispenser and {SYSTEM_DIRECTORY}.
"""

# linux/gpio.h. A request is one line here; bytes that are always zero are "x".
CHIP_INFO = struct.Struct("=32s32sI")  # name, label, lines
LINE_INFO = struct.Struct("=32s32sI188x")  # name, consumer, offset
LINE_CONFIG = struct.Struct("=QI20xI4xQQ216x")  # flags, attributes; the first one's id, values, mask
LINE_REQUEST = struct.Struct("=I252x32s272sI24xi")  # offset, consumer, config, lines, fd
GET_CHIP_INFO = 0x8044B401
GET_LINE_INFO = 0xC100B405
GET_LINE = 0xC250B407
SET_CONFIG = 0xC110B40D
INPUT, OUTPUT, PULL_UP, PULL_DOWN = 1 << 2, 1 << 3, 1 << 8, 1 << 9
OUTPUT_VALUES = 2

Line = tuple[str, int, int]
"""Name, offset on the chip, level that means off."""


class Note:
    """What a launcher left: the motor's lines, and which process holds them.

    :raises ValueError: it is not such a note.
    """

    def __init__(self, text: str) -> None:
        words: dict[str, str] = {}
        self.lines: list[Line] = []
        for row in text.splitlines():
            word, _, value = row.partition(" ")
            if word == "line":
                offset, level, name = value.split(" ")
                self.lines.append((name, int(offset), int(level)))
            else:
                words[word] = value
        try:
            self.chip, self.label = words["chip"], words["label"]
            self.pid, self.started = int(words["pid"]), words["started"]
        except KeyError as error:
            raise ValueError(f"it does not tell its {error}") from error
        if not self.lines or not self.chip.startswith("/dev/gpiochip"):
            raise ValueError("it names no lines of a GPIO chip")

    @property
    def alive(self) -> bool:
        """Whether the very process that left it still runs."""
        return started(self.pid) == self.started != ""


def started(pid: int) -> str:
    """When that process began, in the kernel's ticks since the boot: tells it from a later one of the same number.

    :returns: nothing when there is no such process, or only its remains.
    """
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            state, *fields = file.read().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if state in "ZX" else fields[18]


def label_of(chip: int) -> str:
    """The label of an open GPIO chip, such as ``pinctrl-bcm2711``."""
    label: bytes = CHIP_INFO.unpack(fcntl.ioctl(chip, GET_CHIP_INFO, bytes(CHIP_INFO.size)))[1]
    return label.rstrip(b"\0").decode(errors="replace")


def open_chip(path: str, label: str) -> int:
    """The chip of that label: the one at ``path``, or wherever it is now, for numbers of chips change.

    :raises OSError: there is none that this user may use.
    """
    first: OSError | None = None
    for each in (path, *sorted(f"/dev/{name}" for name in os.listdir("/dev") if name.startswith("gpiochip"))):
        try:
            chip = os.open(each, os.O_RDWR | os.O_CLOEXEC)
        except OSError as error:
            first = first or error
            continue
        try:
            if label_of(chip) == label:
                return chip
        except OSError as error:
            first = first or error
        os.close(chip)
    raise first or FileNotFoundError(errno.ENOENT, f"no chip here is a {label}", path)


def config(flags: int, level: int = 0) -> bytes:
    return LINE_CONFIG.pack(flags, 1, OUTPUT_VALUES, level, 1) if flags & OUTPUT else LINE_CONFIG.pack(flags, *[0] * 4)


def request(chip: int, offset: int, configuration: bytes) -> int:
    """Ask the kernel for one line: its file descriptor.

    :raises OSError: ``EBUSY`` when somebody else holds it.
    """
    asked = LINE_REQUEST.pack(offset, b"dispenser.motor_off", configuration, 1, 0)
    fd: int = LINE_REQUEST.unpack(fcntl.ioctl(chip, GET_LINE, asked))[4]
    return fd


def consumer(chip: int, offset: int) -> str:
    """What the holder of a line calls itself; lgpio says ``lg``."""
    asked = LINE_INFO.pack(b"", b"", offset)
    name: bytes = LINE_INFO.unpack(fcntl.ioctl(chip, GET_LINE_INFO, asked))[1]
    return name.rstrip(b"\0").decode(errors="replace")


def turn_off(chip: int, lines: list[Line]) -> dict[Line, OSError]:
    """Drive every line to the level that means off, then let it go as an input.

    :returns: the lines that cannot be had; they keep none of the others from going off.
    """
    held, failures = [], {}
    for line in lines:
        try:
            held.append((request(chip, line[1], config(OUTPUT, line[2])), line))
        except OSError as error:
            failures[line] = error
    for fd, line in held:
        try:
            fcntl.ioctl(fd, SET_CONFIG, config(INPUT | (PULL_UP if line[2] else PULL_DOWN)))
        except OSError as error:
            failures[line] = error
        os.close(fd)
    return failures


def end(note: Note, owner: int) -> bool:
    """End the process that left the note, if it is still that very one and belongs to ``owner``; whether it has."""
    import select
    import signal

    try:
        process = os.pidfd_open(note.pid)
    except OSError:
        return False
    try:
        if not note.alive or os.stat(f"/proc/{note.pid}").st_uid != owner:
            return False
        signal.pidfd_send_signal(process, signal.SIGKILL)
        gone = select.poll()
        gone.register(process, select.POLLIN)
        return bool(gone.poll(KILL_PATIENCE_MS))
    except OSError as error:
        _complain(f"the launcher, process {note.pid}, cannot be ended: {error}")
        return False
    finally:
        os.close(process)


def obey(path: str, *, kill: bool) -> int:
    """Turn off what the note at ``path`` names; the exit code."""
    try:
        with open(path, encoding="utf-8") as file:
            owner, note = os.fstat(file.fileno()).st_uid, Note(file.read())
    except (OSError, ValueError) as error:
        _complain(
            f"the note of the motor's lines cannot be read: {error} ({path}). If it is another user's, sudo. {CELLS}"
        )
        return UNAVAILABLE
    try:
        chip = open_chip(note.chip, note.label)
    except OSError as error:
        _complain(
            f"the motor's GPIO chip ({note.chip}, {note.label}) cannot be opened: {error}. May this user do so "
            f"(group gpio)? {CELLS}"
        )
        return UNAVAILABLE
    failures = turn_off(chip, note.lines)
    if kill and any(error.errno == errno.EBUSY for error in failures.values()) and end(note, owner):
        failures = turn_off(chip, list(failures))
        _say(f"the launcher, process {note.pid}, held the motor's lines and was ended")
    reasons: dict[str, list[str]] = {}
    for line, failure in failures.items():
        reasons.setdefault(_why(chip, line, failure, note), []).append(f"{line[0]} (line {line[1]})")
    for why, names in reasons.items():
        _complain(f"{', '.join(names)} of {note.chip} cannot be turned off: {why}")
    os.close(chip)
    if failures:
        return UNAVAILABLE
    _say(f"the motor is off: {', '.join(name for name, _, _ in note.lines)}")
    return 0


def _why(chip: int, line: Line, error: OSError, note: Note) -> str:
    if error.errno != errno.EBUSY:
        return str(error)
    if note.alive:
        return (
            f"the launcher, process {note.pid}, still runs and holds that. End it, which turns its motor off; if it "
            "does not end, --kill"
        )
    return f"another program holds that, as '{consumer(chip, line[1])}'. End that program"


def runtime_directory() -> str | None:
    """Where a launcher that starts now leaves its note; ``None`` where there is no such place."""
    if given := os.environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]:
        return given
    if os.path.isdir(of_user := os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}"):
        return f"{of_user}/dispenser"
    return SYSTEM_DIRECTORY if os.getuid() == 0 else None


def notes() -> list[str]:
    """The notes that concern whoever asks."""
    here = runtime_directory()
    if os.environ.get("RUNTIME_DIRECTORY"):
        places = [here]
    else:
        places = [os.path.dirname(os.path.abspath(__file__)), here, SYSTEM_DIRECTORY]
    return [path for place in dict.fromkeys(places) if place and _may_be_there(path := f"{place}/{NOTE}")]


def _may_be_there(path: str) -> bool:
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True  # in a folder that is not for this user, who must be told so
    return True


def main(arguments: list[str] | None = None) -> int:
    """Turn the motor off; the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    if "-h" in given or "--help" in given:
        os.write(1, HELP.encode())
        return 0
    if wrong := [argument for argument in given if argument != "--kill"]:
        _complain(f"there is no {wrong[0]}; see --help")
        return USAGE
    if found := notes():
        return max([obey(path, kill="--kill" in given) for path in found])
    _say(
        "nothing to do: since the boot, or since it last ended well, no launcher on pins has left a note "
        "(a microcontroller turns its motor off by itself)"
    )
    return 0


def from_outside() -> str:
    """Turn the motor off for a launcher that has died; what is in the way of that, if anything is."""
    return "" if main([]) == 0 else f"the motor could not be turned off from outside. {CELLS}"


def _say(text: str, fd: int = 1) -> None:
    try:
        os.write(fd, f"dispenser.motor_off: {text}\n".encode())
    except OSError:
        pass  # nobody listens, on a terminal that is gone or a full disk: the motor comes first


def _complain(text: str) -> None:
    _say(text, 2)


if __name__ == "__main__":
    sys.exit(main())
