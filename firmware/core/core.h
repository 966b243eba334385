// The launcher's microcontroller program without its board: the whole public face of the core.
//
// One static instance, no allocation, no floating point, no interrupts: a board buffers what its interrupts hear and
// hands it in, in this order, from one thread:
//     core_init(reset_cause);
//     for (;;) {
//         core_exit_edge(...) for each edge of the exit sensor; core_receive(...) for each byte;
//         sleep_until_an_input_or(core_poll(port_now_us()));
//     }
// The lid is asked for (port_lid_rose, port_lid_open). Its interrupt pulls the motor's enable pin low before anybody
// hears of it; that is the board's duty.
//
// With a host (from a valid HELLO until BYE or WIRE_HOST_GONE_MS of silence) the core executes commands; without one
// its brain plays the toy: the machine of dispenser/launcher/machine.py.

#ifndef DISPENSER_CORE_H
#define DISPENSER_CORE_H

#include <stdbool.h>
#include <stdint.h>

// What core_poll() returns when only an input can give it work: the board may sleep as deeply as it likes.
#define CORE_NOTHING_DUE UINT32_MAX

// Start from nothing, motor off. Reads levels, memory and noise from the port.
// reset_cause: one of WIRE_RESET_CAUSE_...
void core_init(uint8_t reset_cause);

// Look at the inputs and do what is due. now_us: port_now_us(). Returns how many microseconds may pass until the next
// call (above 0); call earlier whenever an input has changed or a byte has come.
uint32_t core_poll(uint32_t now_us);

// The exit sensor changed to this level at that time, not later than port_now_us(). Edges come in order; a lost one is
// mended by the next core_poll(), which reads the level.
void core_exit_edge(bool blocked, uint32_t at_us);

// A byte has come over the serial line.
void core_receive(uint8_t byte);

#endif
