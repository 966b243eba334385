#include "clock.h"

#include <avr/interrupt.h>
#include <util/atomic.h>

#include "board.h"
#include "port.h"

#define PRESCALER_64 (_BV(CS11) | _BV(CS10))
#if F_CPU == 16000000UL
#define TICK_SHIFT 2 // a tick is 4 us
#else
#define TICK_SHIFT 3 // a tick is 8 us
#endif
#define LONGEST_ALARM_US 50000UL // well within the watchdog's 120 ms
#define SHORTEST_ALARM_TICKS 4   // nearer, and the counter may have passed by before the alarm is set

static volatile uint8_t overflows; // modulo 256; whoever reads the clock, some times a second, keeps the rest

ISR(TIMER1_OVF_vect) {
    overflows++;
}

// A note in one instruction: nothing to save, so nothing that would keep the lid's interrupt waiting.
ISR(TIMER1_COMPA_vect, ISR_NAKED) {
    __asm__ volatile("sbi %0, %1 \n\t reti" ::"I"(_SFR_IO_ADDR(NOTES)), "I"(NOTE_WORK));
}

void clock_init(void) {
    TCCR1B = PRESCALER_64;
    TIMSK1 = _BV(TOIE1) | _BV(OCIE1A);
}

// Both halves of a timer's register share one hidden byte with every interrupt that reads it, so interrupts are off for
// those few instructions, and no longer: the lid must not wait.
static uint32_t ticks_now(void) {
    static uint16_t high;
    uint16_t low;
    uint8_t counted;
    uint8_t waiting;
    ATOMIC_BLOCK(ATOMIC_FORCEON) {
        low = TCNT1;
        waiting = TIFR1;
        counted = overflows;
    }
    if ((waiting & _BV(TOV1)) && low < 0x8000) { // an overflow before that reading, which other interrupts keep waiting
        counted++;
    }
    high += (uint8_t)(counted - (uint8_t)high);
    return ((uint32_t)high << 16) | low;
}

uint32_t port_now_us(void) {
    return ticks_now() << TICK_SHIFT;
}

uint32_t clock_time_of(uint16_t ticks) {
    uint32_t now = ticks_now();
    return (now - (uint16_t)((uint16_t)now - ticks)) << TICK_SHIFT;
}

void clock_alarm(uint32_t now_us, uint32_t in_us) {
    uint16_t at = (uint16_t)((now_us + (in_us < LONGEST_ALARM_US ? in_us : LONGEST_ALARM_US)) >> TICK_SHIFT);
    uint16_t soonest = (uint16_t)ticks_now() + SHORTEST_ALARM_TICKS;
    if ((int16_t)(at - soonest) < 0) {
        at = soonest;
    }
    ATOMIC_BLOCK(ATOMIC_FORCEON) {
        OCR1A = at;
    }
}
