#include "pins.h"

#include <avr/cpufunc.h>
#include <avr/interrupt.h>
#include <util/atomic.h>

#include "board.h"
#include "clock.h"
#include "port.h"
#include "wire_messages.h"

// --- inputs ---

// The interlock. No register is touched, so there is nothing to save before the enable pin is low. A rise is the only
// edge that comes here; that it also comes for a glitch is on purpose.
ISR(INT0_vect, ISR_NAKED) {
    __asm__ volatile("cbi %0, %1 \n\t sbi %2, %3 \n\t sbi %2, %4 \n\t reti" ::"I"(_SFR_IO_ADDR(PORTD)),
                     "I"(MOTOR_ENABLE), "I"(_SFR_IO_ADDR(NOTES)), "I"(NOTE_LID_ROSE), "I"(NOTE_WORK));
}

// Lid, button, and in deep sleep the serial line: only to wake up. Levels are read by whoever wakes.
ISR(PCINT2_vect, ISR_NAKED) {
    __asm__ volatile("sbi %0, %1 \n\t sbi %0, %2 \n\t reti" ::"I"(_SFR_IO_ADDR(NOTES)), "I"(NOTE_WORK), "I"(NOTE_PIN));
}

// Edges of the exit sensor: low and high byte of the time, the pins, one byte unused. Bytes of four, and where they begin
// and end in registers, because whatever the compiler must compute here keeps the lid waiting. A card's edge may bounce.
// When no more fit, the interrupt is turned off until all are taken, so that a sensor that flickers as fast as it likes
// cannot keep the program from its work; what is missed is mended when the level is read.
#define EDGE_BYTES 4u
#define EDGES_BYTES (8u * EDGE_BYTES)
static volatile uint8_t edges[EDGES_BYTES];
#define EDGES_IN GPIOR1
#define EDGES_OUT GPIOR2

#define HEAR_ALL (_BV(PCIE0) | _BV(PCIE2))
#define HEAR_NO_EXIT _BV(PCIE2)

ISR(PCINT0_vect) {
    uint8_t in = EDGES_IN;
    volatile uint8_t *edge = edges + in;
    edge[0] = TCNT1L; // reading it keeps the high byte for the next line
    edge[1] = TCNT1H;
    edge[2] = PINB;
    in = (in + EDGE_BYTES) % EDGES_BYTES;
    if (in != EDGES_OUT) {
        EDGES_IN = in;
    } else {
        PCICR = HEAR_NO_EXIT;
    }
    NOTES |= _BV(NOTE_WORK);
}

static bool blocked(uint8_t pins) {
    return ((pins & _BV(EXIT)) != 0) == BOARD_EXIT_BLOCKED_HIGH;
}

bool pins_take_edge(bool *is_blocked, uint32_t *at_us) {
    uint8_t out = EDGES_OUT;
    if (out == EDGES_IN) {
        PCICR = HEAR_ALL;
        return false;
    }
    uint16_t ticks = edges[out] | (uint16_t)((uint16_t)edges[out + 1] << 8);
    *is_blocked = blocked(edges[out + 2]);
    EDGES_OUT = (out + EDGE_BYTES) % EDGES_BYTES;
    *at_us = clock_time_of(ticks);
    return true;
}

bool port_lid_open(void) {
    return PIND & _BV(LID);
}

bool port_exit_blocked(void) {
    return blocked(PINB);
}

bool port_button_down(void) {
    return !(PIND & _BV(BUTTON));
}

bool port_lid_rose(void) {
    if (!(NOTES & _BV(NOTE_LID_ROSE))) {
        return false;
    }
    NOTES &= (uint8_t)~_BV(NOTE_LID_ROSE); // one instruction; a rise from here on is noted anew
    return true;
}

void pins_listen_to_serial(void) {
    PCMSK2 = _BV(PCINT18) | _BV(PCINT19) | _BV(PCINT16);
}

void pins_ignore_serial(void) {
    PCMSK2 = _BV(PCINT18) | _BV(PCINT19);
}

// --- motor ---

// Timer 0 counts to 255 at the full clock: 62.5 kHz (31.25 kHz at 8 MHz), which nobody hears. It never stops.
#define FAST_PWM (_BV(WGM01) | _BV(WGM00))

void port_motor_off(void) {
    PORTD &= (uint8_t)~_BV(MOTOR_ENABLE);
    TCCR0A = FAST_PWM;
    PORTD &= (uint8_t)~_BV(MOTOR_FORWARD);
    PORTD &= (uint8_t)~_BV(MOTOR_BACKWARD);
}

void port_motor_drive(enum port_direction direction, uint8_t duty) {
    if (direction == PORT_FORWARD) {
        OCR0A = duty;
        TCCR0A = FAST_PWM | _BV(COM0A1);
    } else {
        OCR0B = duty;
        TCCR0A = FAST_PWM | _BV(COM0B1);
    }
}

bool port_motor_enable(void) {
    ATOMIC_BLOCK(ATOMIC_FORCEON) {
        if (!(NOTES & _BV(NOTE_LID_ROSE)) && !(PIND & _BV(LID))) {
            PORTD |= _BV(MOTOR_ENABLE);
        }
    }
    _NOP(); // the instruction after sei comes before any interrupt: a rise that waited is served here
    return PORTD & _BV(MOTOR_ENABLE);
}

void port_motor_brake(void) {
    PORTD |= _BV(MOTOR_FORWARD);
    PORTD |= _BV(MOTOR_BACKWARD);
    TCCR0A = FAST_PWM;
}

// --- the rest ---

void port_light(bool on) {
    if (on) {
        PORTB |= _BV(LIGHT);
    } else {
        PORTB &= (uint8_t)~_BV(LIGHT);
    }
}

uint8_t port_capabilities(void) {
    return (BOARD_EXIT_SENSOR ? WIRE_CAPABILITY_EXIT_SENSOR : 0) | (BOARD_BRIDGE ? WIRE_CAPABILITY_RETRACT : 0);
}

uint8_t port_board(void) {
    return F_CPU == 16000000UL ? WIRE_BOARD_ATMEGA328P_16MHZ : WIRE_BOARD_ATMEGA328P_8MHZ;
}

void pins_init(void) {
    DDRD = _BV(MOTOR_ENABLE) | _BV(MOTOR_FORWARD) | _BV(MOTOR_BACKWARD);
    PORTD = _BV(LID) | _BV(BUTTON) | _BV(PD0) | _BV(PD7); // unconnected pins too: floating, they would use power
    DDRB = _BV(PIEZO) | _BV(LIGHT);
    PORTB = _BV(EXIT) | _BV(PB1) | _BV(PB2) | _BV(PB4);
    PORTC = _BV(PC0) | _BV(PC1) | _BV(PC2) | _BV(PC3) | _BV(PC4) | _BV(PC5);

    TCCR0A = FAST_PWM;
    TCCR0B = _BV(CS00);

    EICRA = _BV(ISC01) | _BV(ISC00); // rising edges only
    EIFR = _BV(INTF0);
    EIMSK = _BV(INT0);
    PCMSK0 = BOARD_EXIT_SENSOR ? _BV(PCINT0) : 0;
    pins_ignore_serial();
    PCICR = HEAR_ALL;
}
