#include "serial.h"

#include <avr/interrupt.h>

#include "board.h"
#include "port.h"

// The divisor of the clock for a bit of so many clocks, 16 or (double speed) 8, and how far it is off, in clocks a second.
// 115200 at 16 MHz is 2.1 % fast, as on every Uno; 57600 0.8 % slow; 38400 at 8 MHz is 0.2 % fast.
#define DIVISOR(clocks) ((F_CPU + BOARD_BAUD * (clocks) / 2) / (BOARD_BAUD * (clocks)))
#define MADE(clocks) (DIVISOR(clocks) * BOARD_BAUD * (clocks))
#define OFF(clocks) (MADE(clocks) > F_CPU ? MADE(clocks) - F_CPU : F_CPU - MADE(clocks))
#define CLOCKS (OFF(8) < OFF(16) ? 8 : 16) // of a bit, whichever is nearer
#define MOST_PERCENT 3

_Static_assert(OFF(CLOCKS) * 100 <= F_CPU * MOST_PERCENT, "Baud rate out of reach: this clock makes none within 3 %");

#define RECEIVED 64u // a power of two: 5 ms at 115200
#define SENT 128u    // a power of two

static volatile uint8_t received[RECEIVED];
static volatile uint8_t received_in;
static volatile uint8_t received_out;
static volatile uint8_t sent[SENT];
static volatile uint8_t sent_in;
static volatile uint8_t sent_out;

#define LISTENING (_BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0))

ISR(USART_RX_vect) {
    uint8_t in = received_in;
    received[in] = UDR0;
    in = (in + 1) % RECEIVED;
    if (in != received_out) { // otherwise lost: its frame fails its CRC and the host sends it again
        received_in = in;
    }
    NOTES |= _BV(NOTE_WORK);
}

ISR(USART_UDRE_vect) {
    uint8_t out = sent_out;
    if (out == sent_in) {
        UCSR0B = LISTENING;
    } else {
        UDR0 = sent[out];
        sent_out = (out + 1) % SENT;
    }
}

void serial_init(void) {
    UBRR0 = (uint16_t)(DIVISOR(CLOCKS) - 1);
    UCSR0A = CLOCKS == 8 ? _BV(U2X0) : 0;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = LISTENING;
}

bool serial_take(uint8_t *byte) {
    uint8_t out = received_out;
    if (out == received_in) {
        return false;
    }
    *byte = received[out];
    received_out = (out + 1) % RECEIVED;
    return true;
}

uint8_t port_serial_room(void) {
    return (uint8_t)(sent_out - sent_in - 1) % SENT;
}

void port_serial_send(uint8_t byte) {
    sent[sent_in] = byte;
    sent_in = (sent_in + 1) % SENT;
    UCSR0B = LISTENING | _BV(UDRIE0);
}
