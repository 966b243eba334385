// One simulated ATmega328P in virtual time. Read by the compiler and, its # lines left out, by cffi.
// Times are clock cycles since power-on; they go on over a reset. Pins are a port letter and a bit.
#ifndef SHIM_H
#define SHIM_H

#include <stdint.h>

typedef struct mcu mcu_t;

typedef struct {
    uint64_t cycle;
    uint8_t kind;   // 'P' output pin, 'R' watched register, 'U' byte sent, 'I' input, 'X' reset
    uint8_t port;   // port letter for 'P' and 'I'
    uint16_t index; // pin, or data address of the register
    uint32_t value;
} mcu_event_t;

mcu_t *mcu_new(const char *elf, uint32_t hz, uint32_t baud, uint32_t supply_mv);
void mcu_free(mcu_t *mcu);

// What stands outside.
void mcu_input(mcu_t *mcu, char port, int pin, int level);
int mcu_input_at(mcu_t *mcu, uint64_t cycle, char port, int pin, int level);
void mcu_send(mcu_t *mcu, const uint8_t *bytes, uint32_t count);
void mcu_supply(mcu_t *mcu, uint32_t millivolts);

// What to listen to.
void mcu_watch_pin(mcu_t *mcu, char port, int pin);
void mcu_watch_register(mcu_t *mcu, uint16_t address);
uint32_t mcu_events(mcu_t *mcu, mcu_event_t *out, uint32_t room);

// Time. mcu_run ends at the cycle, or (stop_early) soon after an output changed or a byte was sent.
int mcu_run(mcu_t *mcu, uint64_t cycle, int stop_early);
uint64_t mcu_cycle(mcu_t *mcu);
void mcu_reset(mcu_t *mcu, uint8_t mcusr);

// From here on, put a level on an input after each of `count` further instructions, each time in a world of its own
// (a forked process), and count the cycles until the pin is low for good. 0xffffffff: it is not at the end of the window.
// After `pulse` cycles the input goes back (0: it stays). The world that calls goes on without the edges.
int mcu_sweep(mcu_t *mcu, uint32_t count, uint32_t every, char port, int pin, int level, char out_port, int out_pin,
              uint32_t pulse, uint32_t window, uint32_t *latencies, uint32_t *program_counters);

// Looking inside.
uint8_t mcu_peek(mcu_t *mcu, uint16_t address);
void mcu_poke(mcu_t *mcu, uint16_t address, uint8_t value);
uint32_t mcu_program_counter(mcu_t *mcu);
void mcu_jump(mcu_t *mcu, uint32_t byte_address, int interrupts);
uint16_t mcu_flash_word(mcu_t *mcu, uint32_t byte_address);
void mcu_eeprom_read(mcu_t *mcu, uint16_t offset, uint8_t *bytes, uint32_t count);
void mcu_eeprom_write(mcu_t *mcu, uint16_t offset, const uint8_t *bytes, uint32_t count);
uint64_t mcu_asleep(mcu_t *mcu, int mode);

#endif
