"""Starts what was installed, and goes back to what ran before when that does not come up."""

from __future__ import annotations

import time
from dataclasses import dataclass

from dispenser.i18n import Text
from dispenser.system.install.place import SERVICE, Place
from dispenser.system.install.steps import Copy, InstallError, Link, Remove, ran
from dispenser.system.shipped import SHARE

SETTLE_S = 5.0
"""So long a launcher that is ready must stay up, seconds: longer than systemd waits before it starts it again."""
PATIENCE_S = 100.0
"""So long it may take to be ready, seconds. One that cannot open its journal asks systemd for more time for ever, and
says why; the unit's ``TimeoutStartSec=`` ends all others before."""


class NotRunningError(InstallError):
    """All is installed, and the launcher does not run."""


class WentBackError(InstallError):
    """The new version does not run, so the one before does again."""


@dataclass(frozen=True, slots=True)
class Start:
    """Start the service and wait until it is ready.

    :param before: the name of the version to go back to; empty for none.
    """

    place: Place
    before: str = ""
    settle_s: float = SETTLE_S
    patience_s: float = PATIENCE_S

    def __str__(self) -> str:
        start = f"systemctl restart {SERVICE} && sleep {self.settle_s:g} && systemctl is-active {SERVICE}"
        return f"{start} || # go back to {self.before}" if self.before else start

    def do(self) -> None:
        if self._is_up():
            return
        said = self._last_words()
        if not self.before:
            raise NotRunningError(Text("The launcher is installed, but does not start:\n{said}").filled(said=said))
        self._go_back()
        back = Text("The new version does not start:\n{said}\n{version} runs again, as before.")
        if not self._is_up():
            back = Text(
                "The new version does not start:\n{said}\n{version} is back in its place, and does not start either: "
                "'sudo dispenser doctor' may say why."
            )
        raise WentBackError(back.filled(said=said, version=self.before))

    def _is_up(self) -> bool:
        """Started, ready, and still the same process a little later."""
        if ran(["systemctl", "restart", SERVICE], longest_s=self.patience_s).returncode:
            return False
        first = self._process()
        time.sleep(self.settle_s)
        return first is not None and self._process() == first

    @staticmethod
    def _last_words() -> str:
        """What it has told people, and why it is not ready yet, if it says so."""
        log = ran(["journalctl", "-u", SERVICE, "-n", "5", "-o", "cat", "--no-pager"]).stdout.strip()
        return "\n".join(filter(None, (log, _facts("StatusText").get("StatusText"))))

    def _process(self) -> str | None:
        facts = _facts("ActiveState", "MainPID")
        return facts.get("MainPID") if facts.get("ActiveState") == "active" else None

    def _go_back(self) -> None:
        """The version that ran before, and its own files of the system."""
        shipped = self.place.versions / self.before / SHARE / "systemd"
        for source, path in self.place.system_files(shipped, serial=True).items():
            if path.exists():
                Copy(source, path).do()
        Link(self.place.current, self.place.versions / self.before).do()
        ran(["systemctl", "daemon-reload"])
        ran(["systemctl", "reset-failed", SERVICE])
        for left in (self.place.cache, self.place.unfinished):
            Remove(left).do()


def _facts(*properties: str) -> dict[str, str]:
    shown = ran(["systemctl", "show", SERVICE, f"--property={','.join(properties)}"]).stdout
    return dict(line.partition("=")[::2] for line in shown.splitlines())
