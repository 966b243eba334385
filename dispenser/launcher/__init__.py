"""The toy's brain: events in, commands out. No I/O, no clock, no threads."""
