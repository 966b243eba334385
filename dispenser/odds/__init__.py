"""Chance that can be checked: odds and their policies, presets and recordings, commit and reveal, what to expect."""
