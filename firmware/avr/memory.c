// The EEPROM, and the byte that outlives resets.

#include <avr/eeprom.h>

#include "port.h"

uint8_t port_memory_read(uint8_t address) {
    return eeprom_read_byte((const uint8_t *)(uint16_t)address);
}

// RAM keeps its content through every reset. After power-on it is anything, which passes for ours 1 time in 2^24.
#define OURS 0x7E57u
static volatile struct {
    uint16_t ours;
    uint8_t value;
    uint8_t inverse;
} kept __attribute__((section(".noinit")));

uint8_t port_kept(void) {
    return kept.ours == OURS && (uint8_t)(kept.inverse ^ kept.value) == 0xFF ? kept.value : 0;
}

void port_keep(uint8_t value) {
    kept.ours = OURS;
    kept.value = value;
    kept.inverse = value ^ 0xFFu;
}

void port_memory_write(uint8_t address, uint8_t value) {
    eeprom_update_byte((uint8_t *)(uint16_t)address, value);
}
