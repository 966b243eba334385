"""The virtual Pi as a running QEMU: boots and runs commands.

Its time is virtual: a nanosecond an instruction, and none at all while it sleeps (``-icount shift=0,sleep=off``). So
what is measured inside is the same however busy this computer is, and waiting costs nothing. While nobody outside waits
for it, it stands still.
"""

from __future__ import annotations

import json
import select
import selectors
import socket
import subprocess
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.nightly.pi.image import DISK_MIB, Image

PORTS = ("agent", "simulator", "client")
"""Lines between the tests and what plays the world inside."""
HUNG_S = 1200.0
"""Host time. So long without a word from inside, although it runs, means that something hangs: a guard, no measure."""
LOOK_S = 2.0
"""Host time. So often it is looked whether the kernel has given up."""
COMMAND_LINE = (
    "root=none console=ttyS0 quiet panic=0 mitigations=off nokaslr net.ifnames=0 systemd.show_status=0 audit=0 "
    "random.trust_cpu=on nmi_watchdog=0 nowatchdog apparmor=0"
)


class PiError(AssertionError):
    """Something inside was not as it should be; the text has what is known of it."""


@dataclass(frozen=True, slots=True)
class Done:
    """A command that has ended.

    :ivar code: its exit code; ``None`` when it took too long.
    """

    words: Sequence[str]
    code: int | None
    out: str
    err: str

    def __str__(self) -> str:
        return f"{' '.join(self.words)}: exit code {self.code}\n{self.out}{self.err}"


