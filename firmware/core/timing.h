// Arithmetic on a microsecond clock that wraps, and every filter time of the launcher.

#ifndef DISPENSER_TIMING_H
#define DISPENSER_TIMING_H

#include <stdbool.h>
#include <stdint.h>

// The same figures as `GpioTiming` in dispenser/drivers/gpio/wiring.py, where each one has its reason.
#define BUTTON_SETTLE_US 25000u
#define LID_SETTLE_US 50000u
#define EXIT_SETTLE_US 3000u
#define BRAKE_US UINT32_C(40000)
#define COAST_US UINT32_C(120000)

#define US_PER_MS UINT32_C(1000)
#define NOTHING_DUE UINT32_MAX

// Times are compared by their difference, so they may lie half an hour apart at most.
static inline bool time_reached(uint32_t now_us, uint32_t due_us) {
    return (int32_t)(now_us - due_us) >= 0;
}

// Microseconds until a time; 0 when it has come.
static inline uint32_t time_until(uint32_t now_us, uint32_t due_us) {
    return time_reached(now_us, due_us) ? 0 : due_us - now_us;
}

static inline uint32_t sooner(uint32_t one_us, uint32_t other_us) {
    return one_us < other_us ? one_us : other_us;
}

#endif
