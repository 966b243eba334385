"""The games, one folder each: rules, book, words and bot."""
