// What the two files of the host board share.
#ifndef BOARD_H
#define BOARD_H

#include "host.h"

#include "brain.h"
#include "core.h"
#include "session.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    EVENT_ROOM = 1 << 16,
    LINE_ROOM = 1 << 16,
    SEND_ROOM = 64,
    SCRIPT_ROOM = 1024,
    MEMORY_BYTES = 16,
    MEASURE_US = 2000,
    BRAKED = 1000,
};

struct host {
    uint64_t now, poll_due;
    uint32_t clock_us, byte_us, noise, lazy_us;
    uint8_t capabilities;
    bool running, lid_open, lid_rose, exit_blocked, button_down;
    bool enable;
    int32_t bridge; // what the inputs of the bridge say: duty, negative backward, 0 coast, BRAKED
    int32_t motor_told;
    uint16_t tone;
    bool light;
    uint16_t cell_mv;
    bool cell_asked;
    uint64_t cell_known_at;
    uint8_t memory[MEMORY_BYTES];
    uint8_t kept; // outlives host_start()
    uint32_t in_send; // bytes on their way out
    uint8_t sending[SEND_ROOM];
    uint64_t send_done_at, receive_done_at;
    uint32_t line_head, line_tail;
    uint8_t script_cards[SCRIPT_ROOM];
    uint16_t script_suspense[SCRIPT_ROOM];
    uint32_t script_count, script_next;
    struct brain_view brain;
    uint32_t event_count;
    bool stop_wanted;
    bool in_init;
    uint32_t mistakes;
    const char *last_mistake;
};

extern struct host host;
extern host_event_t board_events[EVENT_ROOM];

// The core broke a rule of its board.
void board_mistake(const char *what);
void board_note(uint8_t kind, int32_t value);
void board_sent(uint8_t byte);
// The pins have changed: tell what the motor does now.
void board_look_at_motor(void);

#endif
