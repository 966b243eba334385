#include "run.h"

#include "lines.h"
#include "motor.h"
#include "timing.h"
#include "wire_messages.h"

enum phase { RESTING, TURNING, BRAKING, COASTING };

static enum phase phase;
static struct run_report report;
static uint8_t cause;     // why the motor was stopped; reported when it has coasted down
static uint8_t wanted;    // cards
static uint32_t stall_us; // of this feed
static uint32_t limit_at_us;
static uint32_t stall_at_us;
static uint32_t phase_ends_us; // of BRAKING and COASTING

void run_init(void) {
    run_forget();
}

void run_forget(void) {
    motor_off();
    phase = RESTING;
    report = (struct run_report){.kind = WIRE_RUN_KIND_NONE};
}

const struct run_report *run_look(void) {
    return &report;
}

static bool feeding(void) {
    return phase != RESTING && report.kind == WIRE_RUN_KIND_FEED;
}

static void end(uint8_t why, uint32_t now_us) {
    phase = RESTING;
    report.end = why;
    report.exit_blocked = lines_exit_blocked();
    events_add(EVENT_RUN_ENDED, now_us);
}

static void begin(uint8_t number, uint8_t kind, enum port_direction direction, uint8_t duty, uint32_t now_us) {
    run_forget();
    report.number = number;
    report.kind = kind;
    lines_look(now_us); // what is known must be heard before the motor starts
    if (lines_lid_unsafe()) {
        end(WIRE_FEED_END_LID, now_us);
    } else if (motor_turn(direction, duty, now_us)) {
        phase = TURNING;
    } else {
        end(motor_latches() != 0 ? WIRE_FEED_END_STOPPED : WIRE_FEED_END_LID, now_us);
    }
}

void run_feed(const struct feed *feed, uint32_t now_us) {
    wanted = feed->cards;
    stall_us = feed->stall_ms * US_PER_MS;
    limit_at_us = now_us + feed->timeout_ms * US_PER_MS;
    stall_at_us = now_us + stall_us;
    begin(feed->number, WIRE_RUN_KIND_FEED, PORT_FORWARD, feed->duty, now_us);
}

void run_retract(const struct retract *retract, uint32_t now_us) {
    limit_at_us = now_us + retract->duration_ms * US_PER_MS;
    stall_at_us = limit_at_us;
    begin(retract->number, WIRE_RUN_KIND_RETRACT, PORT_BACKWARD, retract->duty, now_us);
}

static void coast(uint32_t from_us) {
    motor_off();
    phase = COASTING;
    phase_ends_us = from_us + COAST_US;
}

// The first cause stands. A motor that only coasts pushes the next card into the exit, so after the last card wanted it
// is braked.
static void halt(uint8_t why, uint32_t now_us) {
    if (phase != TURNING) {
        return;
    }
    cause = why;
    if (why == WIRE_FEED_END_COUNT && motor_brake()) {
        phase = BRAKING;
        phase_ends_us = now_us + BRAKE_US;
    } else {
        coast(now_us);
    }
}

void run_stop(uint32_t now_us) {
    motor_off();
    halt(WIRE_FEED_END_STOPPED, now_us);
}

// An edge counts from when it came, which may be a moment before the feed began: that brings nothing nearer.
static void put_off_stall(uint32_t at_us) {
    if (feeding() && time_reached(at_us + stall_us, stall_at_us)) {
        stall_at_us = at_us + stall_us;
    }
}

static void count_card(uint32_t now_us) {
    if (feeding() && ++report.cards >= wanted) {
        halt(WIRE_FEED_END_COUNT, now_us);
    }
}

void run_hear(const struct event *event, uint32_t now_us) {
    switch (event->kind) {
    case EVENT_LID_OPENED:
        motor_off();
        halt(WIRE_FEED_END_LID, now_us);
        break;
    case EVENT_EXIT_BLOCKED:
        put_off_stall(event->at_us);
        break;
    case EVENT_EXIT_CLEARED:
        put_off_stall(event->at_us);
        count_card(now_us);
        break;
    default:
        break;
    }
}

static void look_at_limits(uint32_t now_us) {
    bool over = time_reached(now_us, limit_at_us);
    if (!over && !time_reached(now_us, stall_at_us)) {
        return;
    }
    if (report.kind == WIRE_RUN_KIND_RETRACT || !(port_capabilities() & WIRE_CAPABILITY_EXIT_SENSOR)) {
        halt(WIRE_FEED_END_TIMED, now_us);
    } else {
        halt(over ? WIRE_FEED_END_TIMEOUT : WIRE_FEED_END_STALL, now_us);
    }
}

void run_poll(uint32_t now_us) {
    if (motor_guard(now_us)) {
        halt(WIRE_FEED_END_STOPPED, now_us);
    }
    if (phase == TURNING) {
        look_at_limits(now_us);
    }
    if (phase == BRAKING && time_reached(now_us, phase_ends_us)) {
        coast(phase_ends_us);
    }
    if (phase == COASTING && time_reached(now_us, phase_ends_us)) {
        end(cause, now_us);
    }
}

uint32_t run_due(uint32_t now_us) {
    switch (phase) {
    case TURNING:
        return sooner(time_until(now_us, limit_at_us), time_until(now_us, stall_at_us));
    case BRAKING:
    case COASTING:
        return time_until(now_us, phase_ends_us);
    default:
        return NOTHING_DUE;
    }
}
