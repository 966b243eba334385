// Lid, button, exit sensor, motor, light.

#ifndef DISPENSER_PINS_H
#define DISPENSER_PINS_H

// Every output off, every input pulled up, interrupts on changes.
void pins_init(void);
// Hand the edges of the exit sensor to the core.
void pins_tell_edges(void);
// Let the serial line's start bit wake the chip, or let it sleep on.
void pins_listen_to_serial(void);
void pins_ignore_serial(void);

#endif
