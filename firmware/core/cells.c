#include "cells.h"

#include "melodies.h"
#include "motor.h"
#include "port.h"
#include "signals.h"
#include "timing.h"

#define LOW_MV 3300u                 // three alkaline cells at 1.1 V each: little is left in them (assumed)
#define LOOK_US UINT32_C(4000)       // how often a measurement under way is looked at
#define WAIT_US UINT32_C(50000)      // how often a warning looks whether the chime before it is over
#define PERIOD_US UINT32_C(2000000)  // from one measurement to the next, with a host

enum step {
    IDLE,
    WANTED,    // measure when the time has come
    MEASURING, // look whether it is done
    LOW,       // warn when it interrupts nothing
};

static enum step step;
static uint32_t next_us;
static bool at_once;
static uint16_t millivolts;

void cells_init(void) {
    step = IDLE;
    at_once = false;
    millivolts = 0;
}

void cells_check(void) {
    step = WANTED;
    at_once = true;
}

uint16_t cells_mv(void) {
    return millivolts;
}

static void measure(uint32_t now_us) {
    if (motor_is_on()) { // it pulls the voltage down
        next_us = now_us + PERIOD_US;
        return;
    }
    port_cell_measure();
    step = MEASURING;
    next_us = now_us + LOOK_US;
}

static void look(bool hosted, uint32_t now_us) {
    if (motor_is_on()) { // it has started meanwhile
        step = WANTED;
        next_us = now_us + PERIOD_US;
        return;
    }
    uint16_t measured_mv = port_cell_mv();
    if (measured_mv == 0) {
        next_us = now_us + LOOK_US;
        return;
    }
    millivolts = measured_mv;
    step = !hosted && millivolts < LOW_MV ? LOW : IDLE;
    next_us = now_us;
}

static void warn(bool quiet, uint32_t now_us) {
    if (!quiet) { // the end of a burst, or a lid that is shut, asks again
        step = IDLE;
    } else if (signals_playing()) {
        next_us = now_us + WAIT_US;
    } else {
        step = IDLE;
        signals_play(CHIME_LOW_CELLS, now_us);
    }
}

void cells_poll(bool hosted, bool quiet, uint32_t now_us) {
    if (step == IDLE && hosted) {
        step = WANTED;
        next_us = now_us + PERIOD_US;
    }
    if (step == IDLE || (!at_once && !time_reached(now_us, next_us))) {
        return;
    }
    at_once = false;
    switch (step) {
    case WANTED:
        measure(now_us);
        break;
    case MEASURING:
        look(hosted, now_us);
        break;
    default:
        warn(quiet, now_us);
        break;
    }
}

uint32_t cells_due(uint32_t now_us) {
    if (step == IDLE) {
        return NOTHING_DUE;
    }
    return at_once ? 0 : time_until(now_us, next_us);
}
