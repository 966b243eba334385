// The world outside the host board: hands, the other end of the line, and time.
#include "board.h"

#include "port.h"

#include <string.h>

// Empty whenever its head is its tail: host_begin() leaves it as it is.
static uint8_t line_bytes[LINE_ROOM];

void host_begin(uint8_t capabilities, uint32_t byte_us, uint32_t clock_us, uint32_t noise)
{
    memset(&host, 0, sizeof host);
    memset(host.memory, 0xff, sizeof host.memory);
    host.capabilities = capabilities;
    host.byte_us = byte_us;
    host.clock_us = clock_us;
    host.noise = noise;
    host.cell_mv = 4500;
    host.last_mistake = "";
}

void host_cells(uint16_t millivolts) { host.cell_mv = millivolts; }

void host_memory(uint8_t address, uint8_t value) { host.memory[address % MEMORY_BYTES] = value; }

uint8_t host_memory_at(uint8_t address) { return host.memory[address % MEMORY_BYTES]; }

void host_lazy(uint32_t poll_every_us) { host.lazy_us = poll_every_us; }

static void look_at_brain(void)
{
    struct brain_view brain;
    brain_look(&brain);
    if (brain.state != host.brain.state)
        board_note('S', brain.state);
    if (brain.bursts_ended != host.brain.bursts_ended)
        board_note('E', brain.last_end | brain.last_delivered << 8);
    host.brain = brain;
}

void host_start(uint8_t reset_cause)
{
    host.enable = false; // pins float, and the pull-down holds enable
    host.bridge = 0;
    host.in_send = 0;
    board_look_at_motor();
    port_tone(0);
    port_light(false);
    host.lid_rose = false;
    host.in_init = true;
    core_init(reset_cause);
    host.in_init = false;
    host.running = true;
    host.poll_due = host.now;
    look_at_brain();
}

static void apply(uint8_t line, bool active)
{
    switch (line) {
    case 'l':
        if (active && !host.lid_open) {
            host.lid_rose = true; // the board's own interrupt
            host.lid_open = true;
            host.enable = false;
            board_look_at_motor();
        }
        host.lid_open = active;
        break;
    case 'b':
        host.button_down = active;
        break;
    case 'e':
        if (active != host.exit_blocked) {
            host.exit_blocked = active;
            if (host.running)
                core_exit_edge(active, port_now_us());
        }
        break;
    default:
        board_mistake("no such line");
    }
    host.poll_due = host.now;
}

void host_input(uint8_t line, int active) { apply(line, active != 0); }

static void poll(void)
{
    uint32_t wait = core_poll(port_now_us());
    if (wait == 0) {
        board_mistake("core_poll returned 0");
        wait = 1;
    }
    host.poll_due = wait == CORE_NOTHING_DUE ? UINT64_MAX : host.now + wait;
    look_at_brain();
}

static void poll_soon(void)
{
    uint64_t soon = host.now + host.lazy_us;
    if (host.poll_due > soon)
        host.poll_due = soon;
}

static void receive(uint8_t byte)
{
    if (host.running)
        core_receive(byte);
    poll_soon();
}

void host_send(const uint8_t *bytes, uint32_t count)
{
    if (host.byte_us == 0) {
        while (count--) {
            receive(*bytes++);
            if (host.poll_due <= host.now && host.running)
                poll();
        }
        return;
    }
    if (host.line_head == host.line_tail && host.receive_done_at < host.now)
        host.receive_done_at = host.now;
    while (count--)
        line_bytes[host.line_head++ % LINE_ROOM] = *bytes++;
}

static uint64_t byte_there_at(void)
{
    return host.line_head == host.line_tail ? UINT64_MAX : host.receive_done_at + host.byte_us;
}

static uint64_t byte_gone_at(void) { return host.in_send ? host.send_done_at : UINT64_MAX; }

static uint64_t earliest(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint64_t next_thing(void)
{
    uint64_t next = host.running ? host.poll_due : UINT64_MAX;
    return earliest(next, earliest(byte_there_at(), byte_gone_at()));
}

static void do_due(void)
{
    while (byte_gone_at() <= host.now) {
        board_sent(host.sending[0]);
        memmove(host.sending, host.sending + 1, --host.in_send);
        host.send_done_at += host.byte_us;
        poll_soon();
    }
    while (byte_there_at() <= host.now) {
        host.receive_done_at += host.byte_us;
        receive(line_bytes[host.line_tail++ % LINE_ROOM]);
    }
    if (host.running && host.poll_due <= host.now)
        poll();
}

void host_run(uint64_t until_us, int stop_early)
{
    host.stop_wanted = false;
    for (;;) {
        uint64_t next = next_thing();
        if (next > until_us)
            break;
        if (next > host.now)
            host.now = next;
        do_due();
        if (stop_early && host.stop_wanted)
            return;
    }
    if (until_us > host.now)
        host.now = until_us;
}

uint64_t host_now(void) { return host.now; }

uint32_t host_events(host_event_t *out, uint32_t room)
{
    uint32_t count = host.event_count < room ? host.event_count : room;
    memcpy(out, board_events, count * sizeof *out);
    memmove(board_events, board_events + count, (host.event_count - count) * sizeof *out);
    host.event_count -= count;
    return count;
}

int32_t host_motor(void) { return host.motor_told; }

uint16_t host_tone(void) { return host.tone; }

int host_light(void) { return host.light; }

uint32_t host_mistakes(void) { return host.mistakes; }

const char *host_last_mistake(void) { return host.last_mistake; }
