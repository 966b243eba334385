// What has happened at the lines and to the motor's run, in order, for whoever lives above them: the run, then the brain.
// An event waits here until the step that raised it is over, so that nobody is called from below, and the brain never
// hears of a run's end while it is still starting that run.

#ifndef DISPENSER_EVENTS_H
#define DISPENSER_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

// A step raises at most one event of each kind, and all are heard before the next step.
#define EVENTS_ROOM 8u

enum event_kind {
    EVENT_PRESS,
    EVENT_LID_OPENED,
    EVENT_LID_CLOSED,
    EVENT_EXIT_FLICKERED, // an edge that does not count yet, and may never
    EVENT_EXIT_BLOCKED,
    EVENT_EXIT_CLEARED,
    EVENT_RUN_ENDED, // run_look() tells how
};

struct event {
    uint8_t kind;   // enum event_kind
    uint32_t at_us; // first edge of the change, or when the run was over
};

void events_forget(void);
void events_add(enum event_kind kind, uint32_t at_us);
// Take the oldest one; returns whether there was one.
bool events_take(struct event *event);
// 0 while one waits.
uint32_t events_due(void);

#endif
