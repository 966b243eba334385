"""Settings: one TOML file, every key optional. Errors name the file, the key, the wrong value and a remedy."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from dispenser.drivers.kinds import DriverSettings
from dispenser.drivers.pins.timing import GpioTiming
from dispenser.drivers.pins.wiring import GpioWiring
from dispenser.language import SpokenError, Text
from dispenser.launcher.settings import MachineSettings
from dispenser.tables import Mistakes, TableError, mistake, parse_toml, read, read_file, shown
from dispenser.tables import as_toml as tables_as_toml
from dispenser.tables.mistakes import Path as TablePath
from dispenser.tables.mistakes import told

__all__ = [
    "CONFIG_VARIABLE",
    "SYSTEM_CONFIG",
    "ConfigError",
    "DriverSettings",
    "JournalSettings",
    "Settings",
    "WebSettings",
    "as_toml",
    "changed_settings",
    "check",
    "default_journal_path",
    "find_config",
    "load",
    "parse",
    "read_lines",
    "state_folder",
]

SYSTEM_CONFIG = Path("/etc/dispenser/dispenser.toml")
CONFIG_VARIABLE = "DISPENSER_CONFIG"
_HOST = re.compile(
    r"(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?)*\.?"
)
_PATIENCE = Text(
    "the driver takes brake_s + coast_s of [timing] to report; with less, every burst would end in a fault; "
    "use {needed} or more"
)
_NO_HOME = Text("[journal] path is not set, and this user has no home for it: set it")
_LOCKED = Text("cannot be looked at ({error}); let this user into its folder")
_TOKEN_NEEDED = Text(
    'can be reached by others, so a token is needed: add token = "…" (16 characters or more), or use 127.0.0.1'
)
_SHORT = Text("is too short: use 16 characters or more, such as the output of 'openssl rand -hex 16'")
_NO_ASCII = Text(
    "has a space or a character that is no ASCII: a browser cannot send that; use the output of 'openssl rand -hex 16'"
)
_GUESSED = Text("has only {number} different characters and can be guessed; use the output of 'openssl rand -hex 16'")
_NO_HOST = (  # what fits a wrong name, and what to do about it; the first that fits
    (
        r"^$",
        Text('is empty; write an address, such as "127.0.0.1", or a name such as "table.local"'),
    ),
    (
        r"\*",
        Text("stands for no single machine; write each name by which browsers call this one"),
    ),
    (
        r"/",
        Text("is an address of a page; write only the name, without http:// and what follows it"),
    ),
    (
        r"^(\[.*\]|[^:]*):\d+$",
        Text("has a port; write only the name, the port stands in port = …"),
    ),
    (
        r"[^\x00-\x7f]",
        Text("has other than letters a to z, digits, - and .; browsers send such names as xn--…"),
    ),
    (
        r"",
        Text("is no name of a machine: letters, digits, - and . only"),
    ),
)
_NO_FILE_NAME = Text("has a character that no file name can have here; write it anew")
_NO_SUCH_USER = Text("there is no such user; write the whole path, from / on")
_TOO_LONG = Text("a part of it is longer than 255 bytes; shorten it")
_A_FOLDER = Text('is a folder or a device; name a file, such as "/var/lib/dispenser/dispenser.sqlite3"')
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class ConfigError(TableError):
    """Settings that cannot be used. One line: file, key, wrong value, remedy."""

    more = Text("{first} ({more} more: 'dispenser config check' names all)")


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalSettings:
    """``path``: the event log; empty means ``dispenser.sqlite3`` in the state folder."""

    path: str = ""

    def __post_init__(self) -> None:
        if self.path:
            _refuse_file("path", self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """Where the page is served and who may see it.

    :param host: address to listen on. Any but this machine's own needs a token.
    :param port: TCP port; 0 takes a free one.
    :param token: secret that a browser must bring once, at least 16 characters.
    :param allowed_hosts: further names by which browsers may call this machine.
    :param max_streams: event streams open at once.
    """

    enabled: bool = True
    host: str = field(default="127.0.0.1", metadata={"other_names": ("address", "bind", "listen", "ip", "interface")})
    port: int = 8112
    token: str | None = None
    allowed_hosts: tuple[str, ...] = ()
    max_streams: int = 64

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise _wrong("port", self.port, Text("use 1 to 65535, or 0 for a free one"))
        if not 1 <= self.max_streams <= 1000:
            raise _wrong("max_streams", self.max_streams, Text("use 1 to 1000"))
        _refuse_host("host", self.host)
        for name in self.allowed_hosts:
            _refuse_host("allowed_hosts", name)
        if self.token is not None:
            _refuse_token(self.token)
        if self.enabled and self.host not in LOOPBACK and self.token is None:
            raise _wrong("host", self.host, _TOKEN_NEEDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings; each field is a table of the file.

    :param odds: odds settings as ``dispenser.luck.odds`` takes them.
    """

    launcher: MachineSettings = field(default_factory=MachineSettings)
    odds: dict[str, Any] = field(default_factory=lambda: {"preset": "toy"})
    pins: GpioWiring = field(default_factory=GpioWiring)
    driver: DriverSettings = field(default_factory=DriverSettings)
    timing: GpioTiming = field(default_factory=GpioTiming)
    journal: JournalSettings = field(default_factory=JournalSettings)
    web: WebSettings = field(default_factory=WebSettings)

    def told(self) -> dict[str, Any]:
        """What decides how the launcher behaves, as JSON-able tables; no path, address or secret."""
        tables = {name: msgspec.to_builtins(getattr(self, name)) for name in ("launcher", "pins", "timing")}
        return {
            name: {key: value for key, value in table.items() if key in _keys(name)} for name, table in tables.items()
        }

    @staticmethod
    def from_told(tables: dict[str, Any]) -> Settings:
        """The settings that ``told`` told.

        :raises ConfigError: they are another version's.
        """
        try:
            return msgspec.convert(tables, Settings)
        except msgspec.ValidationError as error:
            raise ConfigError(f"settings in the journal: {error}") from error

    def journal_path(self) -> Path:
        return Path(self.journal.path).expanduser() if self.journal.path else default_journal_path()


