// Pins and options of an ATmega328P: Arduino Uno, Nano, Pro Mini, or the bare chip. The build sets the options.
//
//   Arduino   pin   device
//   D0, D1    PD0   serial line (USB on most boards)
//   D2        PD2   lid switch to ground, closed while the lid is shut        INT0
//   D3        PD3   button to ground
//   D4        PD4   motor enable, with 10 kOhm to ground                      nothing else writes to it
//   D5        PD5   bridge input 2, high: backward                            OC0B
//   D6        PD6   bridge input 1, high: forward                             OC0A
//   D8        PB0   exit sensor
//   D11       PB3   piezo behind 1 kOhm                                       OC2A
//   D13       PB5   status light (the board's own LED)
//
// Without a bridge, a logic-level MOSFET has its gate on D4; D5 and D6 stay unconnected, and the duty is always full.

#ifndef DISPENSER_BOARD_H
#define DISPENSER_BOARD_H

#include <avr/io.h>

#if !defined(F_CPU) || (F_CPU != 16000000UL && F_CPU != 8000000UL)
#error "F_CPU must be 16000000UL or 8000000UL"
#endif
#if !defined(BOARD_BRIDGE) || !defined(BOARD_EXIT_SENSOR) || !defined(BOARD_EXIT_BLOCKED_HIGH)
#error "the options of the board are set by firmware/Makefile"
#endif
#if !defined(BOARD_BAUD) || !defined(BOARD_BANDGAP_MV)
#error "the options of the board are set by firmware/Makefile"
#endif

// Port D.
#define LID PD2
#define BUTTON PD3
#define MOTOR_ENABLE PD4
#define MOTOR_BACKWARD PD5
#define MOTOR_FORWARD PD6
// Port B.
#define EXIT PB0
#define PIEZO PB3
#define LIGHT PB5

// Interrupts leave their notes in one register that a single instruction can change, so that they are short.
#define NOTES GPIOR0
#define NOTE_LID_ROSE 0 // the lid has risen, and nobody has asked yet
#define NOTE_WORK 1     // something has happened: do not go to sleep before it is looked at
#define NOTE_PIN 2      // a pin has changed: stay out of deep sleep for a while
#define NOTE_TICK 3     // the watchdog's own oscillator has ticked

#endif
