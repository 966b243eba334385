"""Settings: one TOML file, every key optional. Errors name the file, the key, the wrong value and a remedy."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct

from dispenser.config import ErrorList, SettingError, TableError, error_at, parse_toml, read, read_file
from dispenser.config.errors import NO_VALUE
from dispenser.config.errors import Path as TablePath
from dispenser.config.reader import fields_of
from dispenser.drivers.gpio.wiring import GpioTiming, GpioWiring
from dispenser.drivers.kinds import DriverSettings
from dispenser.i18n import Text
from dispenser.launcher.settings import MachineSettings
from dispenser.safe_open import opened

SYSTEM_CONFIG = Path("/etc/dispenser/dispenser.toml")
SYSTEM_STATE = Path("/var/lib/dispenser")
CONFIG_VARIABLE = "DISPENSER_CONFIG"
CALIBRATED = "calibrated.toml"
"""Settings written by a calibration, beside the journal: the service may not write where the settings file is."""
OWNERS = "owners.json"  # List of the owner's phones, beside the journal
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
EVERYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104 - the usual words for all addresses
_HOST = re.compile(r"[\w.-]+|[\da-f]*:[\da-f]*:[\da-f:.]*(%\w+)?", re.ASCII | re.IGNORECASE)
"""A host name, an IPv4 or an IPv6 address, without http:// and without a port."""
_TOPIC = r"^[^+#/\s$][^+#/\s]*(/[^+#/\s]+)*$"  # One or more levels, without wildcards
_TOKEN = re.compile("[!-~]{16,200}")
_WHOLE_PATH = Text('write the whole path of a file, such as "/var/lib/dispenser/dispenser.sqlite3"')
_NO_HOST = Text(
    'is no name or address of a machine: write one such as "table.local" or "127.0.0.1", of letters a to z, digits, - '
    "and . only, without http:// and without a port; names with other letters begin with xn--"
)
_TOKEN_NEEDED = Text(
    'can be reached by others, so a token is needed: add token = "…" (16 characters or more), or use 127.0.0.1; for '
    "people who join by the table's code write lan = true and no host"
)
_NO_OWNER = Text(
    "is a single address: with lan = true nobody on this machine could be its owner: leave host out, or "
    'add token = "…" (16 characters or more)'
)
_ORIGIN = re.compile(r"https?://[\w.-]+(:\d{1,5})?|https?://\[[\da-f:]+\](:\d{1,5})?", re.ASCII | re.IGNORECASE)
_NO_ORIGIN = Text(
    "is no address of a dashboard: write how it begins in the browser, up to the port, such as "
    '"http://homeassistant.local:8123"'
)
_BAD_TOKEN = Text(
    "can be guessed, or not sent by a browser: use 16 to 200 characters, at least 6 different ones, ASCII without "
    "spaces, such as the output of 'openssl rand -hex 16'"
)


class ConfigError(TableError):
    """Invalid settings, as one line."""

    more = Text("{first} ({more} more: 'dispenser config check' names all)")


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalSettings:
    """``path``: the event log; empty means ``dispenser.sqlite3`` in the state folder."""

    path: str = ""

    def __post_init__(self) -> None:
        """:raises SettingError: the path is relative, or that of a folder."""
        path = os.path.expanduser(self.path)  # noqa: PTH111 - pathlib's raises where there is no such user
        if path and (not os.path.isabs(path) or os.path.isdir(path)):  # noqa: PTH112, PTH117 - as in ``load``
            raise SettingError("path", self.path, _WHOLE_PATH)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """Address of the page and access to it.

    :param host: address to listen on. Any but this machine's own needs a token, or ``lan``.
    :param port: TCP port; 0 takes a free one.
    :param token: secret that a browser must bring once, at least 16 characters.
    :param lan: whether people in the house join a table by its code: listen on all addresses (unless ``host`` names
        one); requests from this machine, or with the token if there is one, are the owner's.
    :param allowed_hosts: further host names by which browsers may call this machine.
    :param dashboards: origins that may show the shared screen in a frame, such as "http://homeassistant.local:8123".
    :param screen_key: secret with which ``/screen?key=…`` shows every evening without the table's code, at least 16
        characters. A browser sends no cookies to a page in a frame of another site.
    :param max_streams: limit on open event streams, of phones at the table and journal subscribers together.
    """

    enabled: bool = True
    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8112
    token: str | None = None
    lan: bool = False
    allowed_hosts: tuple[str, ...] = ()
    dashboards: tuple[str, ...] = ()
    screen_key: str | None = None
    max_streams: Annotated[int, Meta(ge=1, le=1000)] = 64

    def __post_init__(self) -> None:
        """:raises SettingError: an invalid name; a token that is missing or too weak."""
        for key, name in (("host", self.host), *(("allowed_hosts", each) for each in self.allowed_hosts)):
            if not _HOST.fullmatch(name):
                raise SettingError(key, name, _NO_HOST)
        for origin in self.dashboards:
            if not _ORIGIN.fullmatch(origin):
                raise SettingError("dashboards", origin, _NO_ORIGIN)
        for key, secret in (("token", self.token), ("screen_key", self.screen_key)):
            if secret is not None and not (_TOKEN.fullmatch(secret) and len(set(secret)) >= 6):
                raise SettingError(key, NO_VALUE, _BAD_TOKEN)  # the secret is not shown
        if self.token is None and self.enabled and self.host not in (LOOPBACK | EVERYWHERE if self.lan else LOOPBACK):
            raise SettingError("host", self.host, _NO_OWNER if self.lan else _TOKEN_NEEDED)

    @property
    def is_open(self) -> bool:
        """Whether the page can be reached from other machines."""
        return self.lan or self.host not in LOOPBACK

    @property
    def listens_on(self) -> str:
        if not self.lan or self.host not in LOOPBACK:
            return self.host
        import socket

        return "::" if socket.has_dualstack_ipv6() else "0.0.0.0"  # noqa: S104 - that is what lan is for


