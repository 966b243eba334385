"""A match at the terminal: ``dispenser rules play``."""
