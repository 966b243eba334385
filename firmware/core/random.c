#include "random.h"

#include "port.h"

// xoroshiro64** of Blackman and Vigna: 64 bits of state, period 2^64 - 1.

#define SEED_BYTES 16u // at 4 bits of noise in each, as much as the state holds

static uint32_t s0;
static uint32_t s1;

static uint32_t rotated(uint32_t value, uint8_t bits) {
    return (value << bits) | (value >> (32 - bits));
}

static void step(void) {
    uint32_t mixed = s1 ^ s0;
    s0 = rotated(s0, 26) ^ mixed ^ (mixed << 9);
    s1 = rotated(mixed, 13);
}

void random_stir(uint32_t value) {
    s0 ^= value;
    if ((s0 | s1) == 0) {
        s1 = 1; // the one state that the generator never leaves
    }
    step();
}

void random_begin(void) {
    s0 = 0;
    s1 = 1;
    for (uint8_t i = 0; i < SEED_BYTES; i++) {
        random_stir(port_entropy_byte());
    }
}

uint32_t random_u32(void) {
    uint32_t result = rotated(s0 * UINT32_C(0x9E3779BB), 5) * 5;
    step();
    return result;
}

uint16_t random_u16(void) {
    return (uint16_t)(random_u32() >> 16);
}
