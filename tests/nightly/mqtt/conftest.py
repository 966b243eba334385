"""Brokers as in the gating tier."""

from tests.mqtt.conftest import make_broker

__all__ = ["make_broker"]
