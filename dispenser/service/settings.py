"""Settings: one TOML file, every key optional. Errors name the file, the key, the wrong value and a remedy."""

from __future__ import annotations

import errno
import os
import re
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta

from dispenser.config import ErrorList, TableError, error_at, parse_toml, read, read_file, shown
from dispenser.config import as_toml as tables_as_toml
from dispenser.config.errors import Path as TablePath
from dispenser.config.errors import prefixed
from dispenser.drivers.gpio.wiring import GpioTiming, GpioWiring
from dispenser.drivers.kinds import DriverSettings
from dispenser.i18n import SpokenError, Text
from dispenser.launcher.settings import MachineSettings
from dispenser.safe_open import opened

SYSTEM_CONFIG = Path("/etc/dispenser/dispenser.toml")
SYSTEM_STATE = Path("/var/lib/dispenser")
CONFIG_VARIABLE = "DISPENSER_CONFIG"
CALIBRATED = "calibrated.toml"
"""Beside the journal: settings of a calibration by the service, which may not write where the others stand."""
OWNERS = "owners.json"
"""Beside the journal: which phones are the owner's."""
CALIBRATED_TABLES = frozenset({"timing", "launcher"})
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
EVERYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104 - what people write for all addresses
_HOST = re.compile(
    r"(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?)*\.?"
)
_NO_HOST = Text(
    'is no name or address of a machine: write one such as "table.local" or "127.0.0.1", of letters a to z, digits, - '
    "and . only, without http:// and without a port; names with other letters begin with xn--"
)
_TOKEN_NEEDED = Text(
    'can be reached by others, so a token is needed: add token = "…" (16 characters or more), or use 127.0.0.1; for '
    "people who join by the table's code write lan = true and no host"
)
_NO_OWNER = Text(
    "with lan = true is one address alone, so nobody would come from this machine and be its owner: leave host out, or "
    'add token = "…" (16 characters or more)'
)
_BAD_TOKEN = Text(
    "can be guessed, or not sent by a browser: use 16 to 200 characters, at least 6 different ones, ASCII without "
    "spaces, such as the output of 'openssl rand -hex 16'"
)


class ConfigError(TableError):
    """Settings that cannot be used. One line: file, key, wrong value, remedy."""

    more = Text("{first} ({more} more: 'dispenser config check' names all)")


class SettingError(SpokenError, ValueError):
    """A setting that cannot be; the text begins with its key."""


def _wrong(key: str, value: object, remedy: Text) -> SettingError:
    return SettingError(prefixed(f"{key} = {shown(value)}", remedy))


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalSettings:
    """``path``: the event log; empty means ``dispenser.sqlite3`` in the state folder."""

    path: str = ""

    def __post_init__(self) -> None:
        """:raises SettingError: a path that can never be that of a file."""
        if self.path == ":memory:":
            raise _wrong("path", self.path, Text("would be forgotten at each end; name a file, or leave it out"))
        if not self.path.isprintable():
            raise _wrong("path", self.path, Text("has a character that no file name can have here; write it anew"))
        try:
            path = Path(self.path).expanduser()
        except RuntimeError as error:
            no_user = Text("there is no such user; write the whole path, from / on")
            raise _wrong("path", self.path, no_user) from error
        longest_folder = max((len(os.fsencode(part)) for part in path.parent.parts), default=0)
        in_all, of_file = len(os.fsencode(path)), len(os.fsencode(path.name))
        if in_all > 4000 or of_file > 200 or longest_folder > 255:  # Linux takes so much, and some letters behind it
            too_long = Text("is too long: use at most 200 bytes for the file, 255 for each folder and 4000 in all")
            raise _wrong("path", self.path, too_long)
        if self.path and os.path.exists(path) and not os.path.isfile(path):  # noqa: PTH110, PTH113  # pathlib's raise PermissionError
            a_folder = Text('is a folder or a device; name a file, such as "/var/lib/dispenser/dispenser.sqlite3"')
            raise _wrong("path", self.path, a_folder)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """Where the page is served and who may see it.

    :param host: address to listen on. Any but this machine's own needs a token, or ``lan``.
    :param port: TCP port; 0 takes a free one.
    :param token: secret that a browser must bring once, at least 16 characters.
    :param lan: whether people in the house join a table by its code: listen on all addresses (unless ``host`` names
        one); the launcher's owner is who comes from this machine, or has the token if there is one.
    :param allowed_hosts: further names by which browsers may call this machine.
    :param max_streams: event streams open at once.
    """

    enabled: bool = True
    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8112
    token: str | None = None
    lan: bool = False
    allowed_hosts: tuple[str, ...] = ()
    max_streams: Annotated[int, Meta(ge=1, le=1000)] = 64

    def __post_init__(self) -> None:
        """:raises SettingError: names that are none; a token that is missing, or that protects from nobody."""
        for key, name in (("host", self.host), *(("allowed_hosts", each) for each in self.allowed_hosts)):
            if not (_HOST.fullmatch(name) or _is_address(name)):
                raise _wrong(key, name, _NO_HOST)
        if self.token is not None and not _is_token(self.token):
            raise SettingError(prefixed("token", _BAD_TOKEN))  # it is not shown
        if self.token is None and self.enabled and self.host not in (LOOPBACK | EVERYWHERE if self.lan else LOOPBACK):
            raise _wrong("host", self.host, _NO_OWNER if self.lan else _TOKEN_NEEDED)

    @property
    def is_open(self) -> bool:
        """Whether others than this machine can reach the page."""
        return self.lan or self.host not in LOOPBACK

    @property
    def listens_on(self) -> str:
        """The address to listen on."""
        if not self.lan or self.host not in LOOPBACK:
            return self.host
        import socket

        return "::" if socket.has_dualstack_ipv6() else "0.0.0.0"  # noqa: S104 - that is what lan is for


