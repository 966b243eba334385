// The launcher's brain for the time without a host: the machine of dispenser/launcher/machine.py and statechart.py,
// with its default settings, a button and a lid. What it leaves out has no way in here: requests for an exact number,
// counted stacks, suspected doubles, and the reset of a fault (switch off and on, or let a host send RESET_LATCH).

#ifndef DISPENSER_BRAIN_H
#define DISPENSER_BRAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "events.h"

void brain_init(void);
// Begin to play, with the levels as they are; in a fault if a latch locks the motor.
void brain_switch_on(uint32_t now_us);
// A host takes over: motor and light off, whatever was under way.
void brain_switch_off(uint32_t now_us);
bool brain_is_off(void);
// Nothing is under way, and a chime would disturb nobody.
bool brain_is_quiet(void);

void brain_hear(const struct event *event, uint32_t now_us);
void brain_poll(uint32_t now_us);
uint32_t brain_due(uint32_t now_us);

// For tests: the brain as dispenser/launcher/machine.py would tell it. States and causes are numbered as in the wire
// dictionary.
struct brain_view {
    uint8_t state;          // WIRE_LAUNCHER_STATE_...; off while a host is there
    bool lid_open;          // as the brain has heard
    bool exit_blocked;      // as the brain has heard
    bool burst;             // a press is being answered
    uint8_t planned;        // cards of that burst; 0 is a dud
    uint8_t delivered;      // cards of that burst that have left
    uint8_t tries;          // feeds spent on it
    bool light;             // a press would count
    uint8_t odds;           // 0 toy, 1 memoryless, 2 countdown
    uint8_t odds_state;     // of the fire policy, as in dispenser/odds/policies.py
    uint16_t presses;       // refused ones too
    uint16_t bursts_ended;  // as many as BurstEnded notices
    uint8_t last_end;       // WIRE_BURST_END_... of the last one
    uint8_t last_delivered; // and its cards, one sticking out included
};
void brain_look(struct brain_view *view);

#endif
