"""Uno vache."""
