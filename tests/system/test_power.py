"""How the service asks for the computer to be switched off, and that nothing else can come of it."""

from __future__ import annotations

import asyncio
import os
import shlex
import subprocess
from pathlib import Path

import pytest

from dispenser.service.requests import PowerAction, ServiceError
from dispenser.system import power
from tests.service.test_service import play

SYSTEMD = Path(__file__).parents[2] / "systemd"


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "runtime"
    folder.mkdir()
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(folder))
    return folder


def roots_answer(runtime: Path) -> list[str]:
    """What dispenser-power.service asks systemctl for."""
    (line,) = [line for line in (SYSTEMD / "dispenser-power.service").read_text().splitlines() if "ExecStart=" in line]
    command = shlex.split(line.removeprefix("ExecStart=").replace("$$", "$"))
    programs = runtime.parent / "programs"
    programs.mkdir(exist_ok=True)
    (programs / "systemctl").write_text('#!/bin/sh\necho "$@"\n')
    (programs / "systemctl").chmod(0o755)
    env = {"PATH": f"{programs}:{os.environ['PATH']}"}
    done = subprocess.run(command, cwd=runtime, env=env, stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout.split()


async def asked_of_root(act: PowerAction) -> None:
    switch = power.switch()
    assert switch is not None
    await switch(act)


@pytest.mark.parametrize(("act", "verb"), [(PowerAction.OFF, "poweroff"), (PowerAction.RESTART, "reboot")])
def test_what_is_asked_for_is_done_by_root_and_only_once(act: PowerAction, verb: str, runtime: Path) -> None:
    async def evening() -> None:
        asking = asyncio.create_task(asked_of_root(act))
        await asyncio.sleep(power.POLL_S / 2)
        (path,) = runtime.iterdir()  # noqa: ASYNC240 - nobody waits for it
        units = (SYSTEMD / "dispenser-power.path").read_text().splitlines()
        assert f"PathExists=/run/dispenser/{path.name}" in units
        assert roots_answer(runtime) == ["--no-block", verb]
        await asking
        assert roots_answer(runtime) == []

    play(evening)


def test_nobody_who_takes_it_is_told_and_it_does_not_happen_later(runtime: Path) -> None:
    async def evening() -> None:
        with pytest.raises(ServiceError, match="dispenser-power"):
            await asked_of_root(PowerAction.OFF)

    play(evening)
    assert list(runtime.iterdir()) == []


def test_what_was_asked_of_an_earlier_start_is_forgotten(runtime: Path) -> None:
    (runtime / power.ASKED[PowerAction.OFF]).touch()
    power.switch()
    assert list(runtime.iterdir()) == []


def test_without_systemd_nobody_takes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    assert power.switch() is None
