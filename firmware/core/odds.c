#include "odds.h"

#include <stdbool.h>

#include "flash.h"
#include "random.h"
#include "wire_messages.h"

_Static_assert((int)ODDS_TOY == WIRE_ODDS_TOY && (int)ODDS_MEMORYLESS == WIRE_ODDS_MEMORYLESS &&
                   (int)ODDS_COUNTDOWN == WIRE_ODDS_COUNTDOWN && ODDS_KINDS == WIRE_ODDS_MEMBERS,
               "STATE tells the odds by their number");

// Presses on which the original fires, counted from 1: TOY_FIRES_ON of dispenser/odds/policies.py. After the last
// one the table begins again.
static const IN_FLASH uint8_t toy_fires_on[] = {2,  6,  9,  13, 17, 21, 24, 26, 27, 29, 32, 36, 37, 41, 44, 47, 48,
                                                51, 54, 57, 58, 62, 66, 69, 72, 73, 77, 81, 84, 85, 88, 92, 93, 96};
#define TOY_PRESSES 96u

#define MEMORYLESS_PERCENT 35u // as often as the toy: 34 of 96 presses
#define COUNTDOWN_MOST_DUDS 3u // as the toy: never more than 3 duds in a row

#define FEWEST_CARDS 3u // the toy's own burst sizes, each as likely
#define MOST_CARDS 8u

#define SUSPENSE_LEAST_MS 600u // MachineSettings of dispenser/launcher/settings.py
#define SUSPENSE_RANGE_MS 1000u

static enum odds_kind kind;
static uint8_t state;

void odds_choose(enum odds_kind chosen) {
    kind = chosen;
    state = 0;
}

enum odds_kind odds_chosen(void) {
    return kind;
}

void odds_reset(void) {
    state = 0;
}

uint8_t odds_state(void) {
    return state;
}

// A whole number from 0 to below `values`. Some come up oftener than others by 1 in 10,000 at most.
static uint16_t scaled(uint16_t luck, uint16_t values) {
    return (uint16_t)(((uint32_t)luck * values) >> 16);
}

static bool toy_fires(void) {
    uint8_t press = (uint8_t)(state + 1);
    state = press % TOY_PRESSES;
    for (uint8_t i = 0; i < sizeof toy_fires_on; i++) {
        if (toy_fires_on[i] == press) {
            return true;
        }
    }
    return false;
}

// State: 0, no number of duds drawn yet; otherwise the presses until the burst, that one included.
static bool countdown_fires(uint16_t luck) {
    if (state == 0) {
        state = (uint8_t)scaled(luck, COUNTDOWN_MOST_DUDS + 1);
        return state == 0;
    }
    state--;
    return state == 0;
}

static bool fires(uint16_t luck) {
    switch (kind) {
    case ODDS_MEMORYLESS:
        return scaled(luck, 100) < MEMORYLESS_PERCENT;
    case ODDS_COUNTDOWN:
        return countdown_fires(luck);
    default:
        return toy_fires();
    }
}

void odds_draw(struct odds_outcome *outcome) {
    uint16_t fire = random_u16();
    uint16_t size = random_u16();
    uint16_t suspense = random_u16();
    outcome->cards = fires(fire) ? (uint8_t)(FEWEST_CARDS + scaled(size, MOST_CARDS - FEWEST_CARDS + 1)) : 0;
    outcome->suspense_ms = SUSPENSE_LEAST_MS + scaled(suspense, SUSPENSE_RANGE_MS);
}
