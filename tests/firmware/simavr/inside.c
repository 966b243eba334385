// Looking inside: memory, registers, program counter, EEPROM, stack, sleep.
#include "mcu.h"

#include <simavr/avr_eeprom.h>
#include <string.h>

uint8_t mcu_peek(mcu_t *mcu, uint16_t address) { return mcu->avr->data[address]; }

void mcu_poke(mcu_t *mcu, uint16_t address, uint8_t value) { mcu->avr->data[address] = value; }

uint32_t mcu_program_counter(mcu_t *mcu) { return mcu->avr->pc; }

void mcu_jump(mcu_t *mcu, uint32_t byte_address, int interrupts)
{
    mcu->avr->pc = byte_address;
    mcu->avr->state = cpu_Running;
    mcu->avr->sreg[S_I] = interrupts != 0;
}

uint16_t mcu_flash_word(mcu_t *mcu, uint32_t at) { return (uint16_t)(mcu->avr->flash[at] | mcu->avr->flash[at + 1] << 8); }

void mcu_eeprom_read(mcu_t *mcu, uint16_t offset, uint8_t *bytes, uint32_t count)
{
    avr_eeprom_desc_t place = {.ee = NULL, .offset = offset, .size = count};
    avr_ioctl(mcu->avr, AVR_IOCTL_EEPROM_GET, &place);
    memcpy(bytes, place.ee, count);
}

void mcu_eeprom_write(mcu_t *mcu, uint16_t offset, const uint8_t *bytes, uint32_t count)
{
    avr_eeprom_desc_t place = {.ee = (uint8_t *)bytes, .offset = offset, .size = count};
    avr_ioctl(mcu->avr, AVR_IOCTL_EEPROM_SET, &place);
}

uint64_t mcu_asleep(mcu_t *mcu, int mode) { return mcu->asleep[mode & 7]; }
