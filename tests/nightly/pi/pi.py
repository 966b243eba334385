"""The virtual Pi with our things in it: the launcher as a service, the simulator behind its lines, and a client."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.nightly.pi.brought import pack
from tests.nightly.pi.image import Image
from tests.nightly.pi.machine import Done, Machine, PiError

WORLD = "/brought/world"
SERVICE = "dispenser.service"
DISPENSER = "/usr/local/bin/dispenser"
BOARD = "raspberry-pi-h-bridge"
MOTOR = ("forward", "backward", "enable")
SETTINGS = "/etc/dispenser/dispenser.toml"
JOURNAL = "/var/lib/dispenser/dispenser.sqlite3"
RESTING = ("ready", "jammed", "empty", "blind", "fault")
"""States with a shut lid and no motor; from all but the first, a reset leads on."""
TICK_S = 0.1
"""How finely a wait looks, seconds of the Pi."""
PATIENCE_S = 60.0
"""Of the Pi. Nothing that is waited for may take so long, save where another time is said."""


class Pi(Machine):
    """A virtual Pi, what happened to its simulator, and what was heard from its launcher.

    :ivar happenings: what the simulator reported since it started: ``simulator`` (what happened to it) or ``line`` (an
        output that changed), with ``at_s`` on the Pi's monotonic clock.
    :ivar records: of the journal, as somebody on the event stream has seen them.
    """

    def __init__(self, image: Image, folder: Path) -> None:
        super().__init__(image, folder, pack(folder / "brought.tar"))
        self.happenings: list[dict[str, Any]] = []
        self.records: list[dict[str, Any]] = []
        self._answers: list[dict[str, Any]] = []
        self._there: set[str] = set()
        self._world: dict[str, int] = {}

    # --- from nothing to a launcher ---

    def unpack(self) -> None:
        """Of what was brought, see ``brought.py``, the world's programs."""
        disk = self.sh("ls /dev/pmem? | grep -v $(findmnt -no SOURCE /)").strip()
        self.run("tar", "-xf", disk, "-C", "/brought", "world", timeout_s=600)

    def install(self) -> Done:
        """As somebody does it who has our Debian package, which is on the disk."""
        options = ("--board", BOARD, "--language", "en", "--no-phones", "--no-config-txt")
        return self.run(DISPENSER, "install", *options, timeout_s=300)

    def state(self) -> str:
        """Of the service, as systemd says it: ``active``, ``failed``, …"""
        return self.run("systemctl", "is-active", SERVICE, check=False).out.strip()

    def facts(self, *names: str) -> dict[str, str]:
        """What systemd knows of the service."""
        told = self.run("systemctl", "show", SERVICE, f"--property={','.join(names)}").out
        return dict(line.partition("=")[::2] for line in told.splitlines())

    # --- the world around it ---

    def put_simulator(self, *options: str) -> None:
        """Put the simulator behind the lines; ``--flawless``."""
        self._begin("simulator", "simulator_process.py", *options)
        self.happenings.clear()

    def listen(self) -> None:
        """Somebody follows the stream of events from now on, from where they were."""
        self._begin("client", "client.py", str(self.records[-1]["seq"]) if self.records else "0")

    def _begin(self, port: str, program: str, *options: str) -> None:
        """Start one of the world's programs; wait until it says that it is there."""
        log = f"/run/{port}.log"
        self._there.discard(port)
        if (before := self._world.get(port)) is not None:
            self.sh(f"kill -9 {before}; while [ -e /proc/{before}/exe ]; do sleep 0.1; done")
        self._world[port] = self.start("/usr/bin/python3", f"{WORLD}/{program}", *options, output=log)
        self.wait(lambda: port in self._there, program, more=lambda: self.sh(f"cat {log}", check=False))

    def simulator(self, act: str, **more: object) -> Any:
        """Operate the simulator: a method of ``dispenser.simulator.Simulator``, or ``view``; what it answers."""
        self._answers.clear()
        self.send("simulator", {"act": act, "with": more})
        while not self._answers:
            self._take("simulator", self.receive("simulator"))
        answer = self._answers.pop()
        if "error" in answer:
            raise PiError(f"simulator {act}: {answer['error']}")
        return answer["done"]

    def _take(self, port: str, message: dict[str, Any]) -> None:
        if "hello" in message:
            self._there.add(port)
        elif "record" in message:
            self.records.append(message["record"])
        elif "simulator" in message or "line" in message:
            self.happenings.append(message)
        elif "done" in message or "error" in message:
            self._answers.append(message)

    def look(self) -> None:
        """Note what has come until now."""
        for port in ("simulator", "client"):
            for message in self.came(port):
                self._take(port, message)

    def page(self, method: str, path: str, body: object = None) -> Any:
        """What the launcher's API answers.

        :raises PiError: nobody answers, or it is an error.
        """
        told = self.ask(http=method, path=f"/api/v1/{path}", body=body)
        if told["status"] >= 400:
            raise PiError(f"{method} {path}: {told}")
        return json.loads(told["body"])

    def snapshot(self) -> dict[str, Any]:
        """The launcher now."""
        return dict(self.page("GET", "snapshot"))

    def tidy(self, at_least: int = 40) -> None:
        """Whoever looks after it has looked: the lid is shut, the exit is free, enough cards are inside, it knows."""
        if self.simulator("view")["jammed"]:
            self.simulator("open_lid")
            self.simulator("clear_jam")
        self.simulator("take_card")
        self.simulator("close_lid")
        if self.simulator("view")["cards_in_stack"] < at_least:
            self.simulator("unload")
            self.simulator("load", cards=112)
            self.page("POST", "load", {"cards": 112})
        self.wait(lambda: self.snapshot()["state"] in RESTING, "it rests, and knows that the lid is shut")
        if self.snapshot()["state"] != "ready":
            self.page("POST", "reset", {})
        self.wait(lambda: self.snapshot()["refusal"] is None, "a press would be answered")

    def processes(self) -> list[str]:
        """The service's: its first, and the one that holds the pins."""
        first = self.facts("MainPID")["MainPID"]
        return [first, *self.read(f"/proc/{first}/task/{first}/children").split()]

    def has(self, path: str) -> bool:
        return self.run("test", "-e", path, check=False).code == 0

    # --- waiting, on the Pi's clock ---

    def pass_time(self, seconds: float) -> None:
        """Its time goes on, nobody does anything."""
        self.ask(sleep_s=seconds)
        self.look()

    def wait(
        self,
        seen: Callable[[], object],
        what: str,
        *,
        within_s: float = PATIENCE_S,
        more: Callable[[], str] = lambda: "",
    ) -> Any:
        """Wait until it is so; what was seen.

        :raises PiError: it was not, ``within_s`` seconds of the Pi.
        """
        waited_s = 0.0
        while True:
            self.look()
            if found := seen():
                return found
            if waited_s >= within_s:
                raise PiError(f"{what}: not in {within_s:g} s\n{more()}\n{self.said(20)}")
            self.ask(sleep_s=TICK_S)
            waited_s += TICK_S

    def wait_for(
        self, record_type: str, *, after: int = 0, within_s: float = PATIENCE_S, **data: object
    ) -> dict[str, Any]:
        """Wait until somebody on the stream sees such a record.

        :param after: only later ones, by ``seq``.
        :param data: what its data must have.
        """
        wanted = data.items()

        def found() -> dict[str, Any] | None:
            fitting = (each for each in self.records if each["seq"] > after and each["type"] == record_type)
            return next(
                (each for each in fitting if wanted <= {k: v for k, v in each["data"].items() if k in data}.items()),
                None,
            )

        return dict(self.wait(found, f"{record_type} {data}", within_s=within_s))

    def wait_active(self, within_s: float = PATIENCE_S) -> None:
        """Until its page answers, which is a little after it is ready. (It costs less to ask than systemd does.)"""
        self.wait(self.answers, "the launcher's page answers", within_s=within_s)

    def answers(self) -> bool:
        """Whether somebody has the page."""
        try:
            self.snapshot()
        except PiError:
            return False
        return True

    def seq(self) -> int:
        """Of the last record that was seen."""
        self.look()
        return int(self.records[-1]["seq"]) if self.records else 0

    # --- what must hold ---

    def levels(self) -> dict[str, int]:
        """Of the motor's lines, read from the chip."""
        script = "cd /sys/devices/platform/gpio-sim.*/gpiochip*; cat sim_gpio23/value sim_gpio24/value sim_gpio25/value"
        return dict(zip(MOTOR, map(int, self.sh(script).split()), strict=True))

    def lines(self, name: str, since_s: float = 0.0) -> list[dict[str, Any]]:
        """The changes of an output."""
        self.look()
        return [each for each in self.happenings if each.get("line") == name and each["at_s"] >= since_s]

    def runs(self) -> bool:
        """Whether the motor has its enable and a direction, as the simulator knows the lines."""
        self.look()
        now = {each["line"]: each["level"] for each in self.happenings if "line" in each}
        return bool(now.get("enable")) and bool(now.get("forward") or now.get("backward"))

    def cards_out(self, since_s: float = 0.0) -> int:
        """How many the simulator has let go, by the roller or by hand."""
        self.look()
        left = (each for each in self.happenings if each.get("simulator") == "card_left" and each["at_s"] >= since_s)
        return sum(each["value"] for each in left)

    def now_s(self) -> float:
        """The Pi's monotonic clock."""
        return float(self.ask(sleep_s=0)["at_s"])

    def journal(self) -> list[dict[str, Any]]:
        """All records, as they are on the disk."""
        told = self.run("sudo", "-u", "dispenser", DISPENSER, "log", "--json").out
        return [json.loads(line) for line in told.splitlines()]

    def check_journal(self) -> list[dict[str, Any]]:
        """Whole, and with all that somebody has seen.

        :returns: its records.
        """
        audited = json.loads(self.run("sudo", "-u", "dispenser", DISPENSER, "audit", "--json", check=False).out)
        if audited["verdict"] == "misfit":
            raise PiError(f"the audit: {audited}")
        records = self.journal()
        by_seq = {record["seq"]: record for record in records}
        if sorted(by_seq) != list(range(1, len(records) + 1)):
            raise PiError(f"the journal has gaps: {sorted(by_seq)}")
        self.look()
        lost = [seen for seen in self.records if by_seq.get(seen["seq"]) != seen]
        if lost:
            raise PiError(f"somebody saw what is not in the journal: {lost}")
        return records

    # --- what is known when something fails ---

    def said(self, lines: int = 40) -> str:
        """What the service said last."""
        return self.run(
            "journalctl", "-u", SERVICE, "-n", str(lines), "--no-pager", "-o", "short-monotonic", check=False
        ).out
