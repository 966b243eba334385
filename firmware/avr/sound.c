#include "sound.h"

#include "board.h"
#include "flash.h"
#include "port.h"

// Timer 2 toggles the pin each time it has counted to OCR2A. The smallest prescaler that reaches the pitch is the
// truest: within 0.4 % from 400 Hz to 3 kHz.
static const IN_FLASH uint16_t prescalers[] = {1, 8, 32, 64, 128, 256, 1024}; // CS2 from 1
#define TOGGLES_PER_10_S (F_CPU * 5UL) // times decihertz, at a prescaler of 1

bool sound_is_on(void) {
    return TCCR2B != 0;
}

void port_tone(uint16_t decihertz) {
    if (decihertz == 0) {
        TCCR2B = 0;
        TCCR2A = 0; // the pin is a plain output again, low
        return;
    }
    uint32_t counts = TOGGLES_PER_10_S / decihertz;
    uint8_t select = 0;
    while (counts / prescalers[select] > 256 && select + 1u < sizeof prescalers / sizeof prescalers[0]) {
        select++;
    }
    TCNT2 = 0;
    OCR2A = (uint8_t)((counts + prescalers[select] / 2) / prescalers[select] - 1);
    TCCR2A = _BV(COM2A0) | _BV(WGM21);
    TCCR2B = (uint8_t)(select + 1);
}
