"""The table: who sits there, whose push of the launcher it is, who may speak up, what bots notice.

Pure: events in, what to do out. No input, no output, no clock, no thread; chance comes from whoever asks.
"""
