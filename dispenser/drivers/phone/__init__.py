"""The driver without a launcher: a phone says how many cards to take."""
