#include "session.h"

#include "brain.h"
#include "choosing.h"
#include "motor.h"
#include "report.h"
#include "run.h"
#include "signals.h"
#include "timing.h"
#include "wire_messages.h"

#define SILENT_US (WIRE_HOST_SILENT_MS * US_PER_MS)
#define GONE_US (WIRE_HOST_GONE_MS * US_PER_MS)

static bool on;
static uint32_t heard_at_us;

// The last command of the session that was carried out and its answer, for when it comes again. A refused one may have
// been damaged on its way: it is looked at anew each time.
static bool any_command;
static uint8_t last_sequence;
static uint8_t last_command;
static uint8_t last_result;

void session_init(void) {
    on = false;
}

bool session_is_on(void) {
    return on;
}

static void all_off(void) {
    run_forget();
    signals_init();
    any_command = false;
}

static void begin(uint32_t now_us) {
    choosing_give_up();
    brain_switch_off(now_us);
    all_off();
    motor_unlatch(WIRE_LATCH_HOST_SILENT);
    on = true;
    heard_at_us = now_us;
    report_anew();
}

static void end(uint32_t now_us) {
    on = false;
    all_off();
    report_anew();
    brain_switch_on(now_us);
}

static void take_hello(const struct frame *frame, uint32_t now_us) {
    struct wire_hello hello;
    if (!wire_unpack_hello(frame->payload, frame->length, &hello)) {
        return;
    }
    report_welcome(frame->sequence, hello.nonce);
    if (frame->version == WIRE_VERSION && hello.protocol == WIRE_VERSION && hello.dictionary == WIRE_DICTIONARY) {
        begin(now_us);
    }
}

// --- commands: each returns what became of it ---

static bool within(uint16_t value, uint16_t highest) {
    return value >= 1 && value <= highest;
}

static uint8_t run_result(void) {
    return motor_latches() != 0 ? WIRE_RESULT_LATCHED : WIRE_RESULT_DONE;
}

static uint8_t take_feed(const struct frame *frame, uint32_t now_us) {
    struct wire_feed feed;
    if (!wire_unpack_feed(frame->payload, frame->length, &feed) || feed.run == 0 ||
        !within(feed.cards, WIRE_MAX_BURST_CARDS) || !within(feed.timeout_ms, WIRE_MAX_MOTOR_RUN_MS) ||
        !within(feed.blind_ms, WIRE_MAX_MOTOR_RUN_MS) || !within(feed.stall_ms, WIRE_MAX_MOTOR_RUN_MS) ||
        feed.duty == 0) {
        return WIRE_RESULT_BAD_ARGUMENT;
    }
    run_feed(&(struct feed){feed.run, feed.cards, feed.timeout_ms, feed.blind_ms, feed.stall_ms, feed.duty}, now_us);
    return run_result();
}

static uint8_t take_retract(const struct frame *frame, uint32_t now_us) {
    struct wire_retract retract;
    if (!wire_unpack_retract(frame->payload, frame->length, &retract) || retract.run == 0 ||
        !(port_capabilities() & WIRE_CAPABILITY_RETRACT) || !within(retract.duration_ms, WIRE_MAX_RETRACT_MS) ||
        retract.duty == 0) {
        return WIRE_RESULT_BAD_ARGUMENT;
    }
    run_retract(&(struct retract){retract.run, retract.duration_ms, retract.duty}, now_us);
    return run_result();
}

static uint8_t take_play(uint8_t chime, uint32_t now_us) {
    if (chime > WIRE_CHIME_FAULT) {
        return WIRE_RESULT_BAD_ARGUMENT;
    }
    signals_play(chime, now_us);
    return WIRE_RESULT_DONE;
}

static uint8_t take_light(uint8_t lit) {
    if (lit > 1) {
        return WIRE_RESULT_BAD_ARGUMENT;
    }
    signals_light(lit != 0);
    return WIRE_RESULT_DONE;
}

