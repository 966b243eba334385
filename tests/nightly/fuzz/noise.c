// Line noise: random bytes, whole frames, and frames that were hurt on the way, millions of bytes of them.
// Usage: noise SEED BYTES. Prints what it did as JSON; aborts when the motor starts unasked or the core breaks a rule.
// A hurt frame passes the CRC once in 65,536: `runs_asked` counts the whole FEED and RETRACT frames among the noise.
#include "witness.h"

#include <inttypes.h>

enum { LONGEST_RUN_US = 4000000 }; // longer than any run that the noise may have asked for

static uint64_t state;
static uint64_t sent, frames_whole, frames_hurt, runs_hurt;
static uint8_t seq;

static uint32_t chance(uint32_t below) // xorshift64*
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * 2685821657736338717ull) >> 32) % below;
}

static void put(const uint8_t *bytes, size_t count)
{
    witness_send(bytes, count, 0);
    sent += count;
    witness_run(chance(8) == 0 ? chance(40000) : chance(400));
}

static size_t make(uint8_t *frame, uint8_t type)
{
    uint8_t payload[64];
    size_t length = 0;
    seq++;
    switch (type) {
    case WIRE_HELLO: {
        const struct wire_hello m = {WIRE_VERSION, WIRE_DICTIONARY, (uint16_t)chance(65536)};
        length = wire_pack_hello(payload, &m);
        break;
    }
    case WIRE_FEED: {
        const struct wire_feed m = {seq, (uint8_t)(1 + chance(30)), (uint16_t)(1 + chance(3000)),
                                    (uint16_t)(1 + chance(1000)), (uint16_t)(1 + chance(1000)), (uint8_t)(1 + chance(255))};
        length = wire_pack_feed(payload, &m);
        break;
    }
    case WIRE_RETRACT: {
        const struct wire_retract m = {seq, (uint16_t)(1 + chance(1000)), (uint8_t)(1 + chance(255))};
        length = wire_pack_retract(payload, &m);
        break;
    }
    case WIRE_PLAY:
    case WIRE_LIGHT:
        payload[length++] = (uint8_t)chance(8);
        break;
    default:
        break;
    }
    return frame_make(frame, WIRE_VERSION, type, seq, payload, length);
}

// One or two flipped bits (a CRC finds them all), a lost byte, a doubled byte or a cut.
static size_t hurt(uint8_t *frame, size_t length)
{
    size_t at = chance((uint32_t)length - 1);
    switch (chance(4)) {
    case 0:
        memmove(frame + at, frame + at + 1, length - at - 1);
        return length - 1;
    case 1:
        memmove(frame + at + 1, frame + at, length - at);
        return length + 1;
    case 2:
        frame[at] = 0;
        return at + 1;
    default: {
        uint32_t one = chance((uint32_t)(length - 1) * 8), other = chance((uint32_t)(length - 1) * 8);
        frame[one / 8] ^= (uint8_t)(1 << one % 8);
        if (other != one) // the same bit twice would be no hurt
            frame[other / 8] ^= (uint8_t)(1 << other % 8);
        return length;
    }
    }
}

static void some_noise(void)
{
    static const uint8_t quiet_types[] = {WIRE_HELLO, WIRE_PLAY, WIRE_LIGHT, WIRE_HEARTBEAT, WIRE_GET_STATE, WIRE_STOP};
    uint8_t bytes[FRAME_ROOM * 2];
    switch (chance(4)) {
    case 0: {
        size_t count = 1 + chance(sizeof bytes);
        for (size_t i = 0; i < count; i++)
            bytes[i] = (uint8_t)chance(256);
        put(bytes, count);
        break;
    }
    case 1:
        put(bytes, make(bytes, quiet_types[chance(sizeof quiet_types)]));
        frames_whole++;
        break;
    case 2:
        put(bytes, hurt(bytes, make(bytes, quiet_types[chance(sizeof quiet_types)])));
        frames_hurt++;
        break;
    default:
        put(bytes, hurt(bytes, make(bytes, chance(3) ? WIRE_FEED : WIRE_RETRACT)));
        runs_hurt++;
    }
}

int main(int count, char **words)
{
    if (count != 3)
        return 2;
    uint8_t frame[FRAME_ROOM];
    const uint8_t zero = 0;
    state = strtoull(words[1], NULL, 10) * 2 + 1;
    uint64_t wanted = strtoull(words[2], NULL, 10);
    host_begin(WIRE_CAPABILITY_EXIT_SENSOR | WIRE_CAPABILITY_RETRACT, 0, 0, 1);
    witness_begin();
    host_start(WIRE_RESET_CAUSE_POWER_ON);
    while (sent < wanted)
        some_noise();
    put(&zero, 1);
    witness_run(LONGEST_RUN_US);
    put(frame, make(frame, WIRE_HELLO));
    WITNESS(session_is_on(), "after the noise a HELLO begins no session");
    uint32_t runs_asked = witness.runs_asked, runs_begun = witness.runs_begun;
    WITNESS(runs_begun <= runs_asked, "the motor started %u times, asked %u times", runs_begun, runs_asked);
    put(frame, make(frame, WIRE_FEED));
    witness_look();
    WITNESS(witness.runs_begun == runs_begun + 1, "after the noise a FEED does not start the motor");
    printf("{\"bytes\": %" PRIu64 ", \"frames_whole\": %" PRIu64 ", \"frames_hurt\": %" PRIu64
           ", \"runs_hurt\": %" PRIu64 ", \"frames_read\": %u, \"runs_asked\": %u, \"seconds\": %" PRIu64 "}\n",
           sent, frames_whole, frames_hurt, runs_hurt, witness.frames_read, runs_asked, host_now() / 1000000);
    return 0;
}
