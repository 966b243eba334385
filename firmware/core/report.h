// What the device says to the host: answers, and the state whenever it has changed.

#ifndef DISPENSER_REPORT_H
#define DISPENSER_REPORT_H

#include <stdbool.h>
#include <stdint.h>

void report_init(uint8_t reset_cause, uint32_t now_us);
void report_welcome(uint8_t sequence, uint16_t nonce);
void report_ack(uint8_t sequence, uint8_t command, uint8_t result);
// In answer to HEARTBEAT and GET_STATE. hosted: there is a session.
void report_state(uint8_t sequence, bool hosted, uint32_t now_us);
// A session begins or ends: nothing is owed, and the next poll of a session reports, changed or not.
void report_anew(void);
// Report what has changed. Cannot lose a change: until a report with it has left, the next poll finds it again.
void report_poll(bool hosted, uint32_t now_us);
uint32_t report_due(uint32_t now_us);

#endif
