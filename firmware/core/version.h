// The firmware's own version, told in WELCOME. That of the line's protocol is in wire_messages.h.

#ifndef DISPENSER_VERSION_H
#define DISPENSER_VERSION_H

#define FIRMWARE_MAJOR 2
#define FIRMWARE_MINOR 0
#define FIRMWARE_PATCH 0

#endif
