#include "core.h"

#include "brain.h"
#include "cells.h"
#include "choosing.h"
#include "events.h"
#include "frame.h"
#include "lines.h"
#include "motor.h"
#include "port.h"
#include "random.h"
#include "report.h"
#include "run.h"
#include "session.h"
#include "signals.h"
#include "timing.h"
#include "wire_messages.h"

// Let those who live above hear what has happened below. With a host the brain is off; there the counters that STATE
// carries tell. What they do about it may raise events in turn: those that are too many wait for the next poll.
static void hear_events(uint32_t now_us) {
    struct event event;
    for (uint8_t heard = 0; heard < EVENTS_ROOM && events_take(&event); heard++) {
        run_hear(&event, now_us);
        brain_hear(&event, now_us);
    }
}

void core_init(uint8_t reset_cause) {
    motor_init(reset_cause);
    signals_init();
    events_forget();
    frame_forget();
    session_init();
    brain_init();
    cells_init();
    random_begin();
    choosing_recall();
    uint32_t now_us = port_now_us();
    lines_init(now_us);
    run_init();
    report_init(reset_cause, now_us);
    choosing_begin(reset_cause, now_us);
    if (!choosing_is_on()) {
        brain_switch_on(now_us);
    }
}

static void begin_to_play(uint32_t now_us) {
    if (brain_is_off() && !session_is_on() && !choosing_is_on()) {
        brain_switch_on(now_us);
    }
}

static uint32_t soonest(uint32_t now_us) {
    uint32_t due_us = sooner(events_due(), lines_due(now_us));
    due_us = sooner(due_us, run_due(now_us));
    due_us = sooner(due_us, signals_due(now_us));
    due_us = sooner(due_us, brain_due(now_us));
    due_us = sooner(due_us, choosing_due(now_us));
    due_us = sooner(due_us, cells_due(now_us));
    due_us = sooner(due_us, session_due(now_us));
    due_us = sooner(due_us, report_due(now_us));
    return due_us > 0 ? due_us : 1;
}

uint32_t core_poll(uint32_t now_us) {
    lines_look(now_us);
    lines_settle(now_us);
    hear_events(now_us);
    run_poll(now_us);
    hear_events(now_us);
    session_poll(now_us);
    choosing_poll(now_us);
    begin_to_play(now_us);
    brain_poll(now_us);
    hear_events(now_us);
    signals_poll(now_us);
    cells_poll(session_is_on(), brain_is_quiet(), now_us);
    report_poll(session_is_on(), now_us);
    return soonest(now_us);
}

void core_exit_edge(bool blocked, uint32_t at_us) {
    lines_exit_edge(blocked, at_us);
    hear_events(port_now_us());
}

void core_receive(uint8_t byte) {
    struct frame frame;
    if (frame_take(byte, &frame)) {
        uint32_t now_us = port_now_us();
        session_take(&frame, now_us);
        hear_events(now_us);
    }
}
