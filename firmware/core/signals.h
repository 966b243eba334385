// Sound and light.

#ifndef DISPENSER_SIGNALS_H
#define DISPENSER_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

// Silent and dark.
void signals_init(void);
// Begin a chime (WIRE_CHIME_... or enum own_chime); one that is playing is cut short.
void signals_play(uint8_t chime, uint32_t now_us);
bool signals_playing(void);
void signals_light(bool on);
bool signals_lit(void);

void signals_poll(uint32_t now_us);
uint32_t signals_due(uint32_t now_us);

#endif
