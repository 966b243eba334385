// A thin shell round libsimavr (GPL-3, so this is for tests only): one microcontroller in virtual time, its pins and
// its serial line. Inputs are put on by a cycle timer: simavr looks at interrupts right after those, asleep or awake.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/avr_extint.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_interrupts.h>
#include <simavr/sim_io.h>

#include "mcu.h"

static mcu_t *the_resetting; // avr->reset has no parameter of ours; resets happen inside one avr_run at a time

uint64_t mcu_cycle(mcu_t *mcu) { return mcu->before_reset + mcu->avr->cycle; }

static void note(mcu_t *mcu, uint8_t kind, char port, uint16_t index, uint32_t value)
{
    if (mcu->event_count == mcu->event_room) {
        mcu->event_room = mcu->event_room ? mcu->event_room * 2 : 1024;
        mcu->events = realloc(mcu->events, mcu->event_room * sizeof *mcu->events);
        if (mcu->events == NULL)
            abort();
    }
    mcu->events[mcu->event_count++] = (mcu_event_t){mcu_cycle(mcu), kind, (uint8_t)port, index, value};
}

// --- inputs ---------------------------------------------------------------------------------------------------------

static avr_irq_t *pin_irq(mcu_t *mcu, char port, int pin)
{
    return avr_io_getirq(mcu->avr, AVR_IOCTL_IOPORT_GETIRQ(port), pin);
}

// The level is held from outside: without SET_EXTERNAL, each write to the port would put the pull-up on it again.
static void hold(mcu_t *mcu, char port, int pin, int level)
{
    int number = port - 'B';
    mcu->pulled[number] |= (uint8_t)(1 << pin);
    mcu->pulled_levels[number] = (uint8_t)((mcu->pulled_levels[number] & ~(1 << pin)) | (level ? 1 << pin : 0));
    avr_ioport_external_t external = {
        .name = (unsigned)port, .mask = mcu->pulled[number], .value = mcu->pulled_levels[number]};
    avr_ioctl(mcu->avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(port), &external);
    avr_raise_irq(pin_irq(mcu, port, pin), level ? 1 : 0);
}

void mcu_input(mcu_t *mcu, char port, int pin, int level)
{
    mcu_input_at(mcu, mcu_cycle(mcu), port, pin, level);
}

int mcu_input_at(mcu_t *mcu, uint64_t cycle, char port, int pin, int level)
{
    if (port < 'B' || port > 'D' || pin < 0 || pin > 7)
        return -1;
    if (mcu->stimulus_count == mcu->stimulus_room) {
        mcu->stimulus_room = mcu->stimulus_room ? mcu->stimulus_room * 2 : 64;
        mcu->stimuli = realloc(mcu->stimuli, mcu->stimulus_room * sizeof *mcu->stimuli);
        if (mcu->stimuli == NULL)
            abort();
    }
    uint32_t at = mcu->stimulus_count++;
    for (; at > 0 && mcu->stimuli[at - 1].cycle > cycle; at--)
        mcu->stimuli[at] = mcu->stimuli[at - 1];
    mcu->stimuli[at] = (stimulus_t){cycle, mcu->stimulus_number++, port, (uint8_t)pin, (uint8_t)(level != 0)};
    return 0;
}

static void apply_due(mcu_t *mcu)
{
    uint32_t done = 0;
    while (done < mcu->stimulus_count && mcu->stimuli[done].cycle <= mcu_cycle(mcu)) {
        stimulus_t s = mcu->stimuli[done++];
        note(mcu, 'I', s.port, s.pin, s.level);
        hold(mcu, s.port, s.pin, s.level);
    }
    memmove(mcu->stimuli, mcu->stimuli + done, (mcu->stimulus_count - done) * sizeof *mcu->stimuli);
    mcu->stimulus_count -= done;
}

// --- the serial line ------------------------------------------------------------------------------------------------

// Ten bits and a moment of idle line: simavr hands on a stream without any gap a little too slowly, and overruns.
static uint32_t byte_cycles(mcu_t *mcu) { return (uint32_t)((uint64_t)mcu->avr->frequency * 11 / mcu->baud); }

void mcu_send(mcu_t *mcu, const uint8_t *bytes, uint32_t count)
{
    if (mcu->line_head == mcu->line_tail && mcu->line_free_at < mcu_cycle(mcu))
        mcu->line_free_at = mcu_cycle(mcu);
    while (count--)
        mcu->line[mcu->line_head++ % SENT_ROOM] = *bytes++;
}

