// The closed loop of a motor run: until the cards are out, or something ends it. As dispenser/drivers/feeding.py.

#ifndef DISPENSER_RUN_H
#define DISPENSER_RUN_H

#include <stdbool.h>
#include <stdint.h>

struct feed {
    uint8_t cards;
    uint16_t timeout_ms; // longest motor run
    uint16_t stall_ms;   // longest time without an edge of the exit sensor
    uint8_t duty;
};

struct retract {
    uint16_t duration_ms;
    uint8_t duty;
};

// The last run. `end` is 0 until the motor is off and has coasted down; EVENT_RUN_ENDED tells when.
struct run_report {
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

// What the lines tell. Times are those of the edges.
void run_lid_opened(uint32_t now_us);
void run_exit_blocked(uint32_t at_us);
void run_exit_cleared(uint32_t at_us);
// Motor off if that was the last card wanted; asked after whoever listens has heard of the card.
void run_count_reached(uint32_t now_us);

// Do what is due, and tell when to ask again.
void run_poll(uint32_t now_us);
uint32_t run_due(uint32_t now_us);

#endif
