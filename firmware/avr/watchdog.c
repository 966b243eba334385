#include "watchdog.h"

#include <avr/interrupt.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/atomic.h>

#include "board.h"
#include "port.h"

// The watchdog runs on an oscillator of its own, a resistor and a capacitor on the chip, whose period trembles with
// thermal noise. Timer 0 counts the crystal's cycles, 256 in 16 us; where it stands when the watchdog ticks, after
// 16 ms, is noise: a tremble of 0.1 % spreads over the whole count. 4 bits of each byte are counted on.
static volatile uint8_t noise;

ISR(WDT_vect) {
    noise = TCNT0;
    NOTES |= _BV(NOTE_TICK) | _BV(NOTE_WORK);
}

// The chip takes a change only within four cycles of its announcement.
static void set(uint8_t mode) {
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        wdt_reset();
        WDTCSR = _BV(WDCE) | _BV(WDE);
        WDTCSR = mode;
        wdt_reset(); // the new time begins now
    }
}

void watchdog_guard(void) {
    set(_BV(WDE) | WDTO_120MS);
}

void watchdog_tick_slowly(void) {
    set(_BV(WDIE) | _BV(WDP3) | _BV(WDP0));
}

uint8_t port_entropy_byte(void) {
    NOTES &= (uint8_t)~_BV(NOTE_TICK);
    set(_BV(WDIE) | WDTO_15MS);
    while (!(NOTES & _BV(NOTE_TICK))) { // the motor is off; an interrupt between this look and the sleep costs a tick
        set_sleep_mode(SLEEP_MODE_IDLE);
        sleep_mode();
    }
    return noise;
}
