// The watchdog: resets a program that hangs, ticks during deep sleep, and is the noise source at the start.

#ifndef DISPENSER_WATCHDOG_H
#define DISPENSER_WATCHDOG_H

// From now on a program that does not feed it for 120 ms is reset.
void watchdog_guard(void);
// Tick (NOTE_TICK, NOTE_WORK) in 8 s instead of resetting.
void watchdog_tick_slowly(void);

#endif