@dataclass(frozen=True, slots=True, kw_only=True)
class MqttSettings:
    """The MQTT broker to which the launcher publishes.

    :param host: name or address of the broker; empty: none.
    :param port: TCP port; 0: 8883 with ``tls``, else 1883.
    :param username: and ``password``, if the broker requires them.
    :param tls: whether the connection is encrypted and the broker's certificate checked.
    :param ca_file: CA that signed that certificate; empty: the CAs trusted by this computer.
    :param certificate: file of the client certificate, and ``key`` of its key, if the broker requires one.
    :param topic: prefix of all topics.
    :param discovery: prefix of the topics of Home Assistant's discovery; empty: none are sent.
    :param commands: commands accepted by MQTT.
    :param language: language of names and texts in Home Assistant.
    """

    host: str = ""
    port: Annotated[int, Meta(ge=0, le=65535)] = 0
    username: str = ""
    password: str | None = None
    tls: bool = False
    ca_file: str = ""
    certificate: str = ""
    key: str = ""
    topic: Annotated[str, Meta(pattern=_TOPIC)] = "dispenser"
    discovery: Annotated[str, Meta(pattern=f"^$|{_TOPIC}")] = "homeassistant"
    commands: tuple[Literal["press", "eject", "load", "reset"], ...] = ()
    language: Literal["en", "fr"] = "en"

    def __post_init__(self) -> None:
        """:raises SettingError: an invalid name; a key without its certificate."""
        if self.host and not _HOST.fullmatch(self.host):
            raise SettingError("host", self.host, _NO_HOST)
        if self.key and not self.certificate:
            raise SettingError("key", self.key, Text("is the key of which certificate? add certificate = …"))

    @property
    def broker_port(self) -> int:
        return self.port or (8883 if self.tls else 1883)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputerSettings:
    """:param off_by_button: the button, held for ten seconds with the lid open, switches the computer off."""

    off_by_button: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """:param idle_end_s: an evening ends after this time without a phone, a screen or a push of the button, seconds.
    :param remind_s: a phone repeats its alert when all wait for its person for this time, seconds; 0: never.
    """

    idle_end_s: Annotated[float, Meta(ge=60, le=7 * 24 * 3600)] = 4 * 3600.0
    remind_s: Annotated[float, Meta(ge=0, le=3600)] = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings; each field is a table of the file."""

    launcher: MachineSettings = field(default_factory=MachineSettings)
    odds: dict[str, Any] = field(default_factory=lambda: {"preset": "toy"})
    pins: GpioWiring = field(default_factory=GpioWiring)
    driver: DriverSettings = field(default_factory=DriverSettings)
    timing: GpioTiming = field(default_factory=GpioTiming)
    journal: JournalSettings = field(default_factory=JournalSettings)
    web: WebSettings = field(default_factory=WebSettings)
    mqtt: MqttSettings = field(default_factory=MqttSettings)
    computer: ComputerSettings = field(default_factory=ComputerSettings)
    table: TableSettings = field(default_factory=TableSettings)

    def for_journal(self) -> dict[str, dict[str, Any]]:
        """Return the settings that decide how the launcher behaves, as JSON-able tables; no path, address or secret."""
        return {name: values for name, values in as_tables(self).items() if name in ("launcher", "pins", "timing")}

    def journal_path(self) -> Path:
        return Path(self.journal.path).expanduser() if self.journal.path else state_folder() / "dispenser.sqlite3"


def state_folder() -> Path:
    """Return ``STATE_DIRECTORY`` (systemd), else ``$XDG_STATE_HOME/dispenser``, else ``~/.local/state/dispenser``.

    For root it is the service's folder if that exists.
    """
    if given := os.environ.get("STATE_DIRECTORY", "").split(":")[0]:
        return Path(given)
    if home := os.environ.get("XDG_STATE_HOME"):
        return Path(home) / "dispenser"
    if SYSTEM_STATE.is_dir() and os.geteuid() == 0:
        return SYSTEM_STATE
    return Path.home() / ".local" / "state" / "dispenser"


def find_config(given: Path | None = None) -> Path | None:
    """Return the file to read: the one given, else ``$DISPENSER_CONFIG``, else the system's if it exists."""
    if given is None and (named := os.environ.get(CONFIG_VARIABLE)):
        return Path(named)
    return given or (SYSTEM_CONFIG if SYSTEM_CONFIG.exists() else None)


