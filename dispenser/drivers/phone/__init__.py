"""No launcher at all: phones stand in."""
