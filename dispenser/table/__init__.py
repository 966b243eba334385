"""The table: people, matches, whose press it is, what each phone shows, what bots do.

Pure: no input, no output, no clock, no thread; callers pass the source of chance.
"""
