#include "events.h"

#include "timing.h"

static struct event waiting[EVENTS_ROOM];
static uint8_t first;
static uint8_t count;

void events_forget(void) {
    count = 0;
}

void events_add(enum event_kind kind, uint32_t at_us) {
    if (count < EVENTS_ROOM) {
        waiting[(uint8_t)(first + count) % EVENTS_ROOM] = (struct event){(uint8_t)kind, at_us};
        count++;
    }
}

bool events_take(struct event *event) {
    if (count == 0) {
        return false;
    }
    *event = waiting[first];
    first = (uint8_t)(first + 1) % EVENTS_ROOM;
    count--;
    return true;
}

uint32_t events_due(void) {
    return count > 0 ? 0 : NOTHING_DUE;
}
