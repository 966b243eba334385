"""How commands reach metal."""
