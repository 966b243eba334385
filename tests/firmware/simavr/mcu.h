// What the files of the shim share: the microcontroller with everything that stands around it.
#ifndef MCU_H
#define MCU_H

#include <stdint.h>

#include <simavr/sim_avr.h>

#include "shim.h"

enum {
    SENT_ROOM = 1 << 16,
    MAX_WATCHED = 64,
    STACK_PAINT = 0xC5,
    SRAM_START = 0x100,
    PINB_ADDRESS = 0x23,
    SMCR_ADDRESS = 0x53,
    MCUSR_ADDRESS = 0x54,
};

typedef struct {
    uint64_t cycle;
    uint64_t number;
    char port;
    uint8_t pin, level;
} stimulus_t;

typedef struct {
    mcu_t *mcu;
    char port;
    uint16_t index;
} watched_t;

struct mcu {
    avr_t *avr;
    void (*core_reset)(avr_t *);
    uint64_t before_reset; // cycles of the lives before: simavr counts from 0 again at a reset
    uint64_t last_cycle;
    mcu_event_t *events;
    uint32_t event_count, event_room;
    int stop_wanted, was_reset;
    watched_t watched[MAX_WATCHED];
    int watched_count;
    stimulus_t *stimuli; // in order of time
    uint32_t stimulus_count, stimulus_room;
    uint64_t stimulus_number;
    uint8_t line[SENT_ROOM]; // bytes on their way to the microcontroller
    uint32_t line_head, line_tail;
    uint64_t line_free_at;
    uint8_t pulled[3], pulled_levels[3]; // inputs that something outside holds, ports B, C, D
    uint64_t asleep[8];
    uint32_t baud;
};

// Run one avr_run(); returns simavr's state.
int mcu_step(mcu_t *mcu);
int mcu_dead(int state);
// Stop after every instruction.
void mcu_single_steps(mcu_t *mcu, int on);
// Wake up at `end` at the latest, and before for whatever comes from outside.
void mcu_set_waypoint(mcu_t *mcu, uint64_t end);

#endif
