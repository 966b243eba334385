// The supply voltage, and the warning when the cells are nearly empty.

#ifndef DISPENSER_CELLS_H
#define DISPENSER_CELLS_H

#include <stdbool.h>
#include <stdint.h>

void cells_init(void);
// Measure at the next poll, and warn by a chime if the cells are low and nobody else sees to it.
void cells_check(void);
// Millivolts as last measured, 0 before the first time.
uint16_t cells_mv(void);
// hosted: measure from time to time, for a host may want to show it. quiet: nothing is under way that a warning would
// disturb.
void cells_poll(bool hosted, bool quiet, uint32_t now_us);
uint32_t cells_due(uint32_t now_us);

#endif
