#include "melodies.h"

// The dictionary's chimes have the notes of dispenser/launcher/chimes.py; a test compares them.

_Static_assert((int)CHIME_LOW_CELLS > (int)WIRE_CHIME_FAULT, "our own chimes come after those of the dictionary");

#define END {0, 0}

static const IN_FLASH struct note lid_shut[] = {{17600, 120}, END};
static const IN_FLASH struct note suspense[] = {{5233, 45}, {0, 45}, {5233, 45}, {0, 45}, {5233, 45},
                                                {0, 45},    {5233, 45}, {0, 45}, END};
static const IN_FLASH struct note fire[] = {{10465, 60}, {13185, 60}, {15680, 60}, {20930, 140}, END};
static const IN_FLASH struct note dud[] = {{6593, 90}, {0, 30}, {4939, 180}, END};
static const IN_FLASH struct note refused[] = {{4400, 80}, END};
static const IN_FLASH struct note jammed[] = {{8800, 120}, {0, 60}, {8800, 120}, {0, 60}, {5873, 240}, END};
static const IN_FLASH struct note empty[] = {{7840, 120}, {6593, 120}, {5233, 200}, END};
static const IN_FLASH struct note fault[] = {{4400, 200}, {0, 80}, {4400, 200}, {0, 80}, {4400, 200}, END};

static const IN_FLASH struct note low_cells[] = {{20930, 50}, {0, 100}, {20930, 50}, {0, 100}, {20930, 50}, END};
static const IN_FLASH struct note beeps[] = {{10465, 80}, {0, 120}, {10465, 80}, {0, 120}, {10465, 80}, END};

const IN_FLASH struct note *melody(uint8_t chime) {
    switch (chime) {
    case WIRE_CHIME_LID_SHUT:
        return lid_shut;
    case WIRE_CHIME_SUSPENSE:
        return suspense;
    case WIRE_CHIME_FIRE:
        return fire;
    case WIRE_CHIME_DUD:
        return dud;
    case WIRE_CHIME_REFUSED:
        return refused;
    case WIRE_CHIME_JAMMED:
        return jammed;
    case WIRE_CHIME_EMPTY:
        return empty;
    case WIRE_CHIME_FAULT:
        return fault;
    case CHIME_LOW_CELLS:
        return low_cells;
    case CHIME_ODDS_TOY:
        return beeps + 4;
    case CHIME_ODDS_MEMORYLESS:
        return beeps + 2;
    default:
        return beeps;
    }
}
