"""Huit américain."""
