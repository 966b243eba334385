"""``dispenser mqtt``: print what the launcher publishes, without a broker."""

from __future__ import annotations

import asyncio
import json

import typer

from dispenser.cli.help_pages import Commands
from dispenser.cli.options import ConfigOption
from dispenser.cli.settings import load_settings
from dispenser.service.settings import Settings

mqtt_app = Commands(no_args_is_help=True)


@mqtt_app.callback()
def _mqtt() -> None:
    """Example: dispenser mqtt preview"""


@mqtt_app.command()
def preview(config: ConfigOption = None) -> None:
    """Show each topic with what would be published there, of a simulated launcher, without a broker.

    Example: dispenser mqtt preview
    """
    asyncio.run(_preview(load_settings(config)))


async def _preview(settings: Settings) -> None:
    from dispenser.launcher.commands import Press
    from dispenser.mqtt.discovery import messages
    from dispenser.mqtt.outbox import as_message
    from dispenser.mqtt.state import burst_event, state_of
    from dispenser.mqtt.topics import ONLINE, Topics
    from dispenser.service.assembly import simulated_launcher

    topics = Topics(f"{settings.mqtt.topic}/ID")
    async with simulated_launcher() as service:
        ended = await service.outcome(await service.handle(Press()))
        name, details = burst_event(ended)
        published = [
            (topics.status, ONLINE.decode()),
            (topics.state, state_of(service, settings.mqtt.language)),
            (topics.journal, as_message(service.journal.id, ended)),
            (topics.event(name), {"event_type": name, **details}),
        ]
    published += [(topic, json.loads(text)) for topic, text in messages(settings.mqtt, "ID", topics, "") if text]
    for topic, value in published:
        typer.echo(topic)
        typer.echo(f"  {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=vars)}")
