#include "debounce.h"

#include "timing.h"

void debounce_begin(struct debouncer *filter, bool level, uint16_t settle_us) {
    *filter = (struct debouncer){.settle_us = settle_us, .level = level, .raw = level};
}

bool debounce_edge(struct debouncer *filter, bool raw, uint32_t at_us) {
    filter->raw = raw;
    if (raw == filter->level) {
        filter->waiting = false;
        return false;
    }
    if (!filter->waiting) {
        filter->changed_at_us = at_us;
    }
    filter->waiting = true;
    filter->due_us = at_us + filter->settle_us;
    return filter->settle_us == 0 && debounce_settle(filter, at_us);
}

bool debounce_settle(struct debouncer *filter, uint32_t now_us) {
    if (!filter->waiting || !time_reached(now_us, filter->due_us)) {
        return false;
    }
    filter->waiting = false;
    filter->level = filter->raw;
    return true;
}

uint32_t debounce_due(const struct debouncer *filter, uint32_t now_us) {
    return filter->waiting ? time_until(now_us, filter->due_us) : NOTHING_DUE;
}
