// The launcher's brain for the time without a host: the machine of dispenser/launcher/machine.py and statechart.py,
// with its default settings, a button and a lid. What it leaves out has no way in here: requests for an exact number,
// counted stacks, suspected doubles, and the reset of a fault (switch off and on, or let a host send RESET_LATCH).

#ifndef DISPENSER_BRAIN_H
#define DISPENSER_BRAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "core.h"
#include "events.h"

void brain_init(void);
// Begin to play, with the levels as they are; in a fault if a latch locks the motor.
void brain_switch_on(uint32_t now_us);
// A host takes over: motor and light off, whatever was under way.
void brain_switch_off(uint32_t now_us);
bool brain_is_off(void);
// Nothing is under way, and a chime would disturb nobody.
bool brain_is_quiet(void);

void brain_hear(enum event event, uint32_t now_us);
void brain_poll(uint32_t now_us);
uint32_t brain_due(uint32_t now_us);

void brain_look(struct core_brain *brain);

#endif
