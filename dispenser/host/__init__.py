"""What concerns this computer."""
