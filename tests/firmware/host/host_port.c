// The board of the host tests: port.h in memory and virtual time, with a logic analyser.
#include "board.h"

#include "odds.h"
#include "port.h"
#include "wire_messages.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct host host;
host_event_t board_events[EVENT_ROOM]; // empty whenever its count is 0: host_begin() leaves it as it is

void board_mistake(const char *what)
{
    host.mistakes++;
    host.last_mistake = what;
}

void board_note(uint8_t kind, int32_t value)
{
    if (host.event_count == EVENT_ROOM) {
        board_mistake("the logic analyser is full");
        return;
    }
    board_events[host.event_count++] = (host_event_t){host.now, kind, value};
}

// --- what the core sees -----------------------------------------------------------------------------------------------

uint8_t port_capabilities(void) { return host.capabilities; }

uint8_t port_board(void) { return WIRE_BOARD_HOST; }

uint32_t port_now_us(void) { return host.clock_us + (uint32_t)host.now; }

bool port_lid_open(void) { return host.lid_open; }

bool port_exit_blocked(void) { return host.exit_blocked; }

bool port_button_down(void) { return host.button_down; }

bool port_lid_rose(void)
{
    bool rose = host.lid_rose;
    host.lid_rose = false;
    return rose;
}

void board_look_at_motor(void)
{
    int32_t motor = host.enable ? host.bridge : 0;
    if (motor == host.motor_told)
        return;
    if (motor != 0 && host.lid_open)
        board_mistake("the motor was turned on under an open lid");
    host.motor_told = motor;
    board_note('M', motor);
    host.stop_wanted = true;
}

void port_motor_off(void)
{
    host.enable = false;
    host.bridge = 0;
    board_look_at_motor();
}

void port_motor_drive(enum port_direction direction, uint8_t duty)
{
    if (duty == 0)
        board_mistake("port_motor_drive with duty 0");
    if (direction == PORT_BACKWARD && !(host.capabilities & WIRE_CAPABILITY_RETRACT))
        board_mistake("backward without the capability");
    host.bridge = direction == PORT_FORWARD ? duty : -(int32_t)duty;
    board_look_at_motor();
}

bool port_motor_enable(void)
{
    if (host.in_init)
        board_mistake("the motor was turned on by core_init");
    if (host.bridge == 0)
        board_mistake("enabled before the bridge was set");
    if (!host.lid_open && !host.lid_rose)
        host.enable = true;
    board_look_at_motor();
    return host.enable;
}

void port_motor_brake(void)
{
    if (!(host.capabilities & WIRE_CAPABILITY_RETRACT))
        board_mistake("brake without a bridge");
    host.bridge = BRAKED;
    board_look_at_motor();
}

void port_tone(uint16_t decihertz)
{
    if (decihertz != host.tone) {
        host.tone = decihertz;
        board_note('T', decihertz);
        host.stop_wanted = true;
    }
}

void port_light(bool on)
{
    if (on != host.light) {
        host.light = on;
        board_note('L', on);
        host.stop_wanted = true;
    }
}

uint8_t port_serial_room(void) { return (uint8_t)(SEND_ROOM - host.in_send); }

void board_sent(uint8_t byte)
{
    board_note('B', byte);
    host.stop_wanted = true;
}

void port_serial_send(uint8_t byte)
{
    if (host.byte_us == 0) {
        board_sent(byte);
        return;
    }
    if (host.in_send == SEND_ROOM) {
        board_mistake("port_serial_send without room");
        return;
    }
    if (host.in_send == 0)
        host.send_done_at = host.now + host.byte_us;
    host.sending[host.in_send++] = byte;
}

uint8_t port_kept(void)
{
    return host.kept;
}

void port_keep(uint8_t value)
{
    host.kept = value;
}

uint8_t port_memory_read(uint8_t address)
{
    if (address >= MEMORY_BYTES) {
        board_mistake("memory read past its end");
        return 0xff;
    }
    return host.memory[address];
}

void port_memory_write(uint8_t address, uint8_t value)
{
    if (address >= MEMORY_BYTES) {
        board_mistake("memory written past its end");
        return;
    }
    if (host.enable)
        board_mistake("memory written while the motor runs");
    host.memory[address] = value;
    board_note('W', address << 8 | value);
}

uint8_t port_entropy_byte(void)
{
    if (!host.in_init)
        board_mistake("noise asked for outside core_init");
    host.noise = host.noise * 1664525u + 1013904223u;
    return (uint8_t)(host.noise >> 24);
}

void port_cell_measure(void)
{
    host.cell_asked = true;
    host.cell_known_at = host.now + MEASURE_US;
}

uint16_t port_cell_mv(void)
{
    return host.cell_asked && host.cell_known_at <= host.now ? host.cell_mv : 0;
}

// --- the odds, scripted by -Wl,--wrap=odds_draw ------------------------------------------------------------------------

void __real_odds_draw(struct odds_outcome *outcome);
void __wrap_odds_draw(struct odds_outcome *outcome);

void __wrap_odds_draw(struct odds_outcome *outcome)
{
    __real_odds_draw(outcome);
    if (host.script_next < host.script_count) {
        outcome->cards = host.script_cards[host.script_next];
        outcome->suspense_ms = host.script_suspense[host.script_next];
        host.script_next++;
    }
    board_note('O', outcome->cards | outcome->suspense_ms << 8);
}

void host_script(const uint8_t *cards, const uint16_t *suspense_ms, uint32_t count)
{
    host.script_count = count < SCRIPT_ROOM ? count : SCRIPT_ROOM;
    memcpy(host.script_cards, cards, host.script_count * sizeof *cards);
    memcpy(host.script_suspense, suspense_ms, host.script_count * sizeof *suspense_ms);
    host.script_next = 0;
}
