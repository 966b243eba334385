// What the core asks of a board. Plain functions; a board (or a host test) links its own.
//
// They are called by the core's own entry points, never from an interrupt. None may take longer than a few hundred
// microseconds but for port_entropy_byte() and port_memory_write().
// Times are microseconds on a counter that wraps at 2^32; the core only ever takes differences.

#ifndef DISPENSER_PORT_H
#define DISPENSER_PORT_H

#include <stdbool.h>
#include <stdint.h>

enum port_direction { PORT_FORWARD, PORT_BACKWARD };

// --- the board ---

// Bits of WIRE_CAPABILITY_...: what this launcher can do. Never changes.
uint8_t port_capabilities(void);
// One of WIRE_BOARD_...
uint8_t port_board(void);

// --- time ---

// Microseconds, modulo 2^32. The same clock that stamps core_exit_edge(). May stand still while nothing is due.
uint32_t port_now_us(void);

// --- inputs: levels as they are now, unfiltered ---

// The lid has left its switch. A cut wire must read as open.
bool port_lid_open(void);
bool port_exit_blocked(void);
bool port_button_down(void);
// Whether the lid has risen since the last call, however briefly; its own interrupt notes it.
bool port_lid_rose(void);

// --- the motor: enable is the pin that the lid's interrupt pulls low by itself ---

// Enable low first, then both bridge inputs low. May be repeated.
void port_motor_off(void);
// Set the bridge inputs for a direction and a duty (1 to 255, 255: always on); enable stays as it is.
void port_motor_drive(enum port_direction direction, uint8_t duty);
// Enable high, unless the lid is up or a rise waits to be asked for by port_lid_rose(): then nothing. One atomic look
// and write: a lid that rises a cycle later finds its interrupt waiting. Returns whether enable is high now.
bool port_motor_enable(void);
// Both bridge inputs high, which shorts the motor; enable stays as it is. Only where retracting is a capability.
void port_motor_brake(void);

// --- sound and light ---

// A square wave of so many tenths of a hertz on the piezo; 0 is silence.
void port_tone(uint16_t decihertz);
void port_light(bool on);

// --- serial line ---

// How many bytes can be sent now without waiting. At least 64 once all before has left.
uint8_t port_serial_room(void);
// Send one byte; only called while there is room.
void port_serial_send(uint8_t byte);

// --- memory that survives power-off ---

// Addresses 0 and 1 are used. Written when somebody chooses the odds; may wait a few milliseconds, the motor is off.
uint8_t port_memory_read(uint8_t address);
void port_memory_write(uint8_t address, uint8_t value);

// One byte that outlives every reset, though not the loss of power; 0 if nothing was kept.
uint8_t port_kept(void);
void port_keep(uint8_t value);

// --- the rest ---

// One byte from a physical noise source. Called during core_init() only; may wait some 20 ms.
uint8_t port_entropy_byte(void);
// Begin to measure the supply; forgets the last result.
void port_cell_measure(void);
// Millivolts of the supply, 0 until the measurement is done. Called every few milliseconds meanwhile.
uint16_t port_cell_mv(void);

#endif
