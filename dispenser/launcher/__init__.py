"""The launcher's state machine: events in, actions and events out. No I/O, no clock, no threads."""
