"""MQTT: tell a broker what the launcher does, carry out commands from there, and show all of it in Home Assistant."""