static uint8_t execute(const struct frame *frame, uint32_t now_us) {
    switch (frame->type) {
    case WIRE_FEED:
        return take_feed(frame, now_us);
    case WIRE_RETRACT:
        return take_retract(frame, now_us);
    case WIRE_PLAY:
        return take_play(frame->payload[0], now_us);
    case WIRE_LIGHT:
        return take_light(frame->payload[0]);
    case WIRE_STOP:
        run_stop(now_us);
        break;
    case WIRE_RESET_LATCH:
        motor_unlatch(MOTOR_EVERY_LATCH);
        break;
    default: // WIRE_BYE
        end(now_us);
        break;
    }
    return WIRE_RESULT_DONE;
}

static void take_command(const struct frame *frame, uint32_t now_us) {
    if (!on) {
        report_ack(frame->sequence, frame->type,
                   frame->type == WIRE_BYE ? WIRE_RESULT_DONE : WIRE_RESULT_NO_SESSION);
        return;
    }
    if (any_command && frame->sequence == last_sequence) { // its answer was lost: the same answer again, nothing done
        report_ack(frame->sequence, last_command, last_result);
        return;
    }
    uint8_t result = execute(frame, now_us);
    if (result != WIRE_RESULT_BAD_ARGUMENT) {
        any_command = on;
        last_sequence = frame->sequence;
        last_command = frame->type;
        last_result = result;
    }
    report_ack(frame->sequence, frame->type, result);
}

// --- frames ---

enum { NO_SUCH_MESSAGE = 0xFF };

// Payload of a message for the device, HELLO excepted.
static uint8_t payload_bytes(uint8_t type) {
    switch (type) {
    case WIRE_FEED:
        return WIRE_FEED_SIZE;
    case WIRE_RETRACT:
        return WIRE_RETRACT_SIZE;
    case WIRE_PLAY:
        return WIRE_PLAY_SIZE;
    case WIRE_LIGHT:
        return WIRE_LIGHT_SIZE;
    case WIRE_STOP:
    case WIRE_RESET_LATCH:
    case WIRE_BYE:
    case WIRE_HEARTBEAT:
    case WIRE_GET_STATE:
        return 0;
    default:
        return NO_SUCH_MESSAGE;
    }
}

// What is wrong with a frame before anybody looks at what it asks.
static uint8_t flaw(const struct frame *frame) {
    uint8_t bytes = payload_bytes(frame->type);
    if (bytes == NO_SUCH_MESSAGE) {
        return WIRE_RESULT_UNKNOWN_COMMAND;
    }
    bool right = frame->length == bytes || frame->type == WIRE_STOP; // whatever comes with it: the motor must stop
    return right ? WIRE_RESULT_DONE : WIRE_RESULT_BAD_ARGUMENT;
}

void session_take(const struct frame *frame, uint32_t now_us) {
    if (frame->type == WIRE_HELLO) {
        take_hello(frame, now_us);
        return;
    }
    if (frame->version != WIRE_VERSION || frame->type >= WIRE_DEVICE_NUMBERS) { // the latter an echo of our own words
        return;
    }
    uint8_t wrong = flaw(frame);
    if (wrong != WIRE_RESULT_DONE) {
        report_ack(frame->sequence, frame->type, wrong);
        return;
    }
    if (frame->type != WIRE_GET_STATE) {
        heard_at_us = now_us;
    }
    if (frame->type == WIRE_GET_STATE || frame->type == WIRE_HEARTBEAT) {
        report_state(frame->sequence, on, now_us);
    } else {
        take_command(frame, now_us);
    }
}

// --- silence ---

void session_poll(uint32_t now_us) {
    if (!on) {
        return;
    }
    uint32_t silent_us = now_us - heard_at_us;
    if (silent_us >= SILENT_US && motor_is_on()) {
        run_stop(now_us);
        motor_latch(WIRE_LATCH_HOST_SILENT);
    }
    if (silent_us >= GONE_US) {
        end(now_us);
    }
}

uint32_t session_due(uint32_t now_us) {
    if (!on) {
        return NOTHING_DUE;
    }
    return time_until(now_us, heard_at_us + (motor_is_on() ? SILENT_US : GONE_US));
}
