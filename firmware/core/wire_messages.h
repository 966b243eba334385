/* Made by firmware/wire/generate.py from firmware/wire/messages.toml: change those. */
#ifndef WIRE_MESSAGES_H
#define WIRE_MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

#define WIRE_VERSION 2u
#define WIRE_DICTIONARY UINT32_C(0xf1ee524e)
#define WIRE_BAUD 115200u /* bits per second unless a board is built for another rate; 8 data bits, no parity, 1 stop bit */
#define WIRE_MAX_PAYLOAD 64u /* bytes of payload in a frame */
#define WIRE_MAX_BURST_CARDS 30u /* most cards a FEED may ask for */
#define WIRE_MAX_MOTOR_RUN_MS 10000u /* longest motor run a FEED may ask for */
#define WIRE_MAX_RETRACT_MS 1000u /* longest motor run a RETRACT may ask for */
#define WIRE_HOST_SILENT_MS 1000u /* without a valid frame for so long while the motor runs: motor off, latched */
#define WIRE_HOST_GONE_MS 2000u /* without a valid frame for so long: the device plays alone */
#define WIRE_DEVICE_NUMBERS 128u /* messages from the device are numbered from here on, those from the host below */

/* States of the launcher machine, for a device that plays alone. */
enum wire_launcher_state {
    WIRE_LAUNCHER_STATE_OFF = 0,
    WIRE_LAUNCHER_STATE_OPEN = 1,
    WIRE_LAUNCHER_STATE_READY = 2,
    WIRE_LAUNCHER_STATE_SUSPENSE = 3,
    WIRE_LAUNCHER_STATE_FEEDING = 4,
    WIRE_LAUNCHER_STATE_RETRACTING = 5,
    WIRE_LAUNCHER_STATE_JAMMED = 6,
    WIRE_LAUNCHER_STATE_EMPTY = 7,
    WIRE_LAUNCHER_STATE_BLIND = 8,
    WIRE_LAUNCHER_STATE_FAULT = 9,
};
#define WIRE_LAUNCHER_STATE_MEMBERS 10u

/* Why a motor run ended. */
enum wire_feed_end {
    WIRE_FEED_END_RUNNING = 0,
    WIRE_FEED_END_COUNT = 1,
    WIRE_FEED_END_TIMED = 2,
    WIRE_FEED_END_TIMEOUT = 3,
    WIRE_FEED_END_STALL = 4,
    WIRE_FEED_END_BLIND = 5,
    WIRE_FEED_END_LID = 6,
    WIRE_FEED_END_STOPPED = 7,
};
#define WIRE_FEED_END_MEMBERS 8u

/* Why a burst ended, for a device that plays alone. */
enum wire_burst_end {
    WIRE_BURST_END_DUD = 0,
    WIRE_BURST_END_COMPLETE = 1,
    WIRE_BURST_END_TIMED = 2,
    WIRE_BURST_END_LID = 3,
    WIRE_BURST_END_JAMMED = 4,
    WIRE_BURST_END_EMPTY = 5,
    WIRE_BURST_END_BLIND = 6,
    WIRE_BURST_END_OFF = 7,
    WIRE_BURST_END_FAULT = 8,
};
#define WIRE_BURST_END_MEMBERS 9u

/* Short melodies of the beeper. */
enum wire_chime {
    WIRE_CHIME_LID_SHUT = 0,
    WIRE_CHIME_SUSPENSE = 1,
    WIRE_CHIME_FIRE = 2,
    WIRE_CHIME_DUD = 3,
    WIRE_CHIME_REFUSED = 4,
    WIRE_CHIME_JAMMED = 5,
    WIRE_CHIME_EMPTY = 6,
    WIRE_CHIME_FAULT = 7,
};
#define WIRE_CHIME_MEMBERS 8u

/* What became of a command. */
enum wire_result {
    WIRE_RESULT_DONE = 0,
    WIRE_RESULT_BAD_ARGUMENT = 1,
    WIRE_RESULT_UNKNOWN_COMMAND = 2,
    WIRE_RESULT_NO_SESSION = 3,
    WIRE_RESULT_LATCHED = 4,
};
#define WIRE_RESULT_MEMBERS 5u

