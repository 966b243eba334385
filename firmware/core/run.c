#include "run.h"

#include "lines.h"
#include "motor.h"
#include "timing.h"
#include "wire_messages.h"

enum phase { RESTING, TURNING, BRAKING, COASTING };

static enum phase phase;
static struct run_report report;
static enum port_direction direction;
static uint8_t duty;
static uint8_t cause;  // why the motor was stopped; reported when it has coasted down
static uint8_t wanted; // cards
static bool seen;      // the exit sensor has shown an edge
static bool assumed;   // braked for a last card whose end may still turn out to be a flicker
static uint32_t blind_us;
static uint32_t stall_us;
static uint32_t begun_us;
static uint32_t limit_at_us;
static uint32_t last_sign_us;  // the begin, or the last change at the exit that counts
static uint32_t phase_ends_us; // of BRAKING and COASTING

void run_init(void) {
    run_forget();
}

void run_forget(void) {
    motor_off();
    phase = RESTING;
    assumed = false;
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

static void begin(uint8_t number, uint8_t kind, uint32_t now_us) {
    run_forget();
    report.number = number;
    report.kind = kind;
    seen = false;
    begun_us = last_sign_us = now_us;
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
    direction = PORT_FORWARD;
    duty = feed->duty;
    wanted = feed->cards;
    blind_us = feed->blind_ms * US_PER_MS;
    stall_us = feed->stall_ms * US_PER_MS;
    limit_at_us = now_us + feed->timeout_ms * US_PER_MS;
    begin(feed->number, WIRE_RUN_KIND_FEED, now_us);
}

void run_retract(const struct retract *retract, uint32_t now_us) {
    direction = PORT_BACKWARD;
    duty = retract->duty;
    limit_at_us = now_us + retract->duration_ms * US_PER_MS;
    begin(retract->number, WIRE_RUN_KIND_RETRACT, now_us);
}

// --- what ends it ---

static void coast(uint32_t from_us) {
    motor_off();
    phase = COASTING;
    phase_ends_us = from_us + COAST_US;
}

// The first cause stands, but an assumed one is no cause yet.
static void halt(uint8_t why, uint32_t now_us) {
    if (phase == TURNING || assumed) {
        assumed = false;
        cause = why;
        coast(now_us);
    }
}

// A motor that only coasts pushes the next card into the exit, so after the last card wanted it is braked.
static void brake(uint32_t now_us) {
    cause = WIRE_FEED_END_COUNT;
    if (motor_brake()) {
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

// --- the exit ---

// An edge that may yet turn out to be a flicker: the end of the last card brakes at once, and a flicker takes it back.
static void exit_flickered(uint32_t now_us) {
    if (!feeding()) {
        return;
    }
    if (assumed && !lines_exit_wavers()) {
        if (time_reached(now_us, limit_at_us)) {
            halt(WIRE_FEED_END_TIMEOUT, now_us);
            return;
        }
        assumed = false;
        phase = TURNING;
        if (!motor_turn(direction, duty, now_us)) {
            halt(motor_latches() != 0 ? WIRE_FEED_END_STOPPED : WIRE_FEED_END_LID, now_us);
        }
    } else if (phase == TURNING && lines_exit_blocked() && lines_exit_wavers() && report.cards + 1 >= wanted) {
        assumed = true;
        brake(now_us);
    }
}

static void exit_changed(bool blocked, uint32_t at_us, uint32_t now_us) {
    if (!feeding()) {
        return;
    }
    bool ours = time_reached(at_us, begun_us); // or it came a moment before the feed began
    seen = seen || ours;
    assumed = false;
    if (time_reached(at_us, last_sign_us)) {
        last_sign_us = at_us;
    }
    if (blocked || !ours) {
        return;
    }
    report.cards++;
    if (phase == TURNING && report.cards >= wanted) {
        brake(now_us);
    }
}

void run_hear(const struct event *event, uint32_t now_us) {
    switch (event->kind) {
    case EVENT_LID_OPENED:
        motor_off();
        halt(WIRE_FEED_END_LID, now_us);
        break;
    case EVENT_EXIT_FLICKERED:
        exit_flickered(now_us);
        break;
    case EVENT_EXIT_BLOCKED:
    case EVENT_EXIT_CLEARED:
        exit_changed(event->kind == EVENT_EXIT_BLOCKED, event->at_us, now_us);
        break;
    default:
        break;
    }
}

// --- time ---

static bool counts(void) {
    return report.kind == WIRE_RUN_KIND_FEED && (port_capabilities() & WIRE_CAPABILITY_EXIT_SENSOR);
}

// A level that may yet count gets the time to do so, and no more: a flicker must not last for ever.
static uint32_t patience_us(void) {
    return lines_exit_wavers() ? EXIT_SETTLE_US : 0;
}

// When a feed has seen nothing for too long: no card coming, or one standing in the exit.
static uint32_t quiet_at_us(void) {
    if (!counts()) {
        return limit_at_us;
    }
    return last_sign_us + (lines_exit_blocked() ? stall_us : blind_us) + patience_us();
}

static void look_at_limits(uint32_t now_us) {
    bool over = time_reached(now_us, limit_at_us);
    if (!over && !time_reached(now_us, quiet_at_us())) {
        return;
    }
    if (!counts()) {
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
    if (phase == COASTING && time_reached(now_us, phase_ends_us + patience_us())) {
        bool blind = cause == WIRE_FEED_END_STALL && !seen && !lines_exit_blocked(); // nor while it coasted
        end(blind ? WIRE_FEED_END_BLIND : cause, now_us);
    }
}

uint32_t run_due(uint32_t now_us) {
    switch (phase) {
    case TURNING:
        return sooner(time_until(now_us, limit_at_us), time_until(now_us, quiet_at_us()));
    case BRAKING:
        return time_until(now_us, phase_ends_us);
    case COASTING:
        return time_until(now_us, phase_ends_us + patience_us());
    default:
        return NOTHING_DUE;
    }
}
