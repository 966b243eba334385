#include "events.h"

#include <stdint.h>

// A step raises at most one event of each kind, and the brain takes them before the next step.
#define ROOM 8u

static uint8_t waiting[ROOM];
static uint8_t first;
static uint8_t count;

void events_forget(void) {
    count = 0;
}

void events_add(enum event event) {
    if (count < ROOM) {
        waiting[(uint8_t)(first + count) % ROOM] = (uint8_t)event;
        count++;
    }
}

enum event events_take(void) {
    if (count == 0) {
        return EVENT_NONE;
    }
    enum event event = (enum event)waiting[first];
    first = (uint8_t)(first + 1) % ROOM;
    count--;
    return event;
}
