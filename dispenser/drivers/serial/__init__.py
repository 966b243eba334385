"""The driver for a microcontroller on a serial line, and the frames of that line."""