def state_folder() -> Path:
    """systemd's ``STATE_DIRECTORY``, else ``$XDG_STATE_HOME/dispenser``, else ``~/.local/state/dispenser``.

    :raises ConfigError: nobody knows where this user is at home.
    """
    given = os.environ.get("STATE_DIRECTORY", "").split(":")[0]
    if given:
        return Path(given)
    if home := os.environ.get("XDG_STATE_HOME"):
        return Path(home) / "dispenser"
    try:
        return Path.home() / ".local" / "state" / "dispenser"
    except RuntimeError as error:
        raise ConfigError(_NO_HOME) from error


def default_journal_path() -> Path:
    return state_folder() / "dispenser.sqlite3"


def find_config(given: Path | None = None) -> Path | None:
    """The file to read: the one given, else ``$DISPENSER_CONFIG``, else the system's if there is one."""
    if given is not None:
        return given
    if named := os.environ.get(CONFIG_VARIABLE):
        return Path(named)
    try:
        return SYSTEM_CONFIG if SYSTEM_CONFIG.exists() else None
    except OSError as error:
        raise ConfigError(told(SYSTEM_CONFIG, _LOCKED.filled(error=error))) from error


def load(given: Path | None = None) -> Settings:
    """Read the settings; without any file, the defaults.

    :raises ConfigError: with file, key, wrong value and remedy; of each mistake, as far as they can be told apart.
    """
    path = find_config(given)
    if path is None:
        return Settings()
    try:
        return _of_tables(read_file(path))
    except TableError as error:
        raise ConfigError(*error.within(path)) from error


def parse(text: str) -> Settings:
    """Settings from TOML text.

    :raises ConfigError: naming table, key, wrong value and remedy.
    """
    try:
        return _of_tables(parse_toml(text))
    except TableError as error:
        raise ConfigError(*error.mistakes) from error


def _of_tables(tables: dict[str, Any]) -> Settings:
    mistakes = Mistakes()
    settings = Settings()
    with mistakes.noted():
        settings = read(tables, Settings)
    if isinstance(odds := tables.get("odds"), dict):  # also when something else is wrong
        settings = replace(settings, odds=odds)
    with mistakes.noted():
        check(settings)
    mistakes.tell()
    return settings


