// The serial line: interrupts and two buffers.

#ifndef DISPENSER_SERIAL_H
#define DISPENSER_SERIAL_H

#include <stdbool.h>
#include <stdint.h>

void serial_init(void);
// Take the oldest byte that has come. Returns whether there was one.
bool serial_take(uint8_t *byte);

#endif
