"""Home Assistant beside a simulated launcher and Mosquitto."""