static uint32_t unsent(mcu_t *mcu) { return mcu->line_head - mcu->line_tail; }

// simavr wants a byte when its start bit comes; the program gets it when its stop bit is over.
static uint64_t next_byte_at(mcu_t *mcu) { return unsent(mcu) ? mcu->line_free_at : UINT64_MAX; }

static void deliver_due(mcu_t *mcu)
{
    while (next_byte_at(mcu) <= mcu_cycle(mcu)) {
        mcu->line_free_at += byte_cycles(mcu);
        avr_raise_irq(avr_io_getirq(mcu->avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT),
                      mcu->line[mcu->line_tail++ % SENT_ROOM]);
    }
}

static void on_byte_sent(avr_irq_t *irq, uint32_t value, void *parameter)
{
    (void)irq;
    mcu_t *mcu = parameter;
    note(mcu, 'U', 0, 0, value & 0xff);
    mcu->stop_wanted = 1;
}

// --- outputs --------------------------------------------------------------------------------------------------------

static void on_pin(avr_irq_t *irq, uint32_t value, void *parameter)
{
    watched_t *watched = parameter;
    uint8_t direction = watched->mcu->avr->data[0x24 + 3 * (watched->port - 'B')];
    if (!(direction >> watched->index & 1) || (irq->value & 0xff) == (value & 0xff))
        return;
    note(watched->mcu, 'P', watched->port, watched->index, value & 0xff);
    watched->mcu->stop_wanted = 1;
}

static void on_register(avr_irq_t *irq, uint32_t value, void *parameter)
{
    (void)irq;
    watched_t *watched = parameter;
    note(watched->mcu, 'R', 0, watched->index, value & 0xff);
    watched->mcu->stop_wanted = 1;
}

static watched_t *watch(mcu_t *mcu, char port, uint16_t index)
{
    if (mcu->watched_count == MAX_WATCHED)
        abort();
    watched_t *watched = &mcu->watched[mcu->watched_count++];
    *watched = (watched_t){mcu, port, index};
    return watched;
}

void mcu_watch_pin(mcu_t *mcu, char port, int pin)
{
    avr_irq_register_notify(pin_irq(mcu, port, pin), on_pin, watch(mcu, port, (uint16_t)pin));
}

void mcu_watch_register(mcu_t *mcu, uint16_t address)
{
    avr_irq_register_notify(avr_iomem_getirq(mcu->avr, address, NULL, AVR_IOMEM_IRQ_ALL), on_register,
                            watch(mcu, 0, address));
}

uint32_t mcu_events(mcu_t *mcu, mcu_event_t *out, uint32_t room)
{
    uint32_t count = mcu->event_count < room ? mcu->event_count : room;
    memcpy(out, mcu->events, count * sizeof *out);
    memmove(mcu->events, mcu->events + count, (mcu->event_count - count) * sizeof *out);
    mcu->event_count -= count;
    return count;
}

// --- time -----------------------------------------------------------------------------------------------------------

// simavr would sleep for real. Which mode it is matters: on silicon the timers stand still in all but idle.
static void on_sleep(avr_t *avr, avr_cycle_count_t cycles)
{
    mcu_t *mcu = avr->custom.data;
    mcu->asleep[avr->data[SMCR_ADDRESS] >> 1 & 7] += cycles + 1;
}

static avr_cycle_count_t on_waypoint(avr_t *avr, avr_cycle_count_t when, void *parameter)
{
    (void)avr;
    (void)when;
    mcu_t *mcu = parameter;
    apply_due(mcu);
    deliver_due(mcu);
    return 0;
}

static void on_reset(avr_t *avr)
{
    the_resetting->was_reset = 1;
    if (the_resetting->core_reset != NULL)
        the_resetting->core_reset(avr);
}

static void after_reset(mcu_t *mcu)
{
    mcu->was_reset = 0;
    if (mcu->avr->cycle < mcu->last_cycle)
        mcu->before_reset += mcu->last_cycle;
    note(mcu, 'X', 0, 0, mcu->avr->data[MCUSR_ADDRESS]);
    mcu->stop_wanted = 1;
    for (char port = 'B'; port <= 'D'; port++) {
        for (int pin = 0; pin < 8; pin++)
            if (mcu->pulled[port - 'B'] >> pin & 1)
                hold(mcu, port, pin, mcu->pulled_levels[port - 'B'] >> pin & 1);
        // The levels have not changed, so simavr tells nobody; but it has cleared the register.
        mcu->avr->data[PINB_ADDRESS + 3 * (port - 'B')] = mcu->pulled[port - 'B'] & mcu->pulled_levels[port - 'B'];
    }
}

