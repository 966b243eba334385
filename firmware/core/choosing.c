#include "choosing.h"

#include "lines.h"
#include "melodies.h"
#include "motor.h"
#include "odds.h"
#include "port.h"
#include "signals.h"
#include "timing.h"
#include "wire_messages.h"

#define STEP_US UINT32_C(1500000)
#define MOST_STEPS 9u // three times round
#define PAUSE_US UINT32_C(1000000) // before the chosen beeps come once more, and after they began

// The choice, and what it lacks of CHECK: a memory that was never written, or half written, reads as no choice.
enum { ADDRESS_ODDS, ADDRESS_CHECK };
#define CHECK 0xA5u

static enum { OFF, HOLDING, RELEASED, CONFIRMED } phase;
static uint8_t steps;
static uint32_t step_at_us;

void choosing_recall(void) {
    uint8_t kind = port_memory_read(ADDRESS_ODDS);
    bool valid = kind < ODDS_KINDS && port_memory_read(ADDRESS_CHECK) == CHECK - kind;
    odds_choose(valid ? (enum odds_kind)kind : ODDS_TOY);
}

void choosing_begin(uint8_t reset_cause, uint32_t now_us) {
    bool wanted = motor_latches() == 0 && reset_cause != WIRE_RESET_CAUSE_WATCHDOG &&
                  reset_cause != WIRE_RESET_CAUSE_BROWN_OUT;
    phase = wanted && lines_button_down() ? HOLDING : OFF;
    steps = 0;
    step_at_us = now_us + STEP_US;
}

bool choosing_is_on(void) {
    return phase != OFF;
}

void choosing_give_up(void) {
    phase = OFF;
}

// The odds of so many beeps.
static enum odds_kind chosen(void) {
    return (enum odds_kind)((steps - 1) % ODDS_KINDS);
}

static void beep(uint32_t now_us) {
    signals_play((uint8_t)(CHIME_ODDS_TOY + chosen()), now_us);
}

static void keep(void) {
    uint8_t kind = (uint8_t)chosen();
    odds_choose(chosen());
    port_memory_write(ADDRESS_ODDS, kind);
    port_memory_write(ADDRESS_CHECK, (uint8_t)(CHECK - kind));
}

static void release(uint32_t now_us) {
    if (steps == 0) {
        phase = OFF;
        return;
    }
    keep();
    phase = RELEASED;
    step_at_us = now_us + PAUSE_US;
}

static void step(uint32_t now_us) {
    if (phase == RELEASED) {
        beep(now_us);
        phase = CONFIRMED;
        step_at_us += PAUSE_US;
    } else if (phase == CONFIRMED || steps == MOST_STEPS) {
        phase = OFF;
    } else {
        steps++;
        beep(now_us);
        step_at_us += STEP_US;
    }
}

void choosing_poll(uint32_t now_us) {
    if (phase == HOLDING && !lines_button_down()) {
        release(now_us);
    }
    if (phase != OFF && time_reached(now_us, step_at_us)) {
        step(now_us);
    }
}

uint32_t choosing_due(uint32_t now_us) {
    return phase != OFF ? time_until(now_us, step_at_us) : NOTHING_DUE;
}