def load(given: Path | None = None) -> Settings:
    """Read the settings; without a file, the defaults. Calibrated settings override them.

    :raises ConfigError: every error, with file, key, wrong value and hint.
    """
    path = find_config(given)
    with errors_in(path):
        tables = {} if path is None else read_file(path)
        settings = from_tables(tables)
    calibrated = calibrated_file(settings)
    if not os.path.exists(calibrated):  # noqa: PTH110 - pathlib's raises where this user may not look
        return settings
    with errors_in(calibrated):
        return overridden(tables, read_file(calibrated))


@contextmanager
def errors_in(file: Path | None) -> Iterator[None]:
    """Raise a ``TableError`` of the block as ``ConfigError``, with the file's name in each error."""
    try:
        yield
    except TableError as error:
        raise ConfigError(*(error.within(file) if file else error.errors)) from error


def calibrated_file(settings: Settings) -> Path:
    return settings.journal_path().with_name(CALIBRATED)


class Calibrated(Struct):
    """The tables that a calibration writes."""

    timing: dict[str, Any] = {}
    launcher: dict[str, Any] = {}


def overridden(tables: dict[str, Any], calibrated: dict[str, Any]) -> Settings:
    """Return the settings of ``tables``, overridden by those of a calibration. Raises as ``from_tables``."""
    found = read(calibrated, Calibrated)
    timing, launcher = tables.get("timing", {}) | found.timing, tables.get("launcher", {}) | found.launcher
    return from_tables({**tables, "timing": timing, "launcher": launcher})


def parse(text: str) -> Settings:
    """Read settings from TOML text. Raises as ``load``."""
    with errors_in(None):
        return from_tables(parse_toml(text))


def from_tables(tables: dict[str, Any]) -> Settings:
    """:raises TableError: the tables are invalid; as ``load``."""
    errors = ErrorList()
    settings = Settings()
    with errors.collect():
        settings = read(tables, Settings)
    if isinstance(odds := tables.get("odds"), dict):  # even if another table is invalid
        settings = replace(settings, odds=odds)
    with errors.collect():
        check(settings)
    errors.raise_if_any()
    return settings


def check(settings: Settings, path: TablePath = ()) -> None:
    """:raises ConfigError: the settings conflict; ``path`` is the place of their tables in a file."""
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
    """Return the lines of a recorded launcher's file, for odds that follow a recording."""
    whole = Path(os.path.expanduser(path))  # noqa: PTH111 - pathlib's raises where there is no such user
    with opened(whole, follow_link=True) as file:
        return file.read().decode().splitlines()


def as_tables(settings: Settings) -> dict[str, dict[str, Any]]:
    """Return the settings in force by table and key, for ``dispenser.config.as_toml``: a file that gives the same."""
    tables: dict[str, dict[str, Any]] = {}
    for table in fields(Settings):
        value = getattr(settings, table.name)
        values = value if isinstance(value, dict) else {key: getattr(value, key) for key in fields_of(value.__class__)}
        nothing = None if table.name == "pins" else UNSET  # a pin can be "none"; a token can only be left out
        tables[table.name] = {key: nothing if each is None else each for key, each in values.items()}
    return tables
