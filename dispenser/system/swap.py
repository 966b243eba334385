"""Puts several files in the place of others, all of them or none: also when it is killed, or the power fails, half-way.

A plan is written beside the files first. The last file's ``rename`` decides: before it, whoever finds the plan
(``settle``) puts back what was there; after it, everything is in place. What was there stays beside it, as ``kept``.
"""

from __future__ import annotations

import fcntl
import os
import pwd
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

import msgspec

from dispenser.i18n import SpokenError, Text
from dispenser.safe_open import fresh, opened
from dispenser.system.links import is_trusted


class SwapError(SpokenError, OSError):
    """Files cannot be replaced, or put back; says what to do."""


class Replacement(msgspec.Struct, frozen=True):
    """One file that takes the place of another.

    :param target: its place.
    :param kept: the name that the file which is there now gets; nothing may have that yet.
    :param new: the file, on the same disk as its place; ``None``: the place shall be empty.
    """

    target: Path
    kept: Path
    new: Path | None = None


class _Plan(msgspec.Struct, frozen=True):
    replacements: list[Replacement]
    inodes: list[int]  # of the new files, by which they are known in their places


def plan_beside(journal: Path) -> Path:
    """Where the plan of a restore of this journal is."""
    journal = Path(os.path.realpath(journal))
    return journal.with_name(f"{journal.name}-restore")


def replace_all(plan: Path, replacements: Sequence[Replacement]) -> None:
    """Carry all of them out, or none.

    :param plan: where the plan is written; there may be none yet, see ``settle``.
    :param replacements: in this order; the last one has a new file.
    :raises OSError: it could not be done; nothing has changed.
    """
    inodes = [each.new.stat().st_ino if each.new else 0 for each in replacements]
    written = _Plan(list(replacements), inodes)
    draft = plan.with_name(plan.name + ".draft")
    with fresh(draft) as file:
        _lock(file)
        os.fchmod(file.fileno(), 0o644)  # whoever starts the launcher must know of it, and may not be able to help
        file.write(msgspec.json.encode(written, enc_hook=str))
        file.flush()
        os.fsync(file.fileno())
        draft.rename(plan)
        _make_safe(plan.parent)
        try:
            for each in replacements:
                _replace(each)
        except OSError:
            _put_back(plan, written)
            raise
        _forget(plan)


def settle(plan: Path) -> bool:
    """Finish what was begun by this plan, if there is one: put back what was there, unless all is in place already.

    It names files to be moved and removed, so one is followed that root or this user has written, and no other.

    :returns: whether there was anything to do.
    :raises SwapError: it is under way just now, this user may not do it, or it is not to be trusted.
    """
    if not os.path.exists(plan):  # noqa: PTH110 - pathlib's raises where this user may not look
        return False
    try:
        with opened(plan) as file:
            _refuse_strangers(plan, os.fstat(file.fileno()).st_uid)
            _lock(file)
            _put_back(plan, _read(plan, file.read()))
    except SwapError:
        raise
    except BlockingIOError as error:
        raise SwapError(Text("{plan}: files are being restored just now; wait for that").filled(plan=plan)) from error
    except OSError as error:
        text = Text("{plan}: a restore was cut off, and this user cannot put back what was there ({error}); try sudo")
        raise SwapError(text.filled(plan=plan, error=error)) from error
    return True


def _lock(file: IO[bytes]) -> None:
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _refuse_strangers(plan: Path, owner: int) -> None:
    if is_trusted(owner):
        return
    user = str(owner)
    with suppress(KeyError):
        user = pwd.getpwuid(owner).pw_name
    text = Text(
        "{plan}: user {user} has begun a restore that was cut off, and what stands there is done for nobody else: "
        "restore again as that user, or remove that file"
    )
    raise SwapError(text.filled(plan=plan, user=user))


def _read(plan: Path, content: bytes) -> _Plan:
    try:
        return msgspec.json.decode(content, type=_Plan, dec_hook=lambda _, text: Path(text))
    except msgspec.MsgspecError as error:
        text = Text(
            "{plan}: a restore was cut off, and what it has written down cannot be read ({error}): look at the files "
            "beside it that have 'before' in their names, then remove it"
        )
        raise SwapError(text.filled(plan=plan, error=error)) from error


def _replace(each: Replacement) -> None:
    if each.new is None:
        with suppress(FileNotFoundError):
            each.target.rename(each.kept)
    else:
        with suppress(FileNotFoundError):
            each.kept.hardlink_to(each.target)
        each.new.rename(each.target)
    _make_safe(each.target.parent)


def _put_back(plan: Path, written: _Plan) -> None:
    *others, last = zip(written.replacements, written.inodes, strict=True)
    if not _is(*last):
        for each, inode in reversed(others):
            _put_one_back(each, inode)
        for left_over in (last[0].kept, *(each.new for each in written.replacements if each.new)):
            with suppress(OSError):  # in a folder that is not this user's: it harms nobody
                left_over.unlink()
    _forget(plan)


def _put_one_back(each: Replacement, inode: int) -> None:
    if not each.kept.exists():  # it was not touched yet, or there was nothing
        if _is(each, inode):
            each.target.unlink()
    elif each.new is not None and not _is(each, inode):
        each.kept.unlink()  # a second name of what is still in its place
    else:
        each.kept.replace(each.target)
    _make_safe(each.target.parent)


def _is(each: Replacement, inode: int) -> bool:
    """Whether the new file is in its place."""
    return each.new is not None and each.target.exists() and each.target.stat().st_ino == inode


def _forget(plan: Path) -> None:
    plan.unlink()
    _make_safe(plan.parent)


def _make_safe(path: Path) -> None:
    """Bring a file, or a folder's names, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
