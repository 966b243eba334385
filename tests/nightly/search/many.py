"""The big search: evenings in a row until so many presses have been played, each from its own seed.

::

    python -m tests.nightly.search.many 5000000 [--seed FIRST] [--jobs N]

Prints the first seed, then a line for every thousand evenings and one for each that goes wrong. To see such an evening
entry by entry: ``python -m tests.nightly.search.evening SEED``.
"""

from __future__ import annotations

import argparse
import itertools
import logging
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from random import SystemRandom

from tests.nightly.search.evening import Figures, play

PRESSES = 250
"""At least so many in each evening; a seed is another evening with another number of them."""
TELL_EVERY = 1000


def evening(seed: int) -> tuple[int, Figures | str]:
    """Play one; what went wrong instead, as text."""
    logging.disable(logging.CRITICAL)  # the evenings break pins and disks on purpose
    try:
        return seed, play(seed, PRESSES)
    except Exception as error:  # noqa: BLE001 - whatever it is, the search goes on
        return seed, f"{type(error).__name__}: {error}"


def evenings(first: int, jobs: int) -> Iterator[tuple[int, Figures | str]]:
    """One after the other, for ever."""
    if jobs == 1:
        yield from map(evening, itertools.count(first))
    with ProcessPoolExecutor(jobs) as pool:
        for begin in itertools.count(first, 20 * jobs):
            yield from pool.map(evening, range(begin, begin + 20 * jobs))


def search(presses: int, first: int, jobs: int) -> int:
    """Play until so many presses are done; returns how many evenings went wrong."""
    print(f"from seed {first}, {presses} presses", flush=True)
    done: Counter[str] = Counter()
    wrong, begun = 0, time.monotonic()
    for number, (seed, came) in enumerate(evenings(first, jobs), 1):
        if isinstance(came, str):
            wrong += 1
            print(f"SEED {seed}: {came}", flush=True)
        else:
            done.update(presses=came.presses, bursts=came.bursts, cards=came.cards, unsure=came.unsure)
            done[came.lateness] += came.presses
        if number % TELL_EVERY == 0 or done["presses"] >= presses:
            took_s = time.monotonic() - begun
            print(f"{number} evenings, {wrong} wrong, {took_s:.0f} s: {dict(done)}", flush=True)
        if done["presses"] >= presses:
            break
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.nightly.search.many", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("presses", type=int)
    parser.add_argument("--seed", type=int, help="of the first evening; by chance if left out")
    parser.add_argument("--jobs", type=int, default=1, help="processes (%(default)s)")
    options = parser.parse_args()
    first = options.seed if options.seed is not None else SystemRandom().randrange(1 << 40)
    sys.exit(search(options.presses, first, options.jobs) > 0)


if __name__ == "__main__":
    main()
