"""Settings: one TOML file, every key optional. Errors name the file, the key, the wrong value and a remedy."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from dispenser.drivers.pins.timing import GpioTiming
from dispenser.drivers.pins.wiring import GpioWiring
from dispenser.launcher.settings import MachineSettings
from dispenser.tables import (
    ConfigError,
    closest,
    cut,
    of_msgspec,
    read_toml,
    refuse_file,
    refuse_host,
    refuse_token,
    shown,
)

__all__ = [
    "CONFIG_VARIABLE",
    "SYSTEM_CONFIG",
    "ConfigError",
    "DriverSettings",
    "JournalSettings",
    "Settings",
    "WebSettings",
    "as_toml",
    "default_journal_path",
    "find_config",
    "load",
    "parse",
    "read_lines",
    "state_folder",
]

SYSTEM_CONFIG = Path("/etc/dispenser/dispenser.toml")
CONFIG_VARIABLE = "DISPENSER_CONFIG"
NOT_WIRED = "none"
_DERIVED = frozenset({"can_retract", "has_exit_sensor"})  # they follow from the wiring
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalSettings:
    """``path``: the event log; empty means ``dispenser.sqlite3`` in the state folder."""

    path: str = ""

    def __post_init__(self) -> None:
        if self.path:
            refuse_file("path", self.path)


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
    host: str = "127.0.0.1"
    port: int = 8112
    token: str | None = None
    allowed_hosts: tuple[str, ...] = ()
    max_streams: int = 64

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise ValueError(f"port = {self.port}: use 1 to 65535, or 0 for a free one")
        if not 1 <= self.max_streams <= 1000:
            raise ValueError(f"max_streams = {self.max_streams}: use 1 to 1000")
        refuse_host("host", self.host)
        for name in self.allowed_hosts:
            refuse_host("allowed_hosts", name)
        if self.token is not None:
            refuse_token(self.token)
        if self.enabled and self.host not in _LOOPBACK and self.token is None:
            raise ValueError(
                f'host = "{self.host}" can be reached by others, so a token is needed: add token = "…" '
                "(16 characters or more), or use 127.0.0.1"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class DriverSettings:
    """How commands reach the launcher.

    :param kind: ``gpio``: this Raspberry Pi's pins; ``serial``: a microcontroller on a serial port.
    :param factory: for ``gpio``: which of gpiozero's pin factories: ``lgpio`` (every Pi), ``rpigpio``, ``pigpio``.
    :param port: for ``serial``: the device file, best one in ``/dev/serial/by-id``; empty takes the only one there.
    :param baud: for ``serial``: bits per second; the firmware's own (115200; built for 8 MHz: 38400).
    """

    kind: str = "gpio"
    factory: str = "lgpio"
    port: str = ""
    baud: int = 115200

    def __post_init__(self) -> None:
        if self.kind not in {"gpio", "serial"}:
            raise ValueError(f'kind = "{self.kind}": use "gpio" or "serial"')
        if self.factory not in {"lgpio", "rpigpio", "pigpio"}:
            raise ValueError(f'factory = "{self.factory}": use "lgpio", "rpigpio" or "pigpio"')
        if self.port and not self.port.startswith("/"):
            page = "; that of the page is port under [web]" if self.port.isdigit() else ""
            raise ValueError(f'port = "{self.port}": write the whole path, such as /dev/serial/by-id/usb-…{page}')
        if not 9600 <= self.baud <= 1_000_000:
            raise ValueError(
                f"baud = {self.baud}: use 9600 to 1000000; the firmware is built for 115200 (8 MHz: 38400)"
            )


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
        for derived in _DERIVED:
            del tables["launcher"][derived]
        return tables

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
        raise ConfigError("[journal] path is not set, and this user has no home for it: set it") from error


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
        raise ConfigError(f"{SYSTEM_CONFIG}: cannot be looked at ({error}); let this user into its folder") from error


def load(given: Path | None = None) -> Settings:
    """Read the settings; without any file, the defaults.

    :raises ConfigError: with file, key, wrong value and remedy; of each mistake, as far as they can be told apart.
    """
    path = find_config(given)
    if path is None:
        return Settings()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: cannot be read ({error}); give a readable UTF-8 file") from error
    try:
        return parse(text)
    except ConfigError as error:
        raise ConfigError(*(f"{path}: {mistake}" for mistake in error.mistakes)) from error


def parse(text: str) -> Settings:
    """Settings from TOML text.

    :raises ConfigError: naming table, key, wrong value and remedy.
    """
    tables = read_toml(text)
    mistakes = _take_out_unknown(tables)
    _take_out_unwired(tables.get("pins", {}))
    settings = Settings()
    for name, table in tables.items():
        value, wrong = _converted(name, table)
        mistakes += wrong
        settings = replace(settings, **{name: value})
    if not mistakes:
        mistakes = [*_odds_trouble(settings), *_patience_trouble(settings)]
    if mistakes:
        raise ConfigError(*mistakes)
    return settings


def _converted(name: str, table: dict[str, Any]) -> tuple[Any, list[str]]:
    """One table as settings, without the keys that are wrong; and what is wrong with them."""
    kind = type(getattr(Settings(), name))
    left = dict(table)
    mistakes: list[str] = []
    while True:
        try:
            return msgspec.convert(left, kind), mistakes
        except msgspec.ValidationError as error:
            mistake, key = of_msgspec(str(error), name, left)
            mistakes.append(mistake)
            if key not in left:
                return kind(), mistakes
            del left[key]


def _patience_trouble(settings: Settings) -> list[str]:
    patience_s = settings.launcher.driver_patience_s
    needed_s = settings.timing.brake_s + settings.timing.coast_s + 0.1
    if patience_s >= needed_s:
        return []
    told = "the driver takes brake_s + coast_s of [timing] to report; with less, every burst would end in a fault"
    return [f"[launcher] driver_patience_s = {patience_s}: {told}; use {needed_s:.2f} or more"]


def read_lines(path: str) -> list[str]:
    """Lines of a recorded launcher's file, for odds that follow a recording."""
    return Path(path).expanduser().read_text(encoding="utf-8").splitlines()


