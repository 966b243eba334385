// The motor and what locks it: the one place of the core that drives it.

#ifndef DISPENSER_MOTOR_H
#define DISPENSER_MOTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "port.h"

// Locks that were set before a reset hold, except after power-on; and a reset that the watchdog made, or may have made in
// the middle of a run, locks: the program has hung.
void motor_init(uint8_t reset_cause);
// Start; returns false, motor off, when a latch is set or the lid is up or has just risen.
bool motor_turn(enum port_direction direction, uint8_t duty, uint32_t now_us);
// Short the motor through the bridge; returns false, and does nothing, where there is no bridge.
bool motor_brake(void);
void motor_off(void);
// Driven forward or backward; not while it brakes or coasts.
bool motor_is_on(void);

#define MOTOR_EVERY_LATCH 0xFFu
// Lock the motor for a reason (WIRE_LATCH_...), which turns it off, and unlock it for some.
void motor_latch(uint8_t reason);
void motor_unlatch(uint8_t reasons);
uint8_t motor_latches(void);

// The last net: a motor that outlives the longest run anybody may ask for is turned off and locked. Returns whether it
// was. Whoever ends runs (run.c) should never let it come to that.
bool motor_guard(uint32_t now_us);

#endif
