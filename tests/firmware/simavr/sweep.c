// One edge at many moments: each time in a forked process, so that every one begins with the very same past.
#include "mcu.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NEVER = 0xffffffff };

static int output_high(mcu_t *mcu, char port, int pin)
{
    const uint8_t *direction = &mcu->avr->data[0x24 + 3 * (port - 'B')];
    return direction[0] >> pin & direction[1] >> pin & 1;
}

// From now until the output is low for good: it may go high once more when the edge strikes the very instructions that
// turn it on.
static uint32_t cycles_until_low(mcu_t *mcu, char port, int pin, uint32_t window)
{
    uint64_t from = mcu_cycle(mcu), low_since = from;
    while (mcu_cycle(mcu) - from <= window) {
        mcu_set_waypoint(mcu, from + window + 1);
        int high_before = output_high(mcu, port, pin);
        if (mcu_dead(mcu_step(mcu)))
            return NEVER;
        if (high_before || output_high(mcu, port, pin))
            low_since = mcu_cycle(mcu);
    }
    return output_high(mcu, port, pin) ? NEVER : (uint32_t)(low_since - from);
}

static uint32_t in_a_world_of_its_own(mcu_t *mcu, char port, int pin, int level, char out_port, int out_pin,
                                      uint32_t pulse, uint32_t window, uint32_t *shared)
{
    pid_t child = fork();
    if (child == 0) {
        mcu_input(mcu, port, pin, level);
        if (pulse > 0)
            mcu_input_at(mcu, mcu_cycle(mcu) + pulse, port, pin, !level);
        *shared = cycles_until_low(mcu, out_port, out_pin, window);
        _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return NEVER;
    return *shared;
}

int mcu_sweep(mcu_t *mcu, uint32_t count, uint32_t every, char port, int pin, int level, char out_port, int out_pin,
              uint32_t pulse, uint32_t window, uint32_t *latencies, uint32_t *program_counters)
{
    uint32_t *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return -1;
    mcu_single_steps(mcu, 1);
    for (uint32_t phase = 0; phase < count; phase++) {
        for (uint32_t skipped = 0; skipped < every; skipped++) {
            mcu_set_waypoint(mcu, mcu_cycle(mcu) + mcu->avr->frequency);
            if (mcu_dead(mcu_step(mcu)))
                return -1;
        }
        *shared = NEVER;
        program_counters[phase] = mcu->avr->pc;
        latencies[phase] = in_a_world_of_its_own(mcu, port, pin, level, out_port, out_pin, pulse, window, shared);
    }
    mcu_single_steps(mcu, 0);
    munmap(shared, sizeof *shared);
    return 0;
}
