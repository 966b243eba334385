// The core on this computer: a board of memory and virtual time. Read by the compiler and, its # lines left out, by cffi.
// Times are microseconds since host_begin().
#ifndef HOST_H
#define HOST_H

#include <stdint.h>

typedef struct {
    uint64_t us;
    uint8_t kind;  // 'M' motor, 'T' tone in decihertz, 'L' light, 'S' state of the brain, 'O' odds drawn (cards, then
                   // suspense << 8), 'B' byte sent, 'E' burst ended (cause, then cards << 8), 'W' memory written
    int32_t value; // motor: duty, negative backward, 0 off, 1000 braked
} host_event_t;

// A board fresh from the shelf: lid shut, button up, exit free, memory 0xff, time 0.
// byte_us: how long a byte takes on the serial line, 0 for no time at all. clock_us: what port_now_us() starts with.
void host_begin(uint8_t capabilities, uint32_t byte_us, uint32_t clock_us, uint32_t noise);

// Power. Inputs, memory and time stay as they are; a reset takes the motor's pins with it.
void host_start(uint8_t reset_cause);

// Lines: 'l' lid (1 open), 'b' button (1 down), 'e' exit (1 blocked).
void host_input(uint8_t line, int active);
void host_send(const uint8_t *bytes, uint32_t count);
void host_cells(uint16_t millivolts);
void host_memory(uint8_t address, uint8_t value);
uint8_t host_memory_at(uint8_t address);

// The next outcomes of the odds; past their end, the core's own.
void host_script(const uint8_t *cards, const uint16_t *suspense_ms, uint32_t count);

// Time goes on. With stop_early, only until the motor, tone or light changed or a byte was sent.
void host_run(uint64_t until_us, int stop_early);
uint64_t host_now(void);

// Let bytes of the serial line through for so long before core_poll() is called again: 0 polls after each.
void host_lazy(uint32_t poll_every_us);

uint32_t host_events(host_event_t *out, uint32_t room);
int32_t host_motor(void);
uint16_t host_tone(void);
int host_light(void);

// How often the core asked for something that it may not ask for (see host_port.c), and what it was.
uint32_t host_mistakes(void);
const char *host_last_mistake(void);

#endif
