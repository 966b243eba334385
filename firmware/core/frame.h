// Frames on the serial line: COBS(version, type, sequence, payload, CRC-16 high byte first), then 0x00.
//
// The CRC starts at 0xFFFF and is sent inverted (CRC-16/GENIBUS), so that a frame with a zero too many at either end is
// found out: that is what a single hurt bit in the 0x00 before or behind it makes of it. That of HELLO and WELCOME starts
// at 0 and is sent as it is (CRC-16/XMODEM), as in every version.

#ifndef DISPENSER_FRAME_H
#define DISPENSER_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "wire_messages.h"

#define FRAME_HEADER_BYTES 3u
#define FRAME_CRC_BYTES 2u
#define FRAME_DECODED_BYTES (FRAME_HEADER_BYTES + WIRE_MAX_PAYLOAD + FRAME_CRC_BYTES)

struct frame {
    uint8_t version;
    uint8_t type;
    uint8_t sequence;
    uint8_t length; // of the payload
    const uint8_t *payload;
};

// Forget what has come of a frame.
void frame_forget(void);
// Take a byte. Returns whether it ended a frame that is whole and right; then *frame holds until the next call.
// Everything else is dropped without a word, and the next 0x00 puts the decoder in step again.
bool frame_take(uint8_t byte, struct frame *frame);

// Send a frame, if the line has room for all of it now. Returns whether it did.
bool frame_send(uint8_t type, uint8_t sequence, const uint8_t *payload, uint8_t length);

#endif