def check(settings: Settings, path: TablePath = ()) -> None:
    """Whether the settings go together.

    :param path: where their tables stand in a file.
    :raises ConfigError: naming table, key, wrong value and remedy.
    """
    from dispenser.luck.presets import design_from_settings

    mistakes = Mistakes()
    launcher = settings.launcher
    with mistakes.noted():
        most = launcher.max_burst_cards
        design_from_settings(settings.odds, read_lines=read_lines, max_cards=most, path=(*path, "odds"))
    needed_s = settings.timing.brake_s + settings.timing.coast_s + 0.1
    if launcher.driver_patience_s < needed_s:
        remedy = _PATIENCE.filled(needed=f"{needed_s:.2f}")
        mistakes.note(mistake((*path, "launcher", "driver_patience_s"), remedy, launcher.driver_patience_s))
    mistakes.tell(ConfigError)


def read_lines(path: str) -> list[str]:
    """Lines of a recorded launcher's file, for odds that follow a recording."""
    return Path(path).expanduser().read_text(encoding="utf-8").splitlines()


def as_toml(settings: Settings) -> str:
    """The settings in force, as a file that would give the same; keys that are not set are shown as comments."""
    tables: dict[str, dict[str, Any]] = {}
    for table in fields(Settings):
        value = getattr(settings, table.name)
        values = value if isinstance(value, dict) else {key: getattr(value, key) for key in _keys(table.name)}
        nothing = None if table.name == "pins" else UNSET  # a pin can be "none"; a token can only be not there
        tables[table.name] = {key: nothing if each is None else each for key, each in values.items()}
    return tables_as_toml(tables)


def changed_settings(settings: Settings) -> dict[str, dict[str, Any]]:
    """The settings that are not the defaults, of the tables that decide how the launcher behaves."""
    usual = Settings().told()
    changed = {
        name: {key: value for key, value in table.items() if value != usual[name][key]}
        for name, table in settings.told().items()
    }
    return {name: table for name, table in changed.items() if table}


def _keys(table: str) -> list[str]:
    """The keys that a table of the file may have."""
    return [each.name for each in fields(getattr(Settings(), table)) if each.metadata.get("from_file", True)]


# --- values that only look right -----------------------------------------------------------------------------------


class SettingError(SpokenError, ValueError):
    """A setting that cannot be; the text begins with its key."""


def _wrong(key: str, value: object, remedy: Text) -> SettingError:
    return SettingError(told(f"{key} = {shown(value)}", remedy))


def _refuse_token(token: str) -> None:
    """:raises SettingError: a token that can be guessed, or that no browser can send; it is not shown."""
    if len(token) < 16:
        raise SettingError(told("token", _SHORT))
    if not all("!" <= char <= "~" for char in token):
        raise SettingError(told("token", _NO_ASCII))
    if len(set(token)) < 6:
        raise SettingError(told("token", _GUESSED.filled(number=len(set(token)))))


def _refuse_host(key: str, host: str) -> None:
    """:raises SettingError: what is no name or address of a machine."""
    if not (_is_address(host) or _HOST.fullmatch(host)):
        raise _wrong(key, host, next(remedy for fits, remedy in _NO_HOST if re.search(fits, host)))


def _is_address(host: str) -> bool:
    import ipaddress

    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _refuse_file(key: str, text: str) -> None:
    """:raises SettingError: a path that can never be that of a file."""
    if not text.isprintable():
        raise _wrong(key, text, _NO_FILE_NAME)
    try:
        path = Path(text).expanduser()
    except RuntimeError as error:
        raise _wrong(key, text, _NO_SUCH_USER) from error
    if any(len(os.fsencode(part)) > 255 for part in path.parts):
        raise _wrong(key, text, _TOO_LONG)
    if os.path.exists(path) and not os.path.isfile(path):  # noqa: PTH110, PTH113  # pathlib's raise PermissionError
        raise _wrong(key, text, _A_FOLDER)