def _is_token(token: str) -> bool:
    return 16 <= len(token) <= 200 and len(set(token)) >= 6 and all("!" <= char <= "~" for char in token)


def _is_address(host: str) -> bool:
    import ipaddress

    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputerSettings:
    """:param off_by_button: the button, held for ten seconds with the lid open, switches the computer off."""

    off_by_button: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """An evening.

    :param idle_end_s: so long without a phone, a screen or a push of the button, and an evening is over, seconds.
    :param remind_s: so long all wait for somebody, and their phone calls them again, seconds; 0: never.
    """

    idle_end_s: Annotated[float, Meta(ge=60, le=7 * 24 * 3600)] = 4 * 3600.0
    remind_s: Annotated[float, Meta(ge=0, le=3600)] = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings; each field is a table of the file.

    :param odds: odds settings as ``dispenser.odds.odds`` takes them.
    """

    launcher: MachineSettings = field(default_factory=MachineSettings)
    odds: dict[str, Any] = field(default_factory=lambda: {"preset": "toy"})
    pins: GpioWiring = field(default_factory=GpioWiring)
    driver: DriverSettings = field(default_factory=DriverSettings)
    timing: GpioTiming = field(default_factory=GpioTiming)
    journal: JournalSettings = field(default_factory=JournalSettings)
    web: WebSettings = field(default_factory=WebSettings)
    computer: ComputerSettings = field(default_factory=ComputerSettings)
    table: TableSettings = field(default_factory=TableSettings)

    def told(self) -> dict[str, dict[str, Any]]:
        """What decides how the launcher behaves, as JSON-able tables; no path, address or secret."""
        tables = {name: getattr(self, name) for name in ("launcher", "pins", "timing")}
        return {name: {key: getattr(table, key) for key in _keys(name)} for name, table in tables.items()}

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
        return Path(self.journal.path).expanduser() if self.journal.path else state_folder() / "dispenser.sqlite3"


def _keys(table: str) -> list[str]:
    """The keys that a table of the file may have."""
    return [each.name for each in fields(getattr(Settings(), table)) if each.metadata.get("from_file", True)]


def state_folder() -> Path:
    """systemd's ``STATE_DIRECTORY``, else ``$XDG_STATE_HOME/dispenser``, else ``~/.local/state/dispenser``.

    For root, who looks after the service, it is the service's where there is one.

    :raises ConfigError: nobody knows where this user is at home.
    """
    if given := os.environ.get("STATE_DIRECTORY", "").split(":")[0]:
        return Path(given)
    if home := os.environ.get("XDG_STATE_HOME"):
        return Path(home) / "dispenser"
    if SYSTEM_STATE.is_dir() and os.geteuid() == 0:
        return SYSTEM_STATE
    try:
        return Path.home() / ".local" / "state" / "dispenser"
    except RuntimeError as error:
        raise ConfigError(Text("[journal] path is not set, and this user has no home for it: set it")) from error


def find_config(given: Path | None = None) -> Path | None:
    """The file to read: the one given, else ``$DISPENSER_CONFIG``, else the system's if there is one."""
    if given is not None:
        return given
    if named := os.environ.get(CONFIG_VARIABLE):
        return Path(named)
    try:
        return SYSTEM_CONFIG if SYSTEM_CONFIG.exists() else None
    except OSError as error:
        locked = Text("cannot be looked at ({error}); let this user into its folder").filled(error=error)
        raise ConfigError(prefixed(SYSTEM_CONFIG, locked)) from error