def _odds_trouble(settings: Settings) -> list[str]:
    from dispenser.luck.odds import OddsSettingsError, odds_from_settings

    try:
        odds_from_settings(
            settings.odds, seed=bytes(32), read_lines=read_lines, max_cards=settings.launcher.max_burst_cards
        )
    except (OddsSettingsError, OSError) as error:
        return [f"[odds] {error}"]
    return []


def _take_out_unknown(tables: dict[str, Any]) -> list[str]:
    """Tables and keys that there are none of; what is wrong with each."""
    known_tables = {table.name: getattr(Settings(), table.name) for table in fields(Settings)}
    mistakes: list[str] = []
    for name, table in list(tables.items()):
        if name not in known_tables:
            mistakes.append(f"[{cut(name)}] is not a table of the settings; {closest(name, list(known_tables))}")
        elif not isinstance(table, dict):
            mistakes.append(f"{name} = {shown(table)} must be a table: write [{name}] and keys below it")
        else:
            if is_dataclass(known_tables[name]):
                known = [key.name for key in fields(known_tables[name]) if key.name not in _DERIVED]
                for key in [key for key in table if key not in known]:
                    value = shown(table.pop(key))
                    mistakes.append(f"[{name}] {cut(key)} = {value}: no such key; {closest(key, known)}")
            continue
        del tables[name]
    return mistakes


def _take_out_unwired(pins: dict[str, Any]) -> None:
    """TOML has no word for nothing: a device that is not there is written ``exit = "none"``."""
    optional = {f.name for f in fields(GpioWiring) if f.type == "int | None"}
    for key in optional & pins.keys():
        if pins[key] == NOT_WIRED:
            pins[key] = None


def as_toml(settings: Settings) -> str:
    """The settings in force, as a file that would give the same; keys that are not set are shown as comments."""
    lines: list[str] = []
    for table in fields(Settings):
        value = getattr(settings, table.name)
        items = value.items() if isinstance(value, dict) else ((f.name, getattr(value, f.name)) for f in fields(value))
        lines.append(f"[{table.name}]")
        for key, item in items:
            if key not in _DERIVED:
                lines.append(_toml_line(table.name, key, item))
        lines.append("")
    return "\n".join(lines)


def _toml_line(table: str, key: str, item: Any) -> str:
    if item is None:
        return f'{key} = "{NOT_WIRED}"' if table == "pins" else f"# {key} is not set"
    return f"{key} = {_toml_value(item)}"


def _toml_value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml_value(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)
