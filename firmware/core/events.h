// What the lines and the motor's runs have to tell the brain, in order. An event waits here until the step that raised
// it is over, so that the brain never hears of a run's end while it is still starting that run.

#ifndef DISPENSER_EVENTS_H
#define DISPENSER_EVENTS_H

enum event {
    EVENT_NONE,
    EVENT_PRESS,
    EVENT_LID_OPENED,
    EVENT_LID_CLOSED,
    EVENT_EXIT_BLOCKED,
    EVENT_EXIT_CLEARED,
    EVENT_RUN_ENDED, // run_look() tells how
};

void events_forget(void);
void events_add(enum event event);
// The oldest one, or EVENT_NONE.
enum event events_take(void);

#endif
