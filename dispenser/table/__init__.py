"""The table: people, matches, whose press it is, what each phone shows, what bots do.

Pure: events in, what to do out. No input, no output, no clock, no thread; chance comes from whoever asks.
"""
