// Bits hurt on the line, all of them and all pairs: what the frame decoder makes of that.
#include "host.h"

#include "frame.h"

#include <stdbool.h>
#include <string.h>

enum { MOST_FRAMES = 8, MOST_BYTES = 512 };

static uint8_t right[MOST_FRAMES][FRAME_DECODED_BYTES];
static uint8_t right_bytes[MOST_FRAMES];
static uint32_t right_count;

static bool dropped(const struct frame *frame)
{
    if (frame->type == WIRE_HELLO)
        return frame->length != WIRE_HELLO_SIZE;
    if (frame->type == WIRE_WELCOME)
        return frame->length != WIRE_WELCOME_SIZE;
    return frame->version != WIRE_VERSION;
}

static uint8_t whole(const struct frame *frame, uint8_t *bytes)
{
    bytes[0] = frame->version;
    bytes[1] = frame->type;
    bytes[2] = frame->sequence;
    memcpy(bytes + FRAME_HEADER_BYTES, frame->payload, frame->length);
    return (uint8_t)(FRAME_HEADER_BYTES + frame->length);
}

static bool is_right(const struct frame *frame)
{
    uint8_t bytes[FRAME_DECODED_BYTES];
    uint8_t size = whole(frame, bytes);
    for (uint32_t i = 0; i < right_count; i++)
        if (size == right_bytes[i] && memcmp(bytes, right[i], size) == 0)
            return true;
    return false;
}

static void note_right(const uint8_t *stream, uint32_t count)
{
    struct frame frame;
    right_count = 0;
    frame_forget();
    for (uint32_t i = 0; i < count; i++)
        if (frame_take(stream[i], &frame) && right_count < MOST_FRAMES) {
            right_bytes[right_count] = whole(&frame, right[right_count]);
            right_count++;
        }
}

static uint64_t wrong_in(const uint8_t *stream, uint32_t count)
{
    struct frame frame;
    frame_forget();
    for (uint32_t i = 0; i < count; i++)
        if (frame_take(stream[i], &frame) && !dropped(&frame) && !is_right(&frame))
            return 1;
    return 0;
}

static void flip(uint8_t *stream, uint32_t bit)
{
    stream[bit / 8] ^= (uint8_t)(1u << bit % 8);
}

uint64_t host_flips(const uint8_t *stream, uint32_t count, uint32_t first_byte, uint32_t end_byte, int pairs,
                    uint64_t *wrong)
{
    uint8_t hurt[MOST_BYTES];
    uint64_t tried = 0;
    *wrong = 0;
    if (count > sizeof hurt)
        return 0;
    memcpy(hurt, stream, count);
    note_right(stream, count);
    for (uint32_t one = first_byte * 8; one < end_byte * 8; one++) {
        flip(hurt, one);
        if (!pairs) {
            *wrong += wrong_in(hurt, count);
            tried++;
        }
        for (uint32_t other = one + 1; pairs && other < end_byte * 8; other++) {
            flip(hurt, other);
            *wrong += wrong_in(hurt, count);
            tried++;
            flip(hurt, other);
        }
        flip(hurt, one);
    }
    return tried;
}
