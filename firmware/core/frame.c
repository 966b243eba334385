#include "frame.h"

#include "crc.h"
#include "port.h"

#define LONGEST_BLOCK 0xFFu // a COBS code that stands for 254 bytes and no zero

static uint16_t crc_of(const uint8_t *bytes, uint8_t size) {
    uint16_t start = bytes[1] == WIRE_HELLO || bytes[1] == WIRE_WELCOME ? 0 : 0xFFFFu;
    uint16_t crc = start;
    for (uint8_t i = 0; i < size; i++) {
        crc = crc_add(crc, bytes[i]);
    }
    return crc ^ start;
}

// --- receiving ---

static uint8_t decoded[FRAME_DECODED_BYTES];
static uint8_t count;
static uint8_t block_left; // bytes of the present COBS block still to come
static bool zero_follows;  // the block before stands for a zero after it, if the frame goes on
static bool broken;        // wait for the next 0x00

void frame_forget(void) {
    count = 0;
    block_left = 0;
    zero_follows = false;
    broken = false;
}

static void add(uint8_t byte) {
    if (count < sizeof decoded) {
        decoded[count++] = byte;
    } else {
        broken = true;
    }
}

static bool is_whole(void) {
    if (broken || block_left > 0 || count < FRAME_HEADER_BYTES + FRAME_CRC_BYTES) {
        return false;
    }
    uint8_t size = (uint8_t)(count - FRAME_CRC_BYTES);
    return crc_of(decoded, size) == wire_get_u16(decoded + size);
}

static bool end_frame(struct frame *frame) {
    bool whole = is_whole();
    if (whole) {
        frame->version = decoded[0];
        frame->type = decoded[1];
        frame->sequence = decoded[2];
        frame->length = (uint8_t)(count - FRAME_HEADER_BYTES - FRAME_CRC_BYTES);
        frame->payload = decoded + FRAME_HEADER_BYTES;
    }
    frame_forget();
    return whole;
}

bool frame_take(uint8_t byte, struct frame *frame) {
    if (byte == 0) {
        return end_frame(frame);
    }
    if (block_left > 0) {
        add(byte);
        block_left--;
        return false;
    }
    if (zero_follows) {
        add(0);
    }
    block_left = (uint8_t)(byte - 1);
    zero_follows = byte != LONGEST_BLOCK;
    return false;
}

// --- sending ---

// Frames of ours are shorter than a longest block, so COBS adds one byte at the front and the 0x00 one at the end.
#define SENT_BYTES(length) (FRAME_HEADER_BYTES + (length) + FRAME_CRC_BYTES + 2u)
_Static_assert(FRAME_DECODED_BYTES < LONGEST_BLOCK - 1, "a frame must fit one COBS block");

bool frame_send(uint8_t type, uint8_t sequence, const uint8_t *payload, uint8_t length) {
    if (length > WIRE_MAX_PAYLOAD || port_serial_room() < SENT_BYTES(length)) {
        return false;
    }
    uint8_t plain[FRAME_DECODED_BYTES] = {WIRE_VERSION, type, sequence};
    uint8_t size = FRAME_HEADER_BYTES;
    for (uint8_t i = 0; i < length; i++) {
        plain[size++] = payload[i];
    }
    wire_put_u16(plain + size, crc_of(plain, size));
    size += FRAME_CRC_BYTES;

    uint8_t begin = 0;
    while (begin <= size) { // each block: how far the next zero is, then the bytes before it; the end counts as a zero
        uint8_t end = begin;
        while (end < size && plain[end] != 0) {
            end++;
        }
        port_serial_send((uint8_t)(end - begin + 1));
        for (; begin < end; begin++) {
            port_serial_send(plain[begin]);
        }
        begin++;
    }
    port_serial_send(0);
    return true;
}
