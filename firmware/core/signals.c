#include "signals.h"

#include <stddef.h>

#include "melodies.h"
#include "port.h"
#include "timing.h"

static const IN_FLASH struct note *next_note; // NULL when nothing plays
static uint32_t note_ends_us;
static bool lit;

void signals_init(void) {
    next_note = NULL;
    port_tone(0);
    signals_light(false);
}

static void step(uint32_t now_us) {
    uint8_t ms = next_note->ms;
    if (ms == 0) {
        next_note = NULL;
        port_tone(0);
        return;
    }
    port_tone(next_note->decihertz);
    note_ends_us = now_us + ms * US_PER_MS;
    next_note++;
}

void signals_play(uint8_t chime, uint32_t now_us) {
    next_note = melody(chime);
    step(now_us);
}

bool signals_playing(void) {
    return next_note != NULL;
}

void signals_light(bool on) {
    lit = on;
    port_light(on);
}

bool signals_lit(void) {
    return lit;
}

void signals_poll(uint32_t now_us) {
    if (next_note != NULL && time_reached(now_us, note_ends_us)) {
        step(now_us);
    }
}

uint32_t signals_due(uint32_t now_us) {
    return next_note != NULL ? time_until(now_us, note_ends_us) : NOTHING_DUE;
}
