"""``dispenser run`` with a microcontroller: the core on a true port."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from dispenser.client import LauncherClient
from dispenser.journal import Journal
from dispenser.launcher.commands import Eject, Reset
from tests.cli.test_serve import PATIENCE_S, page_of, started
from tests.drivers.serial.patient import PATIENT_DISPENSER
from tests.firmware.pty_rig import PtyLauncher
from tests.waiting import wait_until


@pytest.mark.long
def test_an_evening_on_a_microcontroller_with_a_pulled_cable(board: PtyLauncher, tmp_path: Path) -> None:
    """The whole program over a serial line: cards leave, the cable is pulled and plugged in, the journal tells."""
    board.waits_for_host = True
    journal = tmp_path / "evening.sqlite3"
    settings = tmp_path / "dispenser.toml"
    settings.write_text(
        f'[driver]\nkind = "serial"\nport = "{board.port}"\n[journal]\npath = "{journal}"\n[web]\nport = 0\n'
    )
    with started("run", "--config", str(settings), by=PATIENT_DISPENSER) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Firmware of the microcontroller: ")
        client = LauncherClient(page_of(process))
        client.send(Eject(4))
        wait_until(lambda: client.snapshot()["state"] == "ready", "the end of the burst")
        board.unplug()
        wait_until(lambda: client.snapshot()["state"] == "fault", "the fault")
        assert "USB cable" in client.snapshot()["detail"]
        board.plug()  # a reset before the line is open again does nothing: ask until one counts
        wait_until(lambda: client.send(Reset()).data["state"] == "ready", "ready again")
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 143
    with Journal.read_only(journal) as closed:
        records = list(closed.read())
    burst = [record.data for record in records if record.type == "launcher.burst.ended"][-1]
    assert (burst["planned"], burst["delivered"], burst["cause"]) == (4, 4, "complete")
    assert [record.data["new"] for record in records if record.type == "launcher.state.changed"][-3:] == [
        "fault",
        "ready",
        "off",
    ]


def test_without_a_page_the_terminal_tells_of_a_fault_and_its_detail(board: PtyLauncher, tmp_path: Path) -> None:
    settings = tmp_path / "dispenser.toml"
    settings.write_text(f'[journal]\npath = "{tmp_path / "j.sqlite3"}"\n')
    with started(
        *("run", "--no-web", "--config", str(settings), "--driver", "serial", "--serial-port", board.port)
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        while "ready" not in process.stdout.readline():
            assert process.poll() is None
        board.unplug()
        line = process.stderr.readline()
    assert "NOT ready" in line
    assert "plug was pulled" in line
    assert "dispenser reset" in line
