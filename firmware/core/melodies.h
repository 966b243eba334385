// The notes of every chime.

#ifndef DISPENSER_MELODIES_H
#define DISPENSER_MELODIES_H

#include <stdint.h>

#include "flash.h"
#include "wire_messages.h"

// Chimes of a launcher that plays alone, beyond those of the dictionary.
enum own_chime {
    CHIME_LOW_CELLS = 8,   // the cells are nearly empty
    CHIME_ODDS_TOY,        // choosing the odds: one beep,
    CHIME_ODDS_MEMORYLESS, // two,
    CHIME_ODDS_COUNTDOWN,  // three
    CHIMES,
};

struct note {
    uint16_t decihertz; // 0 is a rest
    uint8_t ms;         // 0 ends the melody
};

// The notes of a chime, up to the one of 0 ms.
const IN_FLASH struct note *melody(uint8_t chime);

#endif
