"""``room``: memory of the service with its page open, and the size of what is installed."""

from __future__ import annotations

from tests.bench.measure import Measure
from tests.nightly.pi.measures.trace import PYTHON, Traced
from tests.nightly.pi.pi import SERVICE

MEMORY_AT_MOST_MIB = 60
DISK_AT_MOST_MB = 65


def room(pi: Traced, _times: int) -> list[Measure]:
    """Both of its processes, against a Python that has imported gpiozero and lgpio."""
    pi.settle(cards=1)
    pi.run("systemctl", "restart", SERVICE)
    pi.wait_active()
    pi.listen()
    for path in ("/", "/journal", "/api/v1/snapshot", "/api/v1/journal?limit=500"):
        pi.ask(http="GET", path=path)
    first = pi.facts("MainPID")["MainPID"]
    pins = pi.sh(f"cat /proc/{first}/task/{first}/children").split()
    bare = pi.start(PYTHON, "-c", "import gpiozero, lgpio, signal; signal.pause()")
    pi.pass_time(2)
    sizes = {pid: _memory_mib(pi, pid) for pid in (first, *pins, str(bare))}
    pi.sh(f"kill {bare}")
    bare_mib = sizes.pop(str(bare))
    used = sum(each["Pss"] for each in sizes.values())
    resident = " and ".join(f"{each['Rss']:.1f} MiB" for each in sizes.values())
    disk_mb = int(pi.sh("du -s --block-size=1000 $(readlink -f /opt/dispenser/current) | cut -f1")) / 1000
    return [
        Measure(
            benchmark="room",
            measure="memory with the page and a stream open, both processes (Pss)",
            unit="MiB",
            ours=used,
            baseline=bare_mib["Pss"],
            ratio=used / bare_mib["Pss"],
            goal=f"≤ {MEMORY_AT_MOST_MIB} MiB",
            met=used <= MEMORY_AT_MOST_MIB,
            note=f"resident, what is shared counted in each: {resident}; most at any time: {_peaks(sizes)}",
            detail={"processes": sizes, "bare": bare_mib},
        ),
        Measure(
            benchmark="room",
            measure="size of the installed program",
            unit="MB",
            ours=disk_mb,
            goal=f"≤ {DISK_AT_MOST_MB} MB",
            met=disk_mb <= DISK_AT_MOST_MB,
        ),
    ]


def _memory_mib(pi: Traced, pid: str) -> dict[str, float]:
    """``Rss``, ``Pss``, ``VmHWM`` and others as the kernel says them."""
    told = pi.sh(f"grep -h -E '^(Rss|Pss|VmHWM):' /proc/{pid}/smaps_rollup /proc/{pid}/status")
    return {name: int(size.split()[0]) / 1024 for name, _, size in (line.partition(":") for line in told.splitlines())}


def _peaks(sizes: dict[str, dict[str, float]]) -> str:
    return " and ".join(f"{each['VmHWM']:.1f} MiB" for each in sizes.values())
