// A contact bounces: only a level that has lasted counts. The filter of `DebouncedInput` in dispenser/drivers/gpio/inputs.py.

#ifndef DISPENSER_DEBOUNCE_H
#define DISPENSER_DEBOUNCE_H

#include <stdbool.h>
#include <stdint.h>

struct debouncer {
    uint32_t due_us;        // when the new level will have lasted, while waiting
    uint32_t changed_at_us; // first edge of the last change
    uint16_t settle_us;     // 0 lets every edge through at once
    bool level;             // what counts
    bool raw;               // what the line last was
    bool waiting;
};

void debounce_begin(struct debouncer *filter, bool level, uint16_t settle_us);
// Note a raw edge; returns whether a new level counts already (only with settle_us 0).
bool debounce_edge(struct debouncer *filter, bool raw, uint32_t at_us);
// Returns whether a new level has lasted long enough now; from then on it is the level.
bool debounce_settle(struct debouncer *filter, uint32_t now_us);
// Microseconds until debounce_settle() should be asked.
uint32_t debounce_due(const struct debouncer *filter, uint32_t now_us);

#endif
