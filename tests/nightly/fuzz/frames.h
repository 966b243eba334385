// Frames as firmware/PROTOCOL.md says, written a second time for the tests: slow, plain, and shared with nobody.
#ifndef FUZZ_FRAMES_H
#define FUZZ_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { FRAME_ROOM = 80 };

// The CRC of HELLO and WELCOME begins with 0, all others with ones, and those are inverted at the end.
static inline uint16_t frame_crc(const uint8_t *bytes, size_t count)
{
    uint16_t ones = bytes[1] == 0x01 || bytes[1] == 0x81 ? 0 : 0xffff;
    uint16_t crc = ones;
    for (size_t i = 0; i < count; i++)
        for (int bit = 7; bit >= 0; bit--) {
            int top = crc >> 15 ^ (bytes[i] >> bit & 1);
            crc = (uint16_t)(crc << 1 ^ (top ? 0x1021 : 0));
        }
    return crc ^ ones;
}

// Returns the length of the frame with its closing zero.
static inline size_t frame_make(uint8_t *out, uint8_t version, uint8_t type, uint8_t seq, const uint8_t *payload,
                                size_t count)
{
    uint8_t raw[FRAME_ROOM] = {version, type, seq};
    if (count > 0)
        memcpy(raw + 3, payload, count);
    uint16_t crc = frame_crc(raw, count + 3);
    raw[count + 3] = (uint8_t)(crc >> 8);
    raw[count + 4] = (uint8_t)crc;
    size_t total = count + 5, written = 0;
    for (size_t start = 0; start <= total;) {
        size_t run = 0;
        while (start + run < total && raw[start + run] != 0)
            run++;
        out[written++] = (uint8_t)(run + 1);
        memcpy(out + written, raw + start, run);
        written += run;
        start += run + 1;
    }
    out[written++] = 0;
    return written;
}

// Reads what stood between two zeros; false when that is no frame.
static inline bool frame_read(const uint8_t *bytes, size_t count, uint8_t *type, uint8_t *seq, uint8_t *payload,
                              size_t *length)
{
    uint8_t raw[FRAME_ROOM * 4];
    size_t written = 0;
    if (count == 0 || count > FRAME_ROOM * 3)
        return false;
    for (size_t at = 0; at < count;) {
        size_t run = bytes[at];
        if (run == 0 || at + run > count)
            return false;
        memcpy(raw + written, bytes + at + 1, run - 1);
        written += run - 1;
        at += run;
        if (run < 0xff && at < count)
            raw[written++] = 0;
    }
    if (written < 5 || written > 64 + 5)
        return false;
    if (frame_crc(raw, written - 2) != (uint16_t)(raw[written - 2] << 8 | raw[written - 1]))
        return false;
    *type = raw[1];
    *seq = raw[2];
    *length = written - 5;
    memcpy(payload, raw + 3, *length);
    return raw[0] == 2;
}

#endif
