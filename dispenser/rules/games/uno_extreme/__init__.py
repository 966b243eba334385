"""Uno Extrême, where a launcher is the draw pile."""
