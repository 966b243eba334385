// ATmega328P: the start, the loop, and sleep.

#include <avr/cpufunc.h>
#include <avr/interrupt.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "board.h"
#include "clock.h"
#include "core.h"
#include "pins.h"
#include "port.h"
#include "serial.h"
#include "sound.h"
#include "watchdog.h"
#include "wire_messages.h"

// A turn of the loop takes so many at most, so that nothing that comes fast keeps it from its limits and its watchdog.
#define MOST_EDGES 8u
#define MOST_BYTES 16u

#define STAY_AWAKE_US 3000000UL // after a pin or the line has woken us: a host that says HELLO must be heard

static uint8_t reset_flags __attribute__((section(".noinit")));

// Before main, before RAM is cleared: motor off, and the watchdog, which survives a reset, must not bite at once.
void start_safely(void) __attribute__((naked, used, section(".init3")));
void start_safely(void) {
    PORTD = 0;
    DDRD = _BV(MOTOR_ENABLE);
    reset_flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

// A boot loader may have taken the flags away: then nobody knows.
static uint8_t reset_cause(void) {
    if (reset_flags & _BV(PORF)) {
        return WIRE_RESET_CAUSE_POWER_ON;
    }
    if (reset_flags & _BV(WDRF)) {
        return WIRE_RESET_CAUSE_WATCHDOG;
    }
    if (reset_flags & _BV(BORF)) {
        return WIRE_RESET_CAUSE_BROWN_OUT;
    }
    return reset_flags & _BV(EXTRF) ? WIRE_RESET_CAUSE_EXTERNAL : WIRE_RESET_CAUSE_UNKNOWN;
}

// Sleep until an interrupt leaves a note; those that have seen to everything themselves leave none. The instruction
// after sei is executed before any interrupt, so none can slip in between the look at the notes and the sleep. One
// instruction is executed after each interrupt, too: were it cli, a lid that rose meanwhile would wait.
static void sleep_in(uint8_t mode) {
    set_sleep_mode(mode);
    sleep_enable();
    cli();
    while (!(NOTES & _BV(NOTE_WORK))) {
        sei();
        sleep_cpu();
        _NOP();
        cli();
    }
    sei();
    sleep_disable();
}

// Everything stops but the watchdog's tick; a changing pin wakes the chip within 1 ms. The motor is off.
static void sleep_deeply(void) {
    watchdog_tick_slowly();
    pins_listen_to_serial();
    sleep_in(SLEEP_MODE_PWR_DOWN);
    pins_ignore_serial();
    watchdog_guard();
}

static void rest(uint32_t now_us, uint32_t due_us, uint32_t quiet_us) {
    if (due_us == CORE_NOTHING_DUE && quiet_us > STAY_AWAKE_US && !sound_is_on()) {
        sleep_deeply();
    } else {
        clock_alarm(now_us, due_us);
        sleep_in(SLEEP_MODE_IDLE);
    }
}

static void take_edges(void) {
    bool blocked;
    uint32_t at_us;
    for (uint8_t taken = 0; taken < MOST_EDGES && pins_take_edge(&blocked, &at_us); taken++) {
        core_exit_edge(blocked, at_us);
    }
}

// Returns whether there were any.
static bool take_bytes(void) {
    uint8_t byte;
    uint8_t taken = 0;
    for (; taken < MOST_BYTES && serial_take(&byte); taken++) {
        core_receive(byte);
    }
    if (taken == MOST_BYTES) {
        NOTES |= _BV(NOTE_WORK); // more may be waiting
    }
    return taken > 0;
}

int main(void) {
    pins_init();
    clock_init();
    serial_init();
    ACSR = _BV(ACD); // the comparator and two buses are not used
    PRR = _BV(PRTWI) | _BV(PRSPI);
    sei();
    core_init(reset_cause());
    watchdog_guard();

    uint32_t busy_at_us = port_now_us();
    for (;;) {
        wdt_reset();
        NOTES &= (uint8_t)~_BV(NOTE_WORK);
        take_edges();
        bool heard = take_bytes();
        uint32_t now_us = port_now_us();
        if (heard || (NOTES & _BV(NOTE_PIN))) {
            NOTES &= (uint8_t)~_BV(NOTE_PIN);
            busy_at_us = now_us;
        }
        rest(now_us, core_poll(now_us), now_us - busy_at_us);
    }
}
