// The closed loop of a motor run: until the cards are out, or something ends it. As dispenser/drivers/gpio/run.py.

#ifndef DISPENSER_RUN_H
#define DISPENSER_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "events.h"

struct feed {
    uint8_t number; // the host's; 0 for a run of the brain's own
    uint8_t cards;
    uint16_t timeout_ms; // longest motor run
    uint16_t blind_ms;   // longest time with a clear exit, before the first card and between two
    uint16_t stall_ms;   // longest time without an edge of the exit sensor while something darkens it
    uint8_t duty;
};

struct retract {
    uint8_t number;
    uint16_t duration_ms;
    uint8_t duty;
};

// The last run. `end` is 0 until the motor is off and has coasted down; EVENT_RUN_ENDED tells when.
struct run_report {
    uint8_t number;
    uint8_t kind;      // WIRE_RUN_KIND_...
    uint8_t end;       // WIRE_FEED_END_..., or 0
    uint8_t cards;     // seen since it began
    bool exit_blocked; // at its end
};

void run_init(void);
// Motor on. A run that is still under way is forgotten, unreported. A run that may not begin ends at once.
void run_feed(const struct feed *feed, uint32_t now_us);
void run_retract(const struct retract *retract, uint32_t now_us);
// Motor off; a run under way ends, once it has coasted down, with the cause `stopped`.
void run_stop(uint32_t now_us);
// Motor off, and no run has ever been.
void run_forget(void);
const struct run_report *run_look(void);

// What the lines tell: the lid ends a run, and so does the last card wanted.
void run_hear(const struct event *event, uint32_t now_us);

// Do what is due, and tell when to ask again.
void run_poll(uint32_t now_us);
uint32_t run_due(uint32_t now_us);

#endif
