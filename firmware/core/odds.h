// The odds of the stand-alone brain: when a press fires, how many cards, how long the drum rolls.
//
// A test that scripts outcomes replaces odds_draw() at link time (-Wl,--wrap=odds_draw).

#ifndef DISPENSER_ODDS_H
#define DISPENSER_ODDS_H

#include <stdint.h>

enum odds_kind {
    ODDS_TOY,        // the original's fixed table
    ODDS_MEMORYLESS, // every press the same chance
    ODDS_COUNTDOWN,  // a hidden number of duds, then a burst
    ODDS_KINDS,
};

struct odds_outcome {
    uint8_t cards;        // 0 is a dud
    uint16_t suspense_ms; // 600 to 1600
};

// Choose the odds; they begin anew.
void odds_choose(enum odds_kind kind);
enum odds_kind odds_chosen(void);
// Power-on, or the lid was shut: the policy forgets.
void odds_reset(void);
// One press. Always takes three random numbers, whatever it needs.
void odds_draw(struct odds_outcome *outcome);
// State of the fire policy, as in dispenser/odds/policies.py.
uint8_t odds_state(void);

#endif
