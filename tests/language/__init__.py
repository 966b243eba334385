"""What keeps English and French together: run ``python -m tests.language`` after changing a text."""
