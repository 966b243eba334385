// What must hold whatever the line and the inputs do. A breach aborts, which a fuzzer keeps as a finding.
#ifndef FUZZ_WITNESS_H
#define FUZZ_WITNESS_H

#include "brain.h"
#include "core.h"
#include "session.h"
#include "frames.h"
#include "host.h"
#include "wire_messages.h"

#include <stdio.h>
#include <stdlib.h>

#define WITNESS(holds, ...)                                                                                            \
    do {                                                                                                               \
        if (!(holds)) {                                                                                                \
            fprintf(stderr, "at %llu us: ", (unsigned long long)host_now());                                           \
            fprintf(stderr, __VA_ARGS__);                                                                              \
            fputc('\n', stderr);                                                                                       \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

enum {
    WITNESS_MARGIN_US = 20000,
    WITNESS_BRAKED = 1000,
    WITNESS_FLICKER_US = 3000, // so long a brake after the last card may be taken back: the run goes on
};

static struct {
    uint8_t chunk[FRAME_ROOM * 3 + 1]; // bytes since the last zero
    size_t chunk_length;
    bool chunk_too_long;
    uint64_t heard_at;       // the last valid frame that is a sign of life
    uint32_t runs_asked;     // valid FEED and RETRACT frames that reached the core
    uint32_t runs_begun;     // times that the motor started while a host was there
    uint32_t frames_read;
    uint64_t motor_since;
    uint64_t motor_until;    // when it last stopped turning
    int32_t motor;
} witness;

static inline void witness_begin(void)
{
    memset(&witness, 0, sizeof witness);
}

// Call with every byte before the core gets it.
static inline void witness_byte(uint8_t byte)
{
    if (byte != 0) {
        if (witness.chunk_length < sizeof witness.chunk)
            witness.chunk[witness.chunk_length++] = byte;
        return;
    }
    uint8_t type, seq, payload[FRAME_ROOM * 4];
    size_t length;
    if (frame_read(witness.chunk, witness.chunk_length, &type, &seq, payload, &length)) {
        witness.frames_read++;
        witness.heard_at = host_now();
        if ((type == WIRE_FEED && length == WIRE_FEED_SIZE) || (type == WIRE_RETRACT && length == WIRE_RETRACT_SIZE))
            witness.runs_asked++;
    }
    witness.chunk_length = 0;
}

static inline void witness_event(const host_event_t *event)
{
    if (event->kind != 'M')
        return;
    bool was_off = witness.motor == 0 || witness.motor == WITNESS_BRAKED;
    bool is_on = event->value != 0 && event->value != WITNESS_BRAKED;
    if (!was_off && !is_on)
        witness.motor_until = event->us;
    bool goes_on = witness.runs_begun > 0 && event->us - witness.motor_until <= WITNESS_FLICKER_US;
    if (was_off && is_on && !goes_on) {
        witness.motor_since = event->us;
        if (session_is_on())
            witness.runs_begun++;
    }
    witness.motor = event->value;
}

// Call often: at least once in WITNESS_MARGIN_US of virtual time while the motor runs.
static inline void witness_look(void)
{
    host_event_t events[256];
    uint32_t count;
    while ((count = host_events(events, 256)) != 0)
        for (uint32_t i = 0; i < count; i++)
            witness_event(&events[i]);
    WITNESS(host_mistakes() == 0, "%s", host_last_mistake());
    WITNESS(witness.motor == host_motor(), "the motor changed without a word");
    WITNESS(witness.runs_begun <= witness.runs_asked, "%u runs asked for, %u begun", witness.runs_asked,
            witness.runs_begun);
    if (witness.motor == 0 || witness.motor == WITNESS_BRAKED)
        return;
    WITNESS(host_now() - witness.motor_since <= WIRE_MAX_MOTOR_RUN_MS * 1000ull + WITNESS_MARGIN_US,
            "the motor has been on for %llu us", (unsigned long long)(host_now() - witness.motor_since));
    struct brain_view brain;
    brain_look(&brain);
    if (session_is_on())
        WITNESS(host_now() - witness.heard_at <= WIRE_HOST_SILENT_MS * 1000ull + WITNESS_MARGIN_US,
                "the motor runs though the host has been silent for %llu us",
                (unsigned long long)(host_now() - witness.heard_at));
    else
        WITNESS(brain.state == WIRE_LAUNCHER_STATE_FEEDING || brain.state == WIRE_LAUNCHER_STATE_RETRACTING,
                "the motor runs in state %u", brain.state);
}

// Time goes on, watched.
static inline void witness_run(uint64_t us)
{
    uint64_t end = host_now() + us;
    while (host_now() < end) {
        uint64_t next = host_motor() != 0 ? host_now() + WITNESS_MARGIN_US / 2 : end;
        host_run(next < end ? next : end, 1); // ends early when the motor starts
        witness_look();
    }
}

// Byte for byte, each as long as it takes on the line.
static inline void witness_send(const uint8_t *bytes, size_t count, uint32_t byte_us)
{
    for (size_t i = 0; i < count; i++) {
        witness_run(byte_us);
        witness_byte(bytes[i]);
        host_send(&bytes[i], 1);
    }
    witness_run(byte_us);
}

#endif
