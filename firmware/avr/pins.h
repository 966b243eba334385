// Lid, button, exit sensor, motor, light.

#ifndef DISPENSER_PINS_H
#define DISPENSER_PINS_H

#include <stdbool.h>
#include <stdint.h>

// Every output off, every input pulled up, interrupts on changes.
void pins_init(void);
// Take the oldest edge of the exit sensor that nobody has taken. Returns whether there was one.
bool pins_take_edge(bool *is_blocked, uint32_t *at_us);
// Let the serial line's start bit wake the chip, or let it sleep on.
void pins_listen_to_serial(void);
void pins_ignore_serial(void);

#endif
