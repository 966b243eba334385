"""``dispenser run`` with a microcontroller: the core on a true port."""

from __future__ import annotations

import contextlib
import json
import signal
import uuid
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from dispenser.drivers.serial import tables as wire
from dispenser.journal import Journal
from tests.cli.microcontroller import dispenser
from tests.cli.test_serve import PATIENCE_S, ended, page_of, started
from tests.drivers.serial.patient import PATIENT_DISPENSER
from tests.firmware.pty_rig import PtyLauncher
from tests.waiting import wait_until


def test_run_without_a_microcontroller_says_so_and_never_simulates(tmp_path: Path) -> None:
    done = ended("run", "--driver", "serial", "--serial-port", str(tmp_path / "nothing"))
    assert done.returncode == 69
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "it is not there" in done.stderr
    assert "Traceback" not in done.stderr


def test_run_with_another_firmware_says_what_to_do(launcher: PtyLauncher, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "DICTIONARY", wire.DICTIONARY ^ 1)
    done = dispenser("run", "--driver", "serial", "--serial-port", launcher.port)
    assert done.exit_code == 69
    assert "dispenser firmware flash" in done.stderr
    assert len(done.stderr.splitlines()) == 1


class Page:
    """What a client sees of a launcher, and does to it."""

    def __init__(self, address: str) -> None:
        self._api = f"{address}api/v1/"

    def state(self) -> str:
        return str(self.snapshot()["state"])

    def snapshot(self) -> dict[str, object]:
        answer: dict[str, object] = json.load(urlopen(f"{self._api}snapshot", timeout=PATIENCE_S))
        return answer

    def post(self, path: str, **body: object) -> None:
        """Ask for something; a refusal is an answer, too."""
        data = json.dumps(body | {"id": uuid.uuid4().hex}).encode()
        request = Request(f"{self._api}{path}", data, {"Content-Type": "application/json"})
        with contextlib.suppress(HTTPError):
            urlopen(request, timeout=PATIENCE_S).read()

    def wait_for(self, state: str) -> None:
        wait_until(lambda: self.state() == state, state)

    def reset_until(self, state: str) -> None:
        """A reset before the line is open again does nothing: ask until one counts."""
        wait_until(lambda: self.state() == state or self.post("reset"), state)


@pytest.mark.long
def test_an_evening_on_a_microcontroller_with_a_pulled_cable(launcher: PtyLauncher, tmp_path: Path) -> None:
    """The whole program over a serial line: cards leave, the cable is pulled and plugged in, the journal tells."""
    launcher.waits_for_host = True
    journal = tmp_path / "evening.sqlite3"
    settings = tmp_path / "dispenser.toml"
    settings.write_text(
        f'[driver]\nkind = "serial"\nport = "{launcher.port}"\n[journal]\npath = "{journal}"\n[web]\nport = 0\n'
    )
    with started("run", "--config", str(settings), by=PATIENT_DISPENSER) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Firmware of the microcontroller: ")
        page = Page(page_of(process))
        page.post("eject", cards=4)
        page.wait_for("ready")
        launcher.unplug()
        page.wait_for("fault")
        assert "USB cable" in str(page.snapshot()["detail"])
        launcher.plug()
        page.reset_until("ready")
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 143
    with Journal.read_only(journal) as closed:
        entries = list(closed.read())
    burst = [entry.data for entry in entries if entry.type == "launcher.burst.ended"][-1]
    assert (burst["planned"], burst["delivered"], burst["cause"]) == (4, 4, "complete")
    assert [entry.data["new"] for entry in entries if entry.type == "launcher.state.changed"][-3:] == [
        "fault",
        "ready",
        "off",
    ]


@pytest.mark.long
def test_a_locked_motor_is_a_fault_at_the_start_until_a_person_resets(launcher: PtyLauncher, tmp_path: Path) -> None:
    """It hung in a run before this program was started: nobody else would tell, and nothing else may unlock it."""
    launcher.do(lambda: launcher.device.start(wire.ResetCause.WATCHDOG), 0.1)
    launcher.waits_for_host = True
    settings = tmp_path / "dispenser.toml"
    settings.write_text(
        f'[driver]\nkind = "serial"\nport = "{launcher.port}"\n'
        f'[journal]\npath = "{tmp_path / "j.sqlite3"}"\n[web]\nport = 0\n'
    )
    with started("run", "--config", str(settings), by=PATIENT_DISPENSER) as process:
        url = page_of(process).rstrip("/")
        refused = dispenser("eject", "2", "--url", url)
        assert refused.exit_code == 1
        assert "First see to what is broken" in refused.output
        assert "Done: ready." in dispenser("reset", "--url", url).output
        assert "Two cards!" in dispenser("eject", "2", "--url", url).output
    with Journal.read_only(tmp_path / "j.sqlite3") as closed:
        faults = [entry.data["detail"] for entry in closed.read() if entry.data.get("new") == "fault"]
    assert "hung, or something reset it" in faults[0]


def test_without_a_page_the_terminal_tells_of_a_fault_and_its_detail(launcher: PtyLauncher, tmp_path: Path) -> None:
    settings = tmp_path / "dispenser.toml"
    settings.write_text(f'[journal]\npath = "{tmp_path / "j.sqlite3"}"\n')
    with started(
        *("run", "--no-web", "--config", str(settings), "--driver", "serial", "--serial-port", launcher.port)
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        while "ready" not in process.stdout.readline():
            assert process.poll() is None
        launcher.unplug()
        line = process.stderr.readline()
    assert "NOT ready" in line
    assert "plug was pulled" in line
    assert "dispenser reset" in line
