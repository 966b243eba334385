// The supply voltage without a part: the converter measures the chip's own band-gap reference against the supply.

#include "board.h"
#include "port.h"

#define SUPPLY_AS_REFERENCE _BV(REFS0)
#define BAND_GAP (_BV(MUX3) | _BV(MUX2) | _BV(MUX1))
#if F_CPU == 16000000UL
#define PRESCALER (_BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0)) // 125 kHz
#else
#define PRESCALER (_BV(ADPS2) | _BV(ADPS1)) // 125 kHz
#endif
#define CONVERSIONS 8u // the first ones see the band-gap still rising

static uint8_t conversions_left;

void port_cell_measure(void) {
    conversions_left = CONVERSIONS;
    ADMUX = SUPPLY_AS_REFERENCE | BAND_GAP;
    ADCSRA = _BV(ADEN) | _BV(ADSC) | PRESCALER;
}

uint16_t port_cell_mv(void) {
    if (conversions_left == 0 || (ADCSRA & _BV(ADSC))) {
        return 0;
    }
    if (--conversions_left > 0) {
        ADCSRA |= _BV(ADSC);
        return 0;
    }
    uint16_t reading = ADC;
    ADCSRA = 0;
    return reading > 0 ? (uint16_t)(BOARD_BANDGAP_MV * 1024UL / reading) : 0;
}
