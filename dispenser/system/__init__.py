"""The computer that the launcher runs on: installation, systemd, doctor, backup, hotspot."""
