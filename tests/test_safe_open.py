"""Only regular files are opened."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dispenser.safe_open import opened


def test_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    with opened(tmp_path / "file") as file:
        assert file.read() == b"content"


def test_a_link_is_followed_only_where_that_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    with opened(tmp_path / "link", follow_link=True) as file:
        assert file.read() == b"content"
    with pytest.raises(OSError, match="symbolic links"):
        opened(tmp_path / "link")


def test_pipes_devices_and_folders_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, why in [(tmp_path / "pipe", "regular"), (Path(os.devnull), "regular"), (tmp_path, "directory")]:
        with pytest.raises(OSError, match=why):
            opened(path)
