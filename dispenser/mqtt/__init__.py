"""Publish the launcher to an MQTT broker and Home Assistant, and carry out commands from there."""
