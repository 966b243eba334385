// Linked over odds_draw() in the conformance test: outcomes from a list that the test writes into RAM.
#include "odds.h"

enum { OUTCOMES = 40, BYTES = 3 };

volatile uint8_t script[OUTCOMES * BYTES]; // cards, then the suspense in ms, high byte first
static uint8_t next;

void __wrap_odds_draw(struct odds_outcome *outcome);

void __wrap_odds_draw(struct odds_outcome *outcome)
{
    const volatile uint8_t *entry = &script[next];
    next = (uint8_t)((next + BYTES) % sizeof script);
    outcome->cards = entry[0];
    outcome->suspense_ms = (uint16_t)((uint16_t)(entry[1] << 8) | entry[2]);
}
