#include "report.h"

#include <string.h>

#include "cells.h"
#include "frame.h"
#include "lines.h"
#include "motor.h"
#include "odds.h"
#include "port.h"
#include "random.h"
#include "run.h"
#include "signals.h"
#include "timing.h"
#include "version.h"
#include "wire_messages.h"

#define SPACING_US UINT32_C(5000)         // between two reports of changes
#define NO_ROOM_US UINT32_C(1000)         // until the line is tried again
#define ROOM_FOR_CHANGES 48u              // a STATE and, behind it, the ACK of a command
#define UPTIME_STEP_US (UINT32_C(1) << 30) // long before the clock wraps

// Bytes of a STATE that are worth a report of their own: not boot id and uptime before them, nor cells and odds behind.
#define CHANGING_FROM 8u
#define CHANGING_BYTES 20u

static uint32_t boot_id;
static uint8_t reset_cause;
static uint32_t uptime_ms;
static uint32_t uptime_until_us;
static uint8_t told[CHANGING_BYTES]; // as in the last report
static bool told_any;
static bool waiting;        // a change that could not be told yet
static uint32_t next_us;    // not before
static bool owed;           // an answer for which the line had no room
static uint8_t owed_sequence;

void report_init(uint8_t cause, uint32_t now_us) {
    boot_id = random_u32();
    reset_cause = cause;
    uptime_ms = 0;
    uptime_until_us = now_us;
    report_anew();
}

void report_anew(void) {
    told_any = false;
    waiting = false;
    owed = false;
}

void report_welcome(uint8_t sequence, uint16_t nonce) {
    uint8_t payload[WIRE_WELCOME_SIZE];
    struct wire_welcome welcome = {
        .nonce = nonce,
        .protocol = WIRE_VERSION,
        .dictionary = WIRE_DICTIONARY,
        .firmware_major = FIRMWARE_MAJOR,
        .firmware_minor = FIRMWARE_MINOR,
        .firmware_patch = FIRMWARE_PATCH,
        .boot_id = boot_id,
        .reset_cause = reset_cause,
        .capabilities = port_capabilities(),
        .board = port_board(),
    };
    frame_send(WIRE_WELCOME, sequence, payload, wire_pack_welcome(payload, &welcome));
}

void report_ack(uint8_t sequence, uint8_t command, uint8_t result) {
    uint8_t payload[WIRE_ACK_SIZE];
    struct wire_ack ack = {.command = command, .result = result};
    frame_send(WIRE_ACK, sequence, payload, wire_pack_ack(payload, &ack));
}

static void count_uptime(uint32_t now_us) {
    uint32_t ms = (now_us - uptime_until_us) / US_PER_MS;
    uptime_ms += ms;
    uptime_until_us += ms * US_PER_MS;
}

static uint8_t levels(bool hosted) {
    return (uint8_t)((lines_lid_open() ? WIRE_LEVEL_LID_OPEN : 0) |
                     (lines_exit_blocked() ? WIRE_LEVEL_EXIT_BLOCKED : 0) |
                     (lines_button_down() ? WIRE_LEVEL_BUTTON_DOWN : 0) |
                     (motor_is_on() ? WIRE_LEVEL_MOTOR_ON : 0) |
                     (signals_lit() ? WIRE_LEVEL_LIGHT_ON : 0) |
                     (hosted ? WIRE_LEVEL_HOSTED : 0));
}

static void pack_state(bool hosted, uint8_t *payload) {
    const struct lines_counts *counts = lines_count();
    const struct run_report *run = run_look();
    bool any_run = hosted && run->kind != WIRE_RUN_KIND_NONE;
    struct wire_state state = {
        .boot_id = boot_id,
        .uptime_ms = uptime_ms,
        .levels = levels(hosted),
        .latches = motor_latches(),
        .presses = counts->presses,
        .lid_rises = counts->lid_rises,
        .cards_seen = counts->cards_seen,
        .blocked_ms_0 = counts->blocked_ms[0],
        .blocked_ms_1 = counts->blocked_ms[1],
        .blocked_ms_2 = counts->blocked_ms[2],
        .blocked_ms_3 = counts->blocked_ms[3],
        .run = any_run ? run->number : 0,
        .run_kind = any_run ? run->kind : WIRE_RUN_KIND_NONE,
        .run_cards = any_run ? run->cards : 0,
        .run_end = any_run ? run->end : 0,
        .cell_mv = cells_mv(),
        .odds = odds_chosen(),
    };
    wire_pack_state(payload, &state);
}

static void send_state(uint8_t sequence, const uint8_t *payload, uint32_t now_us) {
    owed = !frame_send(WIRE_STATE, sequence, payload, WIRE_STATE_SIZE);
    if (owed) {
        owed_sequence = sequence;
        next_us = now_us + NO_ROOM_US;
        return;
    }
    memcpy(told, payload + CHANGING_FROM, CHANGING_BYTES);
    told_any = true;
    waiting = false;
    next_us = now_us + SPACING_US;
}

void report_state(uint8_t sequence, bool hosted, uint32_t now_us) {
    uint8_t payload[WIRE_STATE_SIZE];
    count_uptime(now_us);
    pack_state(hosted, payload);
    send_state(sequence, payload, now_us);
}

static void report_change(uint32_t now_us) {
    uint8_t payload[WIRE_STATE_SIZE];
    pack_state(true, payload);
    if (told_any && memcmp(told, payload + CHANGING_FROM, CHANGING_BYTES) == 0) {
        waiting = false;
        return;
    }
    waiting = true;
    if (told_any && !time_reached(now_us, next_us)) {
        return;
    }
    if (port_serial_room() < ROOM_FOR_CHANGES) {
        next_us = now_us + NO_ROOM_US;
        return;
    }
    report_state(0, true, now_us);
}

void report_poll(bool hosted, uint32_t now_us) {
    if (now_us - uptime_until_us > UPTIME_STEP_US) {
        count_uptime(now_us);
    }
    if (owed) {
        if (time_reached(now_us, next_us)) {
            report_state(owed_sequence, hosted, now_us);
        }
    } else if (hosted) {
        report_change(now_us);
    }
}

uint32_t report_due(uint32_t now_us) {
    return waiting || owed ? time_until(now_us, next_us) : NOTHING_DUE;
}
