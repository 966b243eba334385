// The three inputs: lid, exit sensor, button. Filters their edges, counts, and tells of them by events.
//
// As dispenser/drivers/gpio/: an open lid counts at once, a shut one must last; levels are read again at every look,
// so a missed edge is mended.

#ifndef DISPENSER_LINES_H
#define DISPENSER_LINES_H

#include <stdbool.h>
#include <stdint.h>

#define LINES_BLOCKED_KEPT 4u

// Counters wrap.
struct lines_counts {
    uint16_t presses;
    uint16_t lid_rises;
    uint16_t cards_seen;
    uint16_t blocked_ms[LINES_BLOCKED_KEPT]; // how long the exit was dark, newest first; 65535: that or longer
};

void lines_init(uint32_t now_us);
// Read the levels and take what has changed as edges.
void lines_look(uint32_t now_us);
// Let levels count that have lasted.
void lines_settle(uint32_t now_us);
uint32_t lines_due(uint32_t now_us);
// An edge of the exit sensor, with its time.
void lines_exit_edge(bool blocked, uint32_t at_us);

// Levels that count.
bool lines_lid_open(void);
bool lines_exit_blocked(void);
// The exit shows another level than the one that counts, which has not lasted yet.
bool lines_exit_wavers(void);
bool lines_button_down(void);
// The lid is up, or has not rested since it was.
bool lines_lid_unsafe(void);
const struct lines_counts *lines_count(void);

#endif
