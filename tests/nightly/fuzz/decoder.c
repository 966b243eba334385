// libFuzzer: raw bytes on the line, within a session. The core must accept what the plain decoder accepts, no more.
#include "witness.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void hello(void)
{
    uint8_t payload[WIRE_HELLO_SIZE], frame[FRAME_ROOM];
    const struct wire_hello message = {WIRE_VERSION, WIRE_DICTIONARY, 7};
    witness_send(frame, frame_make(frame, WIRE_VERSION, WIRE_HELLO, 1, payload, wire_pack_hello(payload, &message)), 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    const uint8_t zero = 0;
    host_begin(WIRE_CAPABILITY_EXIT_SENSOR | WIRE_CAPABILITY_RETRACT, 0, 0, 1);
    witness_begin();
    host_start(WIRE_RESET_CAUSE_POWER_ON);
    hello();
    witness_look();
    WITNESS(session_is_on(), "a plain HELLO began no session");
    for (size_t at = 0; at < count; at += 16) {
        witness_send(bytes + at, count - at < 16 ? count - at : 16, 0);
        witness_run(1500);
    }
    witness_send(&zero, 1, 0);
    witness_run((WIRE_HOST_SILENT_MS + 100) * 1000);
    WITNESS(host_motor() == 0, "the motor runs long after the last byte");
    hello();
    WITNESS(session_is_on(), "after all that, a plain HELLO began no session");
    return 0;
}