/* What the motor did last. */
enum wire_run_kind {
    WIRE_RUN_KIND_NONE = 0,
    WIRE_RUN_KIND_FEED = 1,
    WIRE_RUN_KIND_RETRACT = 2,
};
#define WIRE_RUN_KIND_MEMBERS 3u

/* Why the device started. */
enum wire_reset_cause {
    WIRE_RESET_CAUSE_POWER_ON = 0,
    WIRE_RESET_CAUSE_EXTERNAL = 1,
    WIRE_RESET_CAUSE_BROWN_OUT = 2,
    WIRE_RESET_CAUSE_WATCHDOG = 3,
    WIRE_RESET_CAUSE_UNKNOWN = 4,
};
#define WIRE_RESET_CAUSE_MEMBERS 5u

/* The odds of a device that plays alone. */
enum wire_odds {
    WIRE_ODDS_TOY = 0,
    WIRE_ODDS_MEMORYLESS = 1,
    WIRE_ODDS_COUNTDOWN = 2,
};
#define WIRE_ODDS_MEMBERS 3u

/* What the device runs on. */
enum wire_board {
    WIRE_BOARD_UNKNOWN = 0,
    WIRE_BOARD_ATMEGA328P_16MHZ = 1,
    WIRE_BOARD_ATMEGA328P_8MHZ = 2,
    WIRE_BOARD_HOST = 3,
};
#define WIRE_BOARD_MEMBERS 4u

/* What this launcher can do. */
enum wire_capability {
    WIRE_CAPABILITY_EXIT_SENSOR = 0x01,
    WIRE_CAPABILITY_RETRACT = 0x02,
};

/* Levels that count (filtered), and what the device is doing. */
enum wire_level {
    WIRE_LEVEL_LID_OPEN = 0x01,
    WIRE_LEVEL_EXIT_BLOCKED = 0x02,
    WIRE_LEVEL_BUTTON_DOWN = 0x04,
    WIRE_LEVEL_MOTOR_ON = 0x08,
    WIRE_LEVEL_LIGHT_ON = 0x10,
    WIRE_LEVEL_HOSTED = 0x20,
};

/* Why the motor is locked until RESET_LATCH; HELLO clears host_silent, too, power-on all. */
enum wire_latch {
    WIRE_LATCH_HOST_SILENT = 0x01,
    WIRE_LATCH_MOTOR_GUARD = 0x02,
    WIRE_LATCH_WATCHDOG = 0x04,
};

/* Kinds of frames. */
enum wire_type {
    WIRE_HELLO = 0x01,
    WIRE_FEED = 0x10,
    WIRE_RETRACT = 0x11,
    WIRE_STOP = 0x12,
    WIRE_PLAY = 0x13,
    WIRE_LIGHT = 0x14,
    WIRE_RESET_LATCH = 0x15,
    WIRE_BYE = 0x16,
    WIRE_HEARTBEAT = 0x20,
    WIRE_GET_STATE = 0x21,
    WIRE_WELCOME = 0x81,
    WIRE_ACK = 0x82,
    WIRE_STATE = 0x83,
};

static inline void wire_put_u16(uint8_t *bytes, uint16_t value) {
    bytes[0] = (uint8_t)(value >> 8);
    bytes[1] = (uint8_t)value;
}

static inline void wire_put_u32(uint8_t *bytes, uint32_t value) {
    wire_put_u16(bytes, (uint16_t)(value >> 16));
    wire_put_u16(bytes + 2, (uint16_t)value);
}

static inline uint16_t wire_get_u16(const uint8_t *bytes) {
    return (uint16_t)((uint16_t)(bytes[0] << 8) | bytes[1]);
}

static inline uint32_t wire_get_u32(const uint8_t *bytes) {
    return ((uint32_t)wire_get_u16(bytes) << 16) | wire_get_u16(bytes + 2);
}

/* HELLO, from the host. Begins a session: motor, sound and light off, the latch host_silent cleared, the last
 * sequence number forgotten. Answered with WELCOME and, if version and dictionary are the device's own, a STATE.
 * If they are not, no session begins. */
