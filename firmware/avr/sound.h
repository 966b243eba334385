// The piezo.

#ifndef DISPENSER_SOUND_H
#define DISPENSER_SOUND_H

#include <stdbool.h>

// A tone needs its timer, which stops in deep sleep.
bool sound_is_on(void);

#endif
