// The host: whether it is there, and the commands that it gives. PROTOCOL.md has the rules.

#ifndef DISPENSER_SESSION_H
#define DISPENSER_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "frame.h"

void session_init(void);
bool session_is_on(void);

// Execute a frame that has come.
void session_take(const struct frame *frame, uint32_t now_us);
// Notice that the host has fallen silent.
void session_poll(uint32_t now_us);
uint32_t session_due(uint32_t now_us);

#endif
