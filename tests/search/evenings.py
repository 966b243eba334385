"""Evenings of simulated people in a row, each from its own seed.

::

    python -m tests.search.evenings --evenings 100000 [--seed FIRST] [--jobs N] [--whole]

``--whole`` plays them on the real service with the simulated launcher, in virtual time; else a launcher made of words
stands in for both. Prints a line for every thousand evenings and one for each that goes wrong, with its seed.
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import SystemRandom

from tests.search import table_people, whole_table
from tests.search.table_people import Figures

TELL_EVERY = 1000


def played(seed: int, *, whole: bool) -> Figures | str:
    """Play one; what went wrong instead, as text."""
    logging.disable(logging.CRITICAL)  # the evenings cut the power on purpose
    try:
        return whole_table.evening(seed) if whole else table_people.evening(seed)
    except AssertionError as error:
        return str(error)
    finally:
        logging.disable(logging.NOTSET)


def _all(seeds: Iterable[int], jobs: int, *, whole: bool) -> Iterator[Figures | str]:
    play = partial(played, whole=whole)
    if jobs == 1:
        yield from map(play, seeds)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(play, seeds, chunksize=20)


def search(evenings: int, first: int, jobs: int = 1, *, whole: bool = False) -> list[str]:
    """Play them all; returns what went wrong."""
    print(f"{evenings} evenings from seed {first}{', whole' if whole else ''}", flush=True)
    begun, done, wrong = time.monotonic(), Counter[str](), list[str]()
    for number, came in enumerate(_all(range(first, first + evenings), jobs, whole=whole), 1):
        if isinstance(came, str):
            wrong.append(came)
            print(came, flush=True)
        else:
            done.update(rounds=came.rounds, tells=came.tells, presses=came.presses, cards=came.cards)
            done.update(came.mistakes)
            done[f"{came.game}, {came.telling}"] += 1
        if number % TELL_EVERY == 0 or number == evenings:
            took_s = time.monotonic() - begun
            print(f"{number} evenings, {len(wrong)} wrong, {took_s:.0f} s: {dict(done)}", flush=True)
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.search.evenings", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--evenings", type=int, default=1000)
    parser.add_argument("--seed", type=int, help="of the first evening; by chance if left out")
    parser.add_argument("--jobs", type=int, default=1, help="processes (%(default)s)")
    parser.add_argument("--whole", action="store_true", help="on the whole service, with the simulated launcher")
    options = parser.parse_args()
    first = options.seed if options.seed is not None else SystemRandom().randrange(1 << 40)
    sys.exit(bool(search(options.evenings, first, options.jobs, whole=options.whole)))


if __name__ == "__main__":
    main()
