// Timer 1: the microsecond clock, and the alarm that ends a sleep. In deep sleep it stands still.

#ifndef DISPENSER_CLOCK_H
#define DISPENSER_CLOCK_H

#include <stdint.h>

void clock_init(void);
// The time of an interrupt that read TCNT1, at most 100 ms ago.
uint32_t clock_time_of(uint16_t ticks);
// Leave a note (NOTE_WORK) so many microseconds after now_us, which may be a while ago; in 50 ms at the latest.
void clock_alarm(uint32_t now_us, uint32_t in_us);

#endif
