#include "brain.h"

#include "cells.h"
#include "lines.h"
#include "motor.h"
#include "odds.h"
#include "port.h"
#include "random.h"
#include "run.h"
#include "signals.h"
#include "timing.h"
#include "wire_messages.h"

// MachineSettings of dispenser/launcher/settings.py, where each figure has its source.
#define MAX_TRIES 3u
#define DUTY 255u
#define FEED_BASE_MS 600u
#define FEED_CARD_MS 200u
#define BLIND_MS 120u
#define STALL_MS 250u
#define TIMED_BASE_MS 50u
#define TIMED_CARD_MS 57u
#define RETRACT_MS 150u

enum { GOES_ON = 0xFF }; // in place of a cause: nothing has cut the burst short

struct burst {
    bool open;       // a press is being answered
    uint8_t planned; // cards; 0 is a dud
    uint8_t delivered;
    uint8_t counted; // cards that had left when the present feed began
    bool seen;       // the exit sensor has told of something since the first feed
    bool retracting; // the present run is a retract: what clears the exit was pulled back in
    uint8_t tries;   // feeds spent on it
    uint8_t cause;   // something cut it short while the motor turned; the coast-down is awaited
};

static uint8_t state;
static struct burst burst;
static bool lid_open;
static bool exit_blocked;
static bool light;
static uint32_t drum_ends_us;
static uint16_t presses;
static uint16_t bursts_ended;
static uint8_t last_end;
static uint8_t last_delivered;

static bool can(uint8_t capability) {
    return (port_capabilities() & capability) != 0;
}

// --- states, light, the end of a burst ---

static bool ready_for_press(void) {
    return state == WIRE_LAUNCHER_STATE_READY && !burst.open && !exit_blocked;
}

static void show_light(void) {
    if (light != ready_for_press()) {
        light = !light;
        signals_light(light);
    }
}

static void enter(uint8_t new_state) {
    state = new_state;
    show_light();
}

static void end_burst(uint8_t cause) {
    if (!burst.open) {
        return;
    }
    last_end = burst.cause != GOES_ON ? burst.cause : cause;
    bool sticking_out = exit_blocked && burst.tries > 0 && last_end != WIRE_BURST_END_JAMMED;
    last_delivered = (uint8_t)(burst.delivered + sticking_out);
    burst = (struct burst){.open = false};
    bursts_ended++;
    show_light();
    cells_check();
}

static void end_cut_burst(void) {
    if (burst.open && burst.cause != GOES_ON) {
        end_burst(burst.cause);
    }
}

// While the motor coasts, cards may still leave and belong to the burst: it ends with the run.
static void cut_short(uint8_t cause) {
    if (!burst.open || burst.cause != GOES_ON) {
        return;
    }
    if (state == WIRE_LAUNCHER_STATE_FEEDING || state == WIRE_LAUNCHER_STATE_RETRACTING) {
        burst.cause = cause;
    } else {
        end_burst(cause);
    }
}

static void become_ready(uint32_t now_us) {
    enter(WIRE_LAUNCHER_STATE_READY);
    signals_play(WIRE_CHIME_LID_SHUT, now_us);
    cells_check();
}

static void fail(uint32_t now_us) {
    run_stop(now_us);
    cut_short(WIRE_BURST_END_FAULT);
    if (state != WIRE_LAUNCHER_STATE_FAULT) {
        enter(WIRE_LAUNCHER_STATE_FAULT);
        signals_play(WIRE_CHIME_FAULT, now_us);
    }
}

// --- motor runs ---

static void see_exit(bool blocked) {
    if (burst.open && burst.tries > 0 && (blocked || exit_blocked)) {
        burst.seen = true;
    }
    exit_blocked = blocked;
}

static void start_feed(uint32_t now_us) {
    burst.tries++;
    burst.retracting = false;
    burst.counted = burst.delivered;
    uint8_t cards = (uint8_t)(burst.planned - burst.delivered);
    bool counts = can(WIRE_CAPABILITY_EXIT_SENSOR);
    uint16_t base_ms = counts ? FEED_BASE_MS : TIMED_BASE_MS;
    uint16_t card_ms = counts ? FEED_CARD_MS : TIMED_CARD_MS;
    uint16_t timeout_ms = (uint16_t)(base_ms + cards * card_ms);
    enter(WIRE_LAUNCHER_STATE_FEEDING);
    run_feed(&(struct feed){0, cards, timeout_ms, BLIND_MS, STALL_MS, DUTY}, now_us);
}