def load(given: Path | None = None) -> Settings:
    """Read the settings; without any file, the defaults. What the service has calibrated overrides them.

    :raises ConfigError: with file, key, wrong value and remedy; of each mistake, as far as they can be told apart.
    """
    path = find_config(given)
    settings = _read(path)
    calibrated = calibrated_file(settings)
    if calibrated is None or not os.path.exists(calibrated):  # noqa: PTH110 - pathlib's raises where this user may not look
        return settings
    try:
        return overridden({} if path is None else read_file(path), read_file(calibrated))
    except TableError as error:
        raise ConfigError(*error.within(calibrated)) from error


def _read(path: Path | None) -> Settings:
    try:
        return Settings() if path is None else _of_tables(read_file(path))
    except TableError as error:
        raise ConfigError(*error.within(path or "")) from error


def calibrated_file(settings: Settings) -> Path | None:
    """Where the service writes settings of a calibration; ``None`` where nobody knows."""
    try:
        return settings.journal_path().with_name(CALIBRATED)
    except ConfigError:  # a user without a home
        return None


def overridden(tables: dict[str, Any], calibrated: dict[str, Any]) -> Settings:
    """The settings of these tables, with those of a calibration in their place.

    :raises TableError: these are wrong, or do not go with the others.
    """
    for name, table in calibrated.items():
        if name not in CALIBRATED_TABLES or not isinstance(table, dict):
            raise TableError(error_at((name,), Text("belongs into the settings file: only a calibration writes here")))
    merged = {table: {**tables.get(table, {}), **calibrated[table]} for table in calibrated}
    return _of_tables({**tables, **merged})


def parse(text: str) -> Settings:
    """Settings from TOML text.

    :raises ConfigError: naming table, key, wrong value and remedy.
    """
    try:
        return _of_tables(parse_toml(text))
    except TableError as error:
        raise ConfigError(*error.errors) from error


def _of_tables(tables: dict[str, Any]) -> Settings:
    errors = ErrorList()
    settings = Settings()
    with errors.collect():
        settings = read(tables, Settings)
    if isinstance(odds := tables.get("odds"), dict):  # also when something else is wrong
        settings = replace(settings, odds=odds)
    with errors.collect():
        check(settings)
    errors.raise_if_any()
    return settings


def check(settings: Settings, path: TablePath = ()) -> None:
    """Whether the settings go together.

    :param path: where their tables stand in a file.
    :raises ConfigError: naming table, key, wrong value and remedy.
    """
    from dispenser.odds.presets import design_from_settings

    errors = ErrorList()
    launcher = settings.launcher
    with errors.collect():
        most = launcher.max_burst_cards
        design_from_settings(settings.odds, read_lines=read_lines, max_cards=most, path=(*path, "odds"))
    needed_s = settings.timing.brake_s + settings.timing.coast_s + 0.1
    if launcher.driver_patience_s < needed_s:
        remedy = Text(
            "the driver takes brake_s + coast_s of [timing] to report; with less, every burst would end in a fault; "
            "use {needed} or more"
        ).filled(needed=f"{needed_s:.2f}")
        errors.append(error_at((*path, "launcher", "driver_patience_s"), remedy, launcher.driver_patience_s))
    errors.raise_if_any(ConfigError)


def read_lines(path: str) -> list[str]:
    """Lines of a recorded launcher's file, for odds that follow a recording.

    :raises OSError, UnicodeError: it cannot be read.
    """
    try:
        file = opened(Path(path).expanduser(), follow_link=True)
    except (RuntimeError, ValueError) as error:  # no such user; a character that no file name can have
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path) from error
    with file:
        return file.read().decode().splitlines()


def as_toml(settings: Settings) -> str:
    """The settings in force, as a file that would give the same; keys that are not set are shown as comments."""
    return tables_as_toml(as_tables(settings))


def as_tables(settings: Settings) -> dict[str, dict[str, Any]]:
    """The settings in force by table and key, as ``dispenser.config`` writes them."""
    tables: dict[str, dict[str, Any]] = {}
    for table in fields(Settings):
        value = getattr(settings, table.name)
        values = value if isinstance(value, dict) else {key: getattr(value, key) for key in _keys(table.name)}
        nothing = None if table.name == "pins" else UNSET  # a pin can be "none"; a token can only be not there
        tables[table.name] = {key: nothing if each is None else each for key, each in values.items()}
    return tables


def changed_settings(settings: Settings) -> dict[str, dict[str, Any]]:
    """The settings that are not the defaults, of the tables that decide how the launcher behaves."""
    usual = Settings().told()
    changed = {
        name: {key: value for key, value in table.items() if value != usual[name][key]}
        for name, table in settings.told().items()
    }
    return {name: table for name, table in changed.items() if table}
