// Tables that stay in flash memory. On an AVR a plain const table would be copied to RAM at the start.

#ifndef DISPENSER_FLASH_H
#define DISPENSER_FLASH_H

#ifdef __AVR__
#define IN_FLASH __flash
#else
#define IN_FLASH
#endif

#endif
