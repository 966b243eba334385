"""Drivers: how the launcher's commands reach the hardware."""
