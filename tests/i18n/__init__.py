"""What keeps English and French together: run ``python -m tests.i18n`` after changing a text."""
