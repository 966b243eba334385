// libFuzzer: what a host, a person and the cards may do, in any order and at any time. Two bytes are one act.
#include "witness.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static const uint8_t TYPES[] = {
    WIRE_HELLO, WIRE_FEED, WIRE_RETRACT,   WIRE_STOP,      WIRE_PLAY, WIRE_LIGHT, WIRE_RESET_LATCH,
    WIRE_BYE,   WIRE_FEED, WIRE_HEARTBEAT, WIRE_GET_STATE, 0x7f,      WIRE_STATE, WIRE_HEARTBEAT,
};

static uint8_t seq;
static uint32_t byte_us;
static bool lid_open, exit_blocked, button_down;

// A payload that mostly makes sense; `figure` chooses.
static size_t payload_for(uint8_t type, uint8_t figure, uint8_t *payload)
{
    switch (type) {
    case WIRE_HELLO: {
        const struct wire_hello m = {figure < 250 ? WIRE_VERSION : 9, figure < 240 ? WIRE_DICTIONARY : 1, figure};
        return wire_pack_hello(payload, &m);
    }
    case WIRE_FEED: {
        const struct wire_feed m = {figure, (uint8_t)(figure % 33), (uint16_t)(figure * 41), (uint16_t)(figure * 17),
                                    (uint16_t)(figure * 29), (uint8_t)(figure * 3)};
        return wire_pack_feed(payload, &m);
    }
    case WIRE_RETRACT: {
        const struct wire_retract m = {figure, (uint16_t)(figure * 4), (uint8_t)(255 - figure)};
        return wire_pack_retract(payload, &m);
    }
    case WIRE_PLAY:
    case WIRE_LIGHT:
        payload[0] = figure % 10;
        return 1;
    default:
        memset(payload, figure, figure < 8 ? figure : 0);
        return figure < 8 ? figure : 0;
    }
}

static void say(uint8_t type, uint8_t figure)
{
    uint8_t payload[64], frame[FRAME_ROOM];
    if (figure & 1)
        seq++;
    size_t length = payload_for(type, figure, payload);
    if (figure == 255)
        length ^= 1;
    witness_send(frame, frame_make(frame, WIRE_VERSION, type, seq, payload, length), byte_us);
}

static void act(uint8_t what, uint8_t figure)
{
    static const uint8_t zero = 0;
    switch (what % 32) {
    case 14:
        witness_run((uint64_t)figure * 100);
        break;
    case 15:
    case 16:
        witness_run((uint64_t)figure * 2000);
        break;
    case 17:
        witness_run((uint64_t)figure * 5000);
        break;
    case 18:
        lid_open = !lid_open;
        host_input('l', lid_open);
        break;
    case 19:
    case 20:
    case 21:
        exit_blocked = !exit_blocked;
        host_input('e', exit_blocked);
        witness_run((uint64_t)figure * 300);
        break;
    case 22:
    case 23:
        button_down = !button_down;
        host_input('b', button_down);
        witness_run((uint64_t)figure * 300);
        break;
    case 24:
        witness_send(&figure, 1, byte_us);
        break;
    case 25:
        witness_send(&zero, 1, byte_us);
        break;
    case 26:
        host_cells((uint16_t)(figure * 25));
        break;
    case 27:
        if (figure < 8) {
            host_start(figure % (WIRE_RESET_CAUSE_UNKNOWN + 1));
            witness_look();
            WITNESS(host_motor() == 0, "the motor runs after a reset");
        }
        break;
    case 28:
        host_lazy(figure < 64 ? (uint32_t)figure * 100 : 0);
        break;
    default:
        say(TYPES[what % 32 % sizeof TYPES], figure);
    }
    witness_look();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    seq = 0;
    lid_open = exit_blocked = button_down = false;
    uint8_t start = count > 0 ? bytes[0] : 0;
    byte_us = start & 4 ? 87 : 0;
    host_begin(start & 3, byte_us, start & 8 ? UINT32_MAX - 1000000 : 0, start);
    witness_begin();
    host_start(start >> 4 & 3);
    for (size_t at = 1; at + 1 < count; at += 2)
        act(bytes[at], bytes[at + 1]);
    witness_run((WIRE_HOST_SILENT_MS + 100) * 1000);
    return 0;
}