class Line:
    """One line to the inside: messages of JSON."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.connect(str(path))
        except OSError:
            self._socket.close()
            raise
        self._rest = b""
        self.came: deque[dict[str, Any]] = deque()

    def fileno(self) -> int:
        return self._socket.fileno()

    def send(self, message: object) -> None:
        self._socket.sendall(json.dumps(message).encode() + b"\n")

    def receive(self) -> None:
        """Take what is there. What was cut in the middle of a line is left out."""
        got = self._socket.recv(1 << 16)
        if not got:
            raise PiError("QEMU has ended")
        *whole, self._rest = (self._rest + got).split(b"\n")
        for line in whole:
            with suppress(ValueError):
                message = json.loads(line)
                if isinstance(message, dict):
                    self.came.append(message)

    def close(self) -> None:
        self._socket.close()


class Machine:
    """One virtual Pi.

    :param folder: an empty one, for its sockets and what it says.
    :param brought: a file that is seen inside as another device.
    """

    def __init__(self, image: Image, folder: Path, brought: Path) -> None:
        self.folder = folder
        self.console = folder / "console.log"
        self._runs = False
        words = _command(image, folder, brought)
        with (folder / "qemu.log").open("wb") as log:
            self._qemu = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=log)
        with ExitStack() as resources:
            resources.callback(self._end_qemu)
            self._control = resources.enter_context(closing(self._connected("control")))
            self._lines = {name: resources.enter_context(closing(self._connected(name))) for name in PORTS}
            self._selector = resources.enter_context(selectors.DefaultSelector())
            for name, line in self._lines.items():
                self._selector.register(line, selectors.EVENT_READ, name)
            self._tell_qemu("qmp_capabilities")
            self._resources = resources.pop_all()

    def _connected(self, name: str) -> Line:
        end = time.monotonic() + HUNG_S
        while True:
            try:
                return Line(self.folder / name)
            except OSError:
                if self._qemu.poll() is not None or time.monotonic() > end:
                    raise PiError(f"QEMU does not start: {(self.folder / 'qemu.log').read_text()}") from None
                time.sleep(0.02)

    def close(self) -> None:
        """End it at once, like a plug that is pulled; nothing of it is left."""
        self._resources.close()

    def _end_qemu(self) -> None:
        if self._qemu.poll() is None:
            self._qemu.kill()
        self._qemu.wait()

    # --- time ---

    @contextmanager
    def running(self) -> Iterator[None]:
        """Its time goes on within."""
        before, self._runs = self._runs, True
        if not before:
            self._tell_qemu("cont")
        try:
            yield
        finally:
            if not before:
                self._runs = False
                if self._qemu.poll() is None:
                    self._tell_qemu("stop")

    def _tell_qemu(self, command: str, **arguments: object) -> Any:
        self._control.send({"execute": command, "arguments": arguments})
        while True:
            while self._control.came:
                message = self._control.came.popleft()
                if "error" in message:
                    raise PiError(f"QEMU: {command}: {message['error']}")
                if "return" in message:
                    return message["return"]
            self._control.receive()

    def receive(self, port: str) -> dict[str, Any]:
        """The next message from inside on that line; its time goes on until there is one."""
        line = self._lines[port]
        if not line.came:
            with self.running():
                while not line.came:
                    self._look(f"nothing was heard from {port}")
        return line.came.popleft()

    def _look(self, otherwise: str) -> None:
        end = time.monotonic() + HUNG_S
        while not (ready := self._selector.select(LOOK_S)):
            if time.monotonic() > end or "Kernel panic" in self.last_words():
                raise PiError(f"{otherwise}; the end of the console:\n{self.last_words()}")
        for key, _events in ready:
            key.fileobj.receive()  # type: ignore[union-attr]

    def came(self, port: str) -> list[dict[str, Any]]:
        """What has come from inside on that line; waits for nothing."""
        line = self._lines[port]
        while self._drained(line):
            pass
        came = list(line.came)
        line.came.clear()
        return came

    def send(self, port: str, message: object) -> None:
        self._lines[port].send(message)

    def last_words(self) -> str:
        """What the kernel and systemd said last."""
        return "\n".join(self.console.read_text(errors="replace").splitlines()[-40:])

    def boot(self) -> float:
        """Until it listens.

        :returns: the seconds since the kernel began.
        """
        while "hello" not in (said := self.receive("agent")):
            pass
        return float(said["hello"])

    def _drained(self, line: Line) -> bool:
        ready, _, _ = select.select([line], [], [], 0)
        if ready:
            line.receive()
        return bool(ready)

    # --- commands ---

    def ask(self, **question: object) -> dict[str, Any]:
        """Let the agent do something.

        :raises PiError: it could not.
        """
        began = time.monotonic()
        with self.running():
            self.send("agent", question)
            answer = self.receive("agent")
        with (self.folder / "asked.log").open("a") as log:
            log.write(f"{answer['at_s']:10.3f} {time.monotonic() - began:7.2f} {str(question)[:100]}\n")
        if "error" in answer:
            raise PiError(f"{question}: {answer['error']}")
        return answer

    def run(self, *words: str, check: bool = True, timeout_s: float = 120, **more: object) -> Done:
        """Run a command as root, and wait for its end.

        :param check: whether it must end well.
        :param timeout_s: seconds of its time.
        :param more: ``stdin`` (a text), ``env`` (a dictionary).
        """
        told = self.ask(run=words, timeout_s=timeout_s, **more)
        done = Done(words, told["code"], told["out"], told["err"])
        if check and done.code != 0:
            raise PiError(str(done))
        return done

    def sh(self, script: str, *, check: bool = True, timeout_s: float = 120) -> str:
        """Run a script of the shell; what it says."""
        return self.run("/bin/sh", "-ec", script, check=check, timeout_s=timeout_s).out

    def start(self, *words: str, output: str = "/dev/null", **more: object) -> int:
        """Start a program that goes on by itself; its process id."""
        return int(self.ask(start=words, output=output, **more)["pid"])

    def write(self, path: str, text: str, mode: int = 0o644) -> None:
        self.ask(write=path, text=text, mode=mode)

    def read(self, path: str) -> str:
        return str(self.ask(read=path)["text"])


def _command(image: Image, folder: Path, brought: Path) -> list[str]:
    ports = ["-device", "virtio-serial-pci"]
    for name in PORTS:
        ports += ["-chardev", f"socket,id={name},path={folder / name},server=on,wait=off"]
        ports += ["-device", f"virtserialport,chardev={name},name={name}"]
    # share=off: what is written stays in QEMU's memory, so the image stays as it is
    disk = f"memory-backend-file,id=disk,share=off,mem-path={image.disk},size={DISK_MIB}M"
    more = f"memory-backend-file,id=brought,share=off,mem-path={brought},size={brought.stat().st_size}"
    return [
        "setpriv", "--pdeathsig", "KILL",  # it never outlives the tests
        "qemu-system-x86_64", "-S", "-nodefaults", "-no-user-config", "-display", "none",
        "-accel", "tcg,thread=single", "-smp", "1", "-icount", "shift=0,sleep=off", "-rtc", "clock=vm",
        "-machine", "q35,nvdimm=on", "-cpu", "max", "-m", "768M,slots=2,maxmem=8G",
        "-kernel", str(image.kernel), "-initrd", str(image.initrd), "-append", COMMAND_LINE,
        "-object", disk, "-device", "nvdimm,memdev=disk", "-object", more, "-device", "nvdimm,memdev=brought",
        "-chardev", f"socket,id=control,path={folder / 'control'},server=on,wait=off",
        "-mon", "chardev=control,mode=control", "-serial", f"file:{folder / 'console.log'}", *ports,
    ]  # fmt: skip
