#include "motor.h"

#include "timing.h"
#include "wire_messages.h"

// The guard waits longer than the longest run, so that it acts only when the run has missed its own limit.
#define GUARD_US ((WIRE_MAX_MOTOR_RUN_MS + 250) * US_PER_MS)

static bool on;
static uint32_t on_since_us;
static uint8_t latches;

// What is kept through a reset: the locks, and that the motor runs.
#define RUNS 0x80u

static void keep(void) {
    port_keep(latches | (on ? RUNS : 0u));
}

void motor_init(uint8_t reset_cause) {
    uint8_t kept = reset_cause == WIRE_RESET_CAUSE_POWER_ON ? 0 : port_kept();
    latches = kept & (WIRE_LATCH_WATCHDOG | WIRE_LATCH_MOTOR_GUARD);
    if (reset_cause == WIRE_RESET_CAUSE_WATCHDOG || (reset_cause == WIRE_RESET_CAUSE_UNKNOWN && (kept & RUNS))) {
        latches |= WIRE_LATCH_WATCHDOG;
    }
    motor_off();
}

bool motor_turn(enum port_direction direction, uint8_t duty, uint32_t now_us) {
    motor_off();
    if (latches != 0) {
        return false;
    }
    port_motor_drive(direction, duty);
    on_since_us = now_us;
    on = true;
    keep();
    if (!port_motor_enable()) {
        motor_off();
    }
    return on;
}

bool motor_brake(void) {
    if (!(port_capabilities() & WIRE_CAPABILITY_RETRACT)) {
        return false;
    }
    on = false;
    port_motor_brake();
    return true;
}

void motor_off(void) {
    port_motor_off();
    on = false;
    keep();
}

bool motor_is_on(void) {
    return on;
}

void motor_latch(uint8_t reason) {
    latches |= reason;
    motor_off();
}

void motor_unlatch(uint8_t reasons) {
    latches &= (uint8_t)~reasons;
    keep();
}

uint8_t motor_latches(void) {
    return latches;
}

bool motor_guard(uint32_t now_us) {
    if (!on || now_us - on_since_us < GUARD_US) {
        return false;
    }
    motor_latch(WIRE_LATCH_MOTOR_GUARD);
    return true;
}