#define WIRE_HELLO_SIZE 7u
struct wire_hello {
    uint8_t protocol; /* version of this dictionary's framing and rules */
    uint32_t dictionary; /* hash of the dictionary */
    uint16_t nonce; /* any number; WELCOME returns it */
};

static inline uint8_t wire_pack_hello(uint8_t *payload, const struct wire_hello *message) {
    payload[0] = message->protocol;
    wire_put_u32(payload + 1, message->dictionary);
    wire_put_u16(payload + 5, message->nonce);
    return WIRE_HELLO_SIZE;
}

static inline bool wire_unpack_hello(const uint8_t *payload, uint8_t length, struct wire_hello *message) {
    if (length != WIRE_HELLO_SIZE) {
        return false;
    }
    message->protocol = payload[0];
    message->dictionary = wire_get_u32(payload + 1);
    message->nonce = wire_get_u16(payload + 5);
    return true;
}

/* FEED, from the host. Run the motor forward until so many cards have left. Refused runs are runs too: STATE tells
 * their end (lid: the lid is open; stopped: a latch is set, and the ACK says latched), and the motor has not
 * moved. Without the capability exit_sensor nothing is counted: the run ends with timed after timeout_ms; cards,
 * blind_ms and stall_ms must be in range and mean nothing; run_cards, cards_seen and blocked_ms stay 0. */
#define WIRE_FEED_SIZE 9u
struct wire_feed {
    uint8_t run; /* the host's number for this run, 1 to 255; STATE returns it */
    uint8_t cards; /* 1 to max_burst_cards */
    uint16_t timeout_ms; /* longest motor run, 1 to max_motor_run_ms */
    uint16_t blind_ms; /* longest time with a clear exit, before the first card and between two, 1 to max_motor_run_ms */
    uint16_t stall_ms; /* longest time without an edge of the exit sensor while something darkens it, 1 to max_motor_run_ms */
    uint8_t duty; /* motor duty, 1 to 255 (255: always on) */
};

static inline uint8_t wire_pack_feed(uint8_t *payload, const struct wire_feed *message) {
    payload[0] = message->run;
    payload[1] = message->cards;
    wire_put_u16(payload + 2, message->timeout_ms);
    wire_put_u16(payload + 4, message->blind_ms);
    wire_put_u16(payload + 6, message->stall_ms);
    payload[8] = message->duty;
    return WIRE_FEED_SIZE;
}

static inline bool wire_unpack_feed(const uint8_t *payload, uint8_t length, struct wire_feed *message) {
    if (length != WIRE_FEED_SIZE) {
        return false;
    }
    message->run = payload[0];
    message->cards = payload[1];
    message->timeout_ms = wire_get_u16(payload + 2);
    message->blind_ms = wire_get_u16(payload + 4);
    message->stall_ms = wire_get_u16(payload + 6);
    message->duty = payload[8];
    return true;
}

/* RETRACT, from the host. Run the motor backward for a moment; it ends with timed. Refused like FEED; without the
 * capability retract it is a bad_argument. */
#define WIRE_RETRACT_SIZE 4u
struct wire_retract {
    uint8_t run; /* the host's number for this run, 1 to 255; STATE returns it */
    uint16_t duration_ms; /* 1 to max_retract_ms */
    uint8_t duty; /* motor duty, 1 to 255 */
};

static inline uint8_t wire_pack_retract(uint8_t *payload, const struct wire_retract *message) {
    payload[0] = message->run;
    wire_put_u16(payload + 1, message->duration_ms);
    payload[3] = message->duty;
    return WIRE_RETRACT_SIZE;
}

static inline bool wire_unpack_retract(const uint8_t *payload, uint8_t length, struct wire_retract *message) {
    if (length != WIRE_RETRACT_SIZE) {
        return false;
    }
    message->run = payload[0];
    message->duration_ms = wire_get_u16(payload + 1);
    message->duty = payload[3];
    return true;
}

/* STOP, from the host. Motor off, now, whatever payload comes with it. A run under way ends with the cause
 * stopped. Nothing else changes. */
#define WIRE_STOP_SIZE 0u

/* PLAY, from the host. Play a chime; one that is playing is cut short. The chimes that a device has for itself
 * when it plays alone (low cells, choosing the odds) cannot be asked for. */
