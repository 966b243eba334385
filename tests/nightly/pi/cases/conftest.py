"""One virtual Pi for all cases of a run: it boots once."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tests.nightly.pi.brought import package
from tests.nightly.pi.image import image
from tests.nightly.pi.machine import Done
from tests.nightly.pi.pi import SERVICE, Pi
from tests.nightly.seed import SEED


@pytest.fixture(scope="session")
def bare_pi(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pi]:
    """A Pi that has booted, with our Debian package on its disk; nobody has said yet which launcher it has."""
    pi = Pi(image(package()), tmp_path_factory.mktemp("pi"))
    try:
        pi.boot()
        pi.unpack()
        yield pi
    finally:
        pi.close()


@pytest.fixture(scope="session")
def installation(bare_pi: Pi) -> Done:
    """The one command."""
    bare_pi.put_simulator("--flawless")
    return bare_pi.install()


@pytest.fixture(scope="session")
def installed_pi(bare_pi: Pi, installation: Done) -> Pi:
    """A launcher runs on it, its simulator is there, and somebody listens."""
    bare_pi.wait_active()
    bare_pi.listen()
    return bare_pi


@pytest.fixture
def pi(installed_pi: Pi) -> Iterator[Pi]:
    """A launcher that would answer a press, with cards enough; afterwards its motor is off."""
    pi = installed_pi
    if not pi.answers():
        pi.run("systemctl", "reset-failed", SERVICE, check=False)
        pi.run("systemctl", "start", SERVICE)
        pi.wait_active()
    pi.tidy()
    yield pi
    assert not any(pi.levels().values()), "the motor's lines are low after each case"


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> random.Random:
    """From the seed that ``.ci/nightly`` prints."""
    return random.Random(f"{SEED} {request.node.name}")
