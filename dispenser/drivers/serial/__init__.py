"""The driver for a microcontroller on a serial line, and the frames that go over it."""
