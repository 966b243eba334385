// Random numbers: a small generator, seeded from the board's noise source at every start.
//
// Good for a toy's luck, not for secrets. With a host the launcher's own odds rest; the service draws, provably.

#ifndef DISPENSER_RANDOM_H
#define DISPENSER_RANDOM_H

#include <stdint.h>

// Take a seed from port_entropy_byte(); waits as long as the noise takes.
void random_begin(void);
// Stir in something that nobody can foresee to the microsecond, such as when a finger pressed.
void random_stir(uint32_t value);
uint32_t random_u32(void);
uint16_t random_u16(void);

#endif
