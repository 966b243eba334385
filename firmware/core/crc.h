// The step of CRC-16 with polynomial 0x1021, no reflection. What it starts with is the affair of frame.c.

#ifndef DISPENSER_CRC_H
#define DISPENSER_CRC_H

#include <stdint.h>

static inline uint16_t crc_add(uint16_t crc, uint8_t byte) {
    crc ^= (uint16_t)((uint16_t)byte << 8);
    for (uint8_t bit = 0; bit < 8; bit++) {
        crc = (uint16_t)((crc & 0x8000u) ? (uint16_t)(crc << 1) ^ 0x1021u : (uint16_t)(crc << 1));
    }
    return crc;
}

#endif
