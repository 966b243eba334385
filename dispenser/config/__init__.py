"""Read and write TOML tables.

The schema of a file is given by types: msgspec Structs (with tags where one key decides) or dataclasses.
``read(parse_toml(text), File)`` converts to them and reports all errors at once, each with its place, the wrong value
and a hint: ``[[step]] 3: at = "1": write a number of seconds from 0 to 3600, without quotes``.

``Meta`` gives bounds (``ge``, ``le``; ``min_length`` of a list), and two ``Text`` in ``extra``: ``unit`` (in the
plural), and ``hint``, which replaces the hint generated from the type. A dataclass field with ``from_file=False`` in
its ``metadata`` cannot be set by a file. ``None`` is written ``"none"``, unless the type includes text. Other types are
read by the ``hook``. ``__post_init__`` checks keys together and raises ``WrongValueError`` with the key.
"""

from dispenser.config.errors import ErrorList, SettingError, TableError, WrongValueError, closest, error_at, short_toml
from dispenser.config.reader import read
from dispenser.config.toml import parse_toml, read_file
from dispenser.config.writer import as_toml, toml_value

__all__ = [
    "ErrorList",
    "SettingError",
    "TableError",
    "WrongValueError",
    "as_toml",
    "closest",
    "error_at",
    "parse_toml",
    "read",
    "read_file",
    "short_toml",
    "toml_value",
]
