#include "lines.h"

#include "debounce.h"
#include "events.h"
#include "motor.h"
#include "port.h"
#include "timing.h"
#include "wire_messages.h"

#define MOST_BLOCKED_MS UINT16_MAX
#define MOST_BLOCKED_US (MOST_BLOCKED_MS * US_PER_MS)

static struct debouncer lid;
static struct debouncer exit_sensor;
static struct debouncer button;
static struct lines_counts counts;
static uint32_t blocked_since_us;

static bool exit_now(void) {
    return (port_capabilities() & WIRE_CAPABILITY_EXIT_SENSOR) && port_exit_blocked();
}

void lines_init(uint32_t now_us) {
    port_lid_rose(); // whatever happened before the start
    debounce_begin(&lid, port_lid_open(), LID_SETTLE_US);
    debounce_begin(&exit_sensor, exit_now(), EXIT_SETTLE_US);
    debounce_begin(&button, port_button_down(), BUTTON_SETTLE_US);
    counts = (struct lines_counts){0};
    blocked_since_us = now_us;
}

// --- levels that have changed for good ---

static void lid_settled(void) {
    counts.lid_rises += lid.level;
    events_add(lid.level ? EVENT_LID_OPENED : EVENT_LID_CLOSED, lid.changed_at_us);
}

static void remember_blocked(uint32_t blocked_us) {
    for (uint8_t i = LINES_BLOCKED_KEPT - 1; i > 0; i--) {
        counts.blocked_ms[i] = counts.blocked_ms[i - 1];
    }
    bool longest = blocked_us >= MOST_BLOCKED_US;
    counts.blocked_ms[0] = longest ? MOST_BLOCKED_MS : (uint16_t)((blocked_us + US_PER_MS / 2) / US_PER_MS);
    counts.cards_seen++;
}

static void exit_settled(void) {
    uint32_t at_us = exit_sensor.changed_at_us;
    if (exit_sensor.level) {
        blocked_since_us = at_us;
    } else {
        remember_blocked(at_us - blocked_since_us);
    }
    events_add(exit_sensor.level ? EVENT_EXIT_BLOCKED : EVENT_EXIT_CLEARED, at_us);
}

static void button_settled(void) {
    if (button.level) {
        counts.presses++;
        events_add(EVENT_PRESS, button.changed_at_us);
    }
}

// --- edges ---

static void lid_edge(bool open, uint32_t now_us) {
    if (open) {
        motor_off(); // before anything else; the interrupt has done it already if it could
    }
    lid.settle_us = open ? 0 : LID_SETTLE_US;
    if (debounce_edge(&lid, open, now_us)) {
        lid_settled();
    }
}

static void exit_edge(bool blocked, uint32_t at_us) {
    debounce_edge(&exit_sensor, blocked, at_us);
    events_add(EVENT_EXIT_FLICKERED, at_us);
}

void lines_look(uint32_t now_us) {
    if (port_lid_rose()) {
        lid_edge(true, now_us);
    }
    bool open = port_lid_open();
    if (open != lid.raw) {
        lid_edge(open, now_us);
    }
    bool blocked = exit_now();
    if (blocked != exit_sensor.raw) {
        exit_edge(blocked, now_us);
    }
    bool down = port_button_down();
    if (down != button.raw) {
        debounce_edge(&button, down, now_us);
    }
}

void lines_exit_edge(bool blocked, uint32_t at_us) {
    if (!(port_capabilities() & WIRE_CAPABILITY_EXIT_SENSOR)) {
        return;
    }
    if (debounce_settle(&exit_sensor, at_us)) { // the level before this edge had lasted, though nobody looked in time
        exit_settled();
    }
    exit_edge(blocked, at_us);
}

void lines_settle(uint32_t now_us) {
    if (debounce_settle(&lid, now_us)) {
        lid_settled();
    }
    if (debounce_settle(&exit_sensor, now_us)) {
        exit_settled();
    }
    if (debounce_settle(&button, now_us)) {
        button_settled();
    }
    if (exit_sensor.level && now_us - blocked_since_us > MOST_BLOCKED_US) {
        blocked_since_us = now_us - MOST_BLOCKED_US; // or the clock would wrap, one day, and the time look short
    }
}

uint32_t lines_due(uint32_t now_us) {
    uint32_t due_us = sooner(debounce_due(&lid, now_us), debounce_due(&exit_sensor, now_us));
    return sooner(due_us, debounce_due(&button, now_us));
}

// --- levels ---

bool lines_lid_open(void) {
    return lid.level;
}

bool lines_exit_blocked(void) {
    return exit_sensor.level;
}

bool lines_exit_wavers(void) {
    return exit_sensor.waiting;
}

bool lines_button_down(void) {
    return button.level;
}

bool lines_lid_unsafe(void) {
    return lid.level || lid.raw;
}

const struct lines_counts *lines_count(void) {
    return &counts;
}
