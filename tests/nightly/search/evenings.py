"""Evenings of simulated people in a row, each from its own seed.

::

    python -m tests.nightly.search.evenings --evenings 100000 [--seed FIRST] [--jobs N] [--whole]

``--whole`` plays them on the real service with the simulated launcher, in virtual time; else a launcher made of words
stands in for both. Shows how far it is, prints a line for each evening that goes wrong, with its seed, and at the end
what all of them came to: the seeds, how many rounds ended naturally, what people did and what went wrong on the way.
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

from rich.console import Console
from rich.progress import track

from tests.nightly.search import whole_table
from tests.nightly.search.people import evening as pure
from tests.nightly.search.people.figures import Figures


def played(seed: int, *, whole: bool) -> Figures | str:
    """Play one; what went wrong instead, as text."""
    logging.disable(logging.CRITICAL)  # the evenings cut the power on purpose
    try:
        return whole_table.evening(seed) if whole else pure.evening(seed)
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
    seeds = range(first, first + evenings)
    begun, done, kinds, wrong = time.monotonic(), Counter[str](), Counter[str](), list[str]()
    console = Console(stderr=True)
    name = "whole evenings" if whole else "evenings"
    rows = track(_all(seeds, jobs, whole=whole), name, evenings, console=console, disable=not console.is_terminal)
    for came in rows:
        if isinstance(came, str):
            wrong.append(came)
            print(came, flush=True)
            continue
        done.update(rounds=came.rounds, ended=came.ended, tells=came.tells, presses=came.presses, cards=came.cards)
        done.update(came.mistakes)
        kinds[f"{came.game} ({came.telling})"] += 1
    took_s = time.monotonic() - begun
    print(f"{evenings} {name}, seeds {first} to {seeds[-1]}, {len(wrong)} wrong, {took_s:.0f} s")
    print(f"{done.pop('rounds')} rounds, {done.pop('ended')} of them to their natural end; {_told(done)}")
    print(_told(kinds), flush=True)
    return wrong


def _told(counted: Counter[str]) -> str:
    return ", ".join(f"{what} {number}" for what, number in counted.most_common())


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.nightly.search.evenings", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--evenings", type=int, default=1000)
    parser.add_argument("--seed", type=int, help="of the first evening; by chance if left out")
    parser.add_argument("--jobs", type=int, default=1, help="processes (%(default)s)")
    parser.add_argument("--whole", action="store_true", help="on the whole service, with the simulated launcher")
    options = parser.parse_args()
    first = options.seed if options.seed is not None else SystemRandom().randrange(1 << 40)
    sys.exit(bool(search(options.evenings, first, options.jobs, whole=options.whole)))


if __name__ == "__main__":
    main()
