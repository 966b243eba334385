"""What one secret gives: the same again after a restart, nothing of it told by anything else."""

from __future__ import annotations

import pytest

from dispenser.table import secrets
from dispenser.table.secrets import CODE_LENGTH, CODE_SIGNS, code_of, phone_secret, same_code

ONE, OTHER = bytes(32), bytes(range(32))


def test_a_code_has_four_signs_that_nobody_confuses() -> None:
    codes = {code_of(number.to_bytes(32, "big")) for number in range(500)}
    assert len(codes) > 490
    assert all(len(code) == CODE_LENGTH and set(code) <= set(CODE_SIGNS) for code in codes)
    assert not set(CODE_SIGNS) & set("0O1IL5S8B2ZAEU")


@pytest.mark.parametrize("typed", ["K7PM", "k7pm", " K7 PM ", "k7-pm", "K7PM\n"])
def test_a_code_is_right_however_it_is_typed(typed: str) -> None:
    assert same_code(typed, "K7PM")


@pytest.mark.parametrize("typed", ["", "K7P", "K7PMM", "K7PN", "ＫX7PM", "\ud800", "K" * 10_000])
def test_any_other_is_wrong(typed: str) -> None:
    assert not same_code(typed, "K7PM")


def test_what_comes_of_a_secret_is_the_same_each_time_and_different_for_each_use() -> None:
    def all_of(secret: bytes) -> list[str]:
        return [
            code_of(secret),
            secrets.watch_key_of(secret).hex(),
            *(phone_secret(secret, request) for request in ("a", "b")),
            *(secrets.seed_of(secret, number).hex() for number in (1, 2)),
        ]

    assert all_of(ONE) == all_of(ONE)
    assert len({*all_of(ONE), *all_of(OTHER)}) == 12