#define WIRE_PLAY_SIZE 1u
struct wire_play {
    uint8_t chime; /* which */
};

static inline uint8_t wire_pack_play(uint8_t *payload, const struct wire_play *message) {
    payload[0] = message->chime;
    return WIRE_PLAY_SIZE;
}

static inline bool wire_unpack_play(const uint8_t *payload, uint8_t length, struct wire_play *message) {
    if (length != WIRE_PLAY_SIZE) {
        return false;
    }
    message->chime = payload[0];
    return true;
}

/* LIGHT, from the host. Status light. */
#define WIRE_LIGHT_SIZE 1u
struct wire_light {
    uint8_t on; /* 1 on, 0 off */
};

static inline uint8_t wire_pack_light(uint8_t *payload, const struct wire_light *message) {
    payload[0] = message->on;
    return WIRE_LIGHT_SIZE;
}

static inline bool wire_unpack_light(const uint8_t *payload, uint8_t length, struct wire_light *message) {
    if (length != WIRE_LIGHT_SIZE) {
        return false;
    }
    message->on = payload[0];
    return true;
}

/* RESET_LATCH, from the host. Clear the latches: a person has seen to it. The motor stays off. */
#define WIRE_RESET_LATCH_SIZE 0u

/* BYE, from the host. Ends the session: motor, sound and light off; the device plays alone from now on. Without a
 * session: bye is done. */
#define WIRE_BYE_SIZE 0u

/* HEARTBEAT, from the host. The host is alive; say it every 100 ms while the motor runs, else once a second.
 * Answered with a STATE that has the same sequence number; not acknowledged. */
#define WIRE_HEARTBEAT_SIZE 0u

/* GET_STATE, from the host. Answered like HEARTBEAT, with or without a session, but does not count as a sign of
 * life. */
#define WIRE_GET_STATE_SIZE 0u

/* WELCOME, from the device. Answer to HELLO, with its sequence number; sent whatever the HELLO's version was. */
#define WIRE_WELCOME_SIZE 17u
struct wire_welcome {
    uint16_t nonce; /* from the HELLO */
    uint8_t protocol; /* version of the device's framing and rules */
    uint32_t dictionary; /* hash of the device's dictionary */
    uint8_t firmware_major; /* firmware version */
    uint8_t firmware_minor; /* firmware version */
    uint8_t firmware_patch; /* firmware version */
    uint32_t boot_id; /* another number at every start of the device */
    uint8_t reset_cause; /* why it started */
    uint8_t capabilities; /* what it can do */
    uint8_t board; /* what it runs on */
};

static inline uint8_t wire_pack_welcome(uint8_t *payload, const struct wire_welcome *message) {
    wire_put_u16(payload + 0, message->nonce);
    payload[2] = message->protocol;
    wire_put_u32(payload + 3, message->dictionary);
    payload[7] = message->firmware_major;
    payload[8] = message->firmware_minor;
    payload[9] = message->firmware_patch;
    wire_put_u32(payload + 10, message->boot_id);
    payload[14] = message->reset_cause;
    payload[15] = message->capabilities;
    payload[16] = message->board;
    return WIRE_WELCOME_SIZE;
}

static inline bool wire_unpack_welcome(const uint8_t *payload, uint8_t length, struct wire_welcome *message) {
    if (length != WIRE_WELCOME_SIZE) {
        return false;
    }
    message->nonce = wire_get_u16(payload + 0);
    message->protocol = payload[2];
    message->dictionary = wire_get_u32(payload + 3);
    message->firmware_major = payload[7];
    message->firmware_minor = payload[8];
    message->firmware_patch = payload[9];
    message->boot_id = wire_get_u32(payload + 10);
    message->reset_cause = payload[14];
    message->capabilities = payload[15];
    message->board = payload[16];
    return true;
}

/* ACK, from the device. Answer to every command from FEED to BYE, with its sequence number. A command that was
 * carried out and comes again with its sequence number is not carried out again, and its answer is the same again.
 * Also the answer to what is no command: unknown_command for a number below device_numbers that this dictionary
 * does not have, bad_argument for a payload of the wrong length (STOP has none that is wrong); HELLO of the wrong
 * length is dropped. A host must look at the command, too: the answer to a frame that was damaged may carry its
 * number. */