static void start_retract(uint32_t now_us) {
    burst.retracting = true;
    enter(WIRE_LAUNCHER_STATE_RETRACTING);
    run_retract(&(struct retract){0, RETRACT_MS, DUTY}, now_us);
}

static void complete(void) {
    end_burst(can(WIRE_CAPABILITY_EXIT_SENSOR) ? WIRE_BURST_END_COMPLETE : WIRE_BURST_END_TIMED);
    enter(WIRE_LAUNCHER_STATE_READY);
}

static void give_up(uint8_t cause, uint8_t chime, uint8_t new_state, uint32_t now_us) {
    end_burst(cause);
    signals_play(chime, now_us);
    enter(new_state);
}

static void end_empty(uint32_t now_us) {
    give_up(WIRE_BURST_END_EMPTY, WIRE_CHIME_EMPTY, WIRE_LAUNCHER_STATE_EMPTY, now_us);
}

static void end_jammed(uint32_t now_us) {
    give_up(WIRE_BURST_END_JAMMED, WIRE_CHIME_JAMMED, WIRE_LAUNCHER_STATE_JAMMED, now_us);
}

// To feed again would be to feed blindly. Cards seen before, and no more: those were the last.
static void saw_nothing(uint32_t now_us) {
    if (burst.seen) {
        end_empty(now_us);
    } else {
        give_up(WIRE_BURST_END_BLIND, WIRE_CHIME_FAULT, WIRE_LAUNCHER_STATE_BLIND, now_us);
    }
}

static void fell_short(uint32_t now_us) {
    bool tries_left = burst.tries < MAX_TRIES;
    if (tries_left && can(WIRE_CAPABILITY_RETRACT)) {
        start_retract(now_us);
    } else if (exit_blocked) { // nothing can pull it back: to push again would be to push blindly
        end_jammed(now_us);
    } else if (tries_left) {
        start_feed(now_us);
    } else {
        end_empty(now_us);
    }
}

static void lid_opened(uint32_t now_us) {
    bool known = lid_open;
    lid_open = true;
    run_stop(now_us);
    if (known || state == WIRE_LAUNCHER_STATE_OFF) {
        return;
    }
    cut_short(WIRE_BURST_END_LID);
    if (state != WIRE_LAUNCHER_STATE_FAULT) {
        enter(WIRE_LAUNCHER_STATE_OPEN);
    }
}

// Whether a run that has ended was cut short, by what is known already or by what only the run saw.
static bool was_cut(uint8_t running, uint8_t cause, uint32_t now_us) {
    if (state == running && cause == WIRE_FEED_END_LID) {
        lid_opened(now_us);
    } else if (state == running && cause == WIRE_FEED_END_STOPPED) {
        fail(now_us); // a latch, or a motor that outlived its run
    } else if (state == running) {
        return false;
    }
    end_cut_burst();
    return true;
}

static void feed_ended(const struct run_report *run, uint32_t now_us) {
    if (can(WIRE_CAPABILITY_EXIT_SENSOR)) {
        burst.delivered = (uint8_t)(burst.counted + run->cards);
    }
    if (was_cut(WIRE_LAUNCHER_STATE_FEEDING, run->end, now_us)) {
        return;
    }
    if (run->end == WIRE_FEED_END_COUNT || run->end == WIRE_FEED_END_TIMED || burst.delivered >= burst.planned) {
        complete();
    } else if (run->end == WIRE_FEED_END_BLIND) {
        saw_nothing(now_us);
    } else {
        fell_short(now_us);
    }
}

static void run_ended(uint32_t now_us) {
    const struct run_report *run = run_look();
    if (!burst.open) {
        return;
    }
    see_exit(run->exit_blocked);
    if (run->kind == WIRE_RUN_KIND_FEED) {
        feed_ended(run, now_us);
    } else if (was_cut(WIRE_LAUNCHER_STATE_RETRACTING, run->end, now_us)) {
        return;
    } else if (exit_blocked) { // pulled back, and dark all the same: to push again would be to push blindly
        end_jammed(now_us);
    } else {
        start_feed(now_us);
    }
}

// --- presses ---