int mcu_step(mcu_t *mcu)
{
    the_resetting = mcu;
    mcu->last_cycle = mcu->avr->cycle;
    int state = avr_run(mcu->avr);
    if (mcu->was_reset)
        after_reset(mcu);
    return state;
}

int mcu_dead(int state) { return state == cpu_Done || state == cpu_Crashed; }

static uint64_t next_waypoint(mcu_t *mcu, uint64_t end)
{
    uint64_t next = mcu->stimulus_count && mcu->stimuli[0].cycle < end ? mcu->stimuli[0].cycle : end;
    return next_byte_at(mcu) < next ? next_byte_at(mcu) : next;
}

void mcu_set_waypoint(mcu_t *mcu, uint64_t end)
{
    uint64_t now = mcu_cycle(mcu), next = next_waypoint(mcu, end);
    avr_cycle_timer_cancel(mcu->avr, on_waypoint, mcu);
    avr_cycle_timer_register(mcu->avr, next > now ? next - now : 0, on_waypoint, mcu);
}

int mcu_run(mcu_t *mcu, uint64_t end, int stop_early)
{
    int state = mcu->avr->state;
    mcu->stop_wanted = 0;
    while (mcu_cycle(mcu) < end && !mcu_dead(state)) {
        mcu_set_waypoint(mcu, end);
        uint64_t next = next_waypoint(mcu, end);
        do {
            state = mcu_step(mcu);
            if (stop_early && mcu->stop_wanted)
                return state;
        } while (mcu_cycle(mcu) < next && mcu->avr->cycle >= mcu->last_cycle && !mcu_dead(state));
    }
    return state;
}

void mcu_single_steps(mcu_t *mcu, int on)
{
    mcu->avr->run_cycle_limit = on ? 1 : mcu->avr->frequency / 1000;
    mcu->avr->run_cycle_count = 1;
}

void mcu_reset(mcu_t *mcu, uint8_t mcusr)
{
    the_resetting = mcu;
    mcu->last_cycle = mcu->avr->cycle;
    avr_reset(mcu->avr);
    mcu->avr->data[MCUSR_ADDRESS] = mcusr;
    after_reset(mcu);
}

// --- birth and death ------------------------------------------------------------------------------------------------

static void say_errors_only(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr;
    if (level <= LOG_ERROR)
        vfprintf(stderr, format, arguments);
}

void mcu_supply(mcu_t *mcu, uint32_t millivolts)
{
    mcu->avr->vcc = mcu->avr->avcc = mcu->avr->aref = millivolts;
}

static void no_device(avr_t *avr, void *data)
{
    (void)avr;
    (void)data;
}

static int load(mcu_t *mcu, const char *elf, uint32_t hz)
{
    elf_firmware_t firmware;
    memset(&firmware, 0, sizeof firmware);
    if (elf_read_firmware(elf, &firmware) != 0)
        return -1;
    mcu->avr = avr_make_mcu_by_name("atmega328p");
    if (mcu->avr == NULL)
        return -1;
    mcu->avr->custom.data = mcu;
    mcu->avr->custom.init = mcu->avr->custom.deinit = no_device;
    avr_init(mcu->avr);
    firmware.frequency = hz;
    avr_load_firmware(mcu->avr, &firmware);
    mcu->avr->frequency = hz;
    memset(mcu->avr->data + SRAM_START, STACK_PAINT, mcu->avr->ramend + 1u - SRAM_START);
    return 0;
}

mcu_t *mcu_new(const char *elf, uint32_t hz, uint32_t baud, uint32_t supply_mv)
{
    avr_global_logger_set(say_errors_only);
    mcu_t *mcu = calloc(1, sizeof *mcu);
    if (mcu == NULL || load(mcu, elf, hz) != 0) {
        free(mcu);
        return NULL;
    }
    avr_t *avr = mcu->avr;
    avr->sleep = on_sleep;
    mcu->baud = baud;
    mcu->core_reset = avr->reset;
    avr->reset = on_reset;
    mcu_supply(mcu, supply_mv);
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_byte_sent, mcu);
    avr_extint_set_strict_lvl_trig(avr, 0, 0);
    avr_extint_set_strict_lvl_trig(avr, 1, 0);
    avr->data[MCUSR_ADDRESS] = 1; // power-on
    return mcu;
}

void mcu_free(mcu_t *mcu)
{
    avr_terminate(mcu->avr);
    free(mcu->avr);
    free(mcu->events);
    free(mcu->stimuli);
    free(mcu);
}