#define WIRE_ACK_SIZE 2u
struct wire_ack {
    uint8_t command; /* number of the message that is answered */
    uint8_t result; /* what became of it */
};

static inline uint8_t wire_pack_ack(uint8_t *payload, const struct wire_ack *message) {
    payload[0] = message->command;
    payload[1] = message->result;
    return WIRE_ACK_SIZE;
}

static inline bool wire_unpack_ack(const uint8_t *payload, uint8_t length, struct wire_ack *message) {
    if (length != WIRE_ACK_SIZE) {
        return false;
    }
    message->command = payload[0];
    message->result = payload[1];
    return true;
}

/* STATE, from the device. Everything that is known, so that a lost report loses nothing: counters wrap, and the
 * next report carries what the lost one said. Sent at every change within a session (at most one every few
 * milliseconds; sequence number 0), and in answer to HEARTBEAT and GET_STATE with their sequence number. */
#define WIRE_STATE_SIZE 31u
struct wire_state {
    uint32_t boot_id; /* as in WELCOME */
    uint32_t uptime_ms; /* since the start of the device */
    uint8_t levels; /* levels that count */
    uint8_t latches; /* why the motor is locked */
    uint16_t presses; /* pushes of the button so far */
    uint16_t lid_rises; /* how often the lid has gone up so far */
    uint16_t cards_seen; /* times the exit was blocked and free again so far, whatever the motor did */
    uint16_t blocked_ms_0; /* how long the newest of them was dark; 65535: that or longer */
    uint16_t blocked_ms_1; /* the one before */
    uint16_t blocked_ms_2; /* the one before that */
    uint16_t blocked_ms_3; /* and the one before that */
    uint8_t run; /* the host's number for the last run; 0: none yet in this session */
    uint8_t run_kind; /* what it was; none before the first of a session */
    uint8_t run_cards; /* cards seen since that run began, the coast-down included */
    uint8_t run_end; /* why it ended; running until the motor is off and has coasted down */
    uint16_t cell_mv; /* supply voltage; 0: not measured */
    uint8_t odds; /* what it plays with when it is alone, kept through power-off */
};

static inline uint8_t wire_pack_state(uint8_t *payload, const struct wire_state *message) {
    wire_put_u32(payload + 0, message->boot_id);
    wire_put_u32(payload + 4, message->uptime_ms);
    payload[8] = message->levels;
    payload[9] = message->latches;
    wire_put_u16(payload + 10, message->presses);
    wire_put_u16(payload + 12, message->lid_rises);
    wire_put_u16(payload + 14, message->cards_seen);
    wire_put_u16(payload + 16, message->blocked_ms_0);
    wire_put_u16(payload + 18, message->blocked_ms_1);
    wire_put_u16(payload + 20, message->blocked_ms_2);
    wire_put_u16(payload + 22, message->blocked_ms_3);
    payload[24] = message->run;
    payload[25] = message->run_kind;
    payload[26] = message->run_cards;
    payload[27] = message->run_end;
    wire_put_u16(payload + 28, message->cell_mv);
    payload[30] = message->odds;
    return WIRE_STATE_SIZE;
}

static inline bool wire_unpack_state(const uint8_t *payload, uint8_t length, struct wire_state *message) {
    if (length != WIRE_STATE_SIZE) {
        return false;
    }
    message->boot_id = wire_get_u32(payload + 0);
    message->uptime_ms = wire_get_u32(payload + 4);
    message->levels = payload[8];
    message->latches = payload[9];
    message->presses = wire_get_u16(payload + 10);
    message->lid_rises = wire_get_u16(payload + 12);
    message->cards_seen = wire_get_u16(payload + 14);
    message->blocked_ms_0 = wire_get_u16(payload + 16);
    message->blocked_ms_1 = wire_get_u16(payload + 18);
    message->blocked_ms_2 = wire_get_u16(payload + 20);
    message->blocked_ms_3 = wire_get_u16(payload + 22);
    message->run = payload[24];
    message->run_kind = payload[25];
    message->run_cards = payload[26];
    message->run_end = payload[27];
    message->cell_mv = wire_get_u16(payload + 28);
    message->odds = payload[30];
    return true;
}

#endif