static void press(uint32_t now_us) {
    presses++;
    random_stir(now_us);
    if (!ready_for_press()) {
        if (!burst.open && state != WIRE_LAUNCHER_STATE_OFF) {
            signals_play(WIRE_CHIME_REFUSED, now_us);
        }
        return;
    }
    struct odds_outcome outcome;
    odds_draw(&outcome);
    burst = (struct burst){.open = true, .planned = outcome.cards, .cause = GOES_ON};
    drum_ends_us = now_us + outcome.suspense_ms * US_PER_MS;
    signals_play(WIRE_CHIME_SUSPENSE, now_us);
    enter(WIRE_LAUNCHER_STATE_SUSPENSE);
}

static void drum_ended(uint32_t now_us) {
    if (burst.planned > 0) {
        start_feed(now_us);
        signals_play(WIRE_CHIME_FIRE, now_us);
    } else {
        end_burst(WIRE_BURST_END_DUD);
        signals_play(WIRE_CHIME_DUD, now_us);
        enter(WIRE_LAUNCHER_STATE_READY);
    }
}

// --- lid and exit ---

static void lid_closed(uint32_t now_us) {
    bool known = !lid_open;
    lid_open = false;
    if (known || state == WIRE_LAUNCHER_STATE_OFF) {
        return;
    }
    odds_reset();
    if (state == WIRE_LAUNCHER_STATE_OPEN) {
        become_ready(now_us);
    }
}

static void exit_cleared(void) {
    see_exit(false);
    if (burst.open && burst.tries > 0) {
        burst.delivered = (uint8_t)(burst.delivered + !burst.retracting);
    } else {
        show_light();
    }
}

static void exit_became_blocked(void) {
    see_exit(true);
    if (!burst.open) {
        show_light();
    }
}

// --- the ways in ---

void brain_init(void) {
    state = WIRE_LAUNCHER_STATE_OFF;
    burst = (struct burst){.open = false};
    light = false;
    presses = 0;
    bursts_ended = 0;
    last_end = 0;
    last_delivered = 0;
}

void brain_switch_on(uint32_t now_us) {
    lid_open = lines_lid_open();
    exit_blocked = lines_exit_blocked();
    odds_reset();
    if (lid_open) {
        enter(WIRE_LAUNCHER_STATE_OPEN);
    } else {
        become_ready(now_us);
    }
    if (motor_latches() != 0) {
        fail(now_us);
    }
}

void brain_switch_off(uint32_t now_us) {
    run_stop(now_us);
    if (state != WIRE_LAUNCHER_STATE_OFF) {
        end_burst(WIRE_BURST_END_OFF);
        enter(WIRE_LAUNCHER_STATE_OFF);
    }
}

bool brain_is_off(void) {
    return state == WIRE_LAUNCHER_STATE_OFF;
}

bool brain_is_quiet(void) {
    return state == WIRE_LAUNCHER_STATE_READY && !burst.open;
}

void brain_hear(const struct event *event, uint32_t now_us) {
    switch (event->kind) {
    case EVENT_PRESS:
        press(now_us);
        break;
    case EVENT_LID_OPENED:
        lid_opened(now_us);
        break;
    case EVENT_LID_CLOSED:
        lid_closed(now_us);
        break;
    case EVENT_EXIT_BLOCKED:
        exit_became_blocked();
        break;
    case EVENT_EXIT_CLEARED:
        exit_cleared();
        break;
    case EVENT_RUN_ENDED:
        run_ended(now_us);
        break;
    }
}

void brain_poll(uint32_t now_us) {
    if (state == WIRE_LAUNCHER_STATE_SUSPENSE && time_reached(now_us, drum_ends_us)) {
        drum_ended(now_us);
    }
}

uint32_t brain_due(uint32_t now_us) {
    return state == WIRE_LAUNCHER_STATE_SUSPENSE ? time_until(now_us, drum_ends_us) : NOTHING_DUE;
}

void brain_look(struct brain_view *view) {
    *view = (struct brain_view){
        .state = state,
        .lid_open = lid_open,
        .exit_blocked = exit_blocked,
        .burst = burst.open,
        .planned = burst.planned,
        .delivered = burst.delivered,
        .tries = burst.tries,
        .light = light,
        .odds = (uint8_t)odds_chosen(),
        .odds_state = odds_state(),
        .presses = presses,
        .bursts_ended = bursts_ended,
        .last_end = last_end,
        .last_delivered = last_delivered,
    };
}
