// The serial line: interrupts and two buffers.

#ifndef DISPENSER_SERIAL_H
#define DISPENSER_SERIAL_H

#include <stdbool.h>

void serial_init(void);
// Hand the bytes that have come to the core. Returns whether there were any.
bool serial_tell_bytes(void);

#endif
