"""The games, a folder each: its rules, its book, its words and its bot's judgement."""
