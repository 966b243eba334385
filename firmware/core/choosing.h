// Choosing the odds: hold the button while the launcher gets power. After a moment it beeps once (the toy's table), a
// moment later twice (memoryless), then three times (countdown), and again from the start. Let go after the beeps of
// the odds you want: they come once more, and are kept through power-off. Held for too long, the choice is given up: the
// button may be stuck.

#ifndef DISPENSER_CHOOSING_H
#define DISPENSER_CHOOSING_H

#include <stdbool.h>
#include <stdint.h>

// Recall the odds that were chosen last; the toy's if none ever were.
void choosing_recall(void);
// Begin if the button is down and somebody may have switched on: not after a hang or a sag of the supply, which leave
// the odds as they are.
void choosing_begin(uint8_t reset_cause, uint32_t now_us);
bool choosing_is_on(void);
// A host has come: leave everything as it was.
void choosing_give_up(void);
void choosing_poll(uint32_t now_us);
uint32_t choosing_due(uint32_t now_us);

#endif
