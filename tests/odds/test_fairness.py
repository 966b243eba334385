"""Commit and reveal."""

from __future__ import annotations

import hashlib
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dispenser.odds import fairness

seeds = st.binary(min_size=32, max_size=32)


@given(seeds)
def test_a_commitment_is_the_sha256_of_the_seed(seed: bytes) -> None:
    assert fairness.commitment(seed) == hashlib.sha256(seed).hexdigest()
    assert fairness.is_commitment(fairness.commitment(seed))
    assert fairness.opened(fairness.commitment(seed), seed.hex()) == seed


@given(seeds, st.integers(0, 255))
def test_a_seed_with_one_bit_changed_does_not_fit_its_commitment(seed: bytes, bit: int) -> None:
    changed = (int.from_bytes(seed, "big") ^ (1 << bit)).to_bytes(32, "big")
    with pytest.raises(fairness.SeedError, match="does not belong"):
        fairness.opened(fairness.commitment(seed), changed.hex())


def test_fresh_entropy_gives_a_seed_that_is_not_the_entropy_itself() -> None:
    entropy = os.urandom(32)
    assert len(fairness.new_secret(entropy)) == 32
    assert fairness.new_secret(entropy) == fairness.new_secret(entropy)
    assert fairness.new_secret(entropy) != entropy
    assert fairness.new_secret(entropy + b"more") != fairness.new_secret(entropy)


def test_too_little_entropy_and_a_seed_of_another_length_are_refused() -> None:
    with pytest.raises(fairness.SeedError, match=r"give os.urandom\(32\)"):
        fairness.new_secret(bytes(31))
    for length in (0, 31, 33):
        with pytest.raises(fairness.SeedError, match=f"32 bytes, not {length}"):
            fairness.commitment(bytes(length))


@pytest.mark.parametrize("text", ["", "00", "0" * 63, "0" * 65, "g" * 64, "A" * 64, "0" * 64 + "\n", "٣" * 64])
def test_what_is_no_seed_is_refused(text: str) -> None:
    with pytest.raises(fairness.SeedError, match="64 hexadecimal digits"):
        fairness.opened(fairness.commitment(bytes(32)), text)
    assert not fairness.is_commitment(text)
