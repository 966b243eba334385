"""Inside the virtual Pi: what somebody writes who knows the motor's pins and wants nothing but it off."""

import fcntl
import os
import struct

chip = os.open("/dev/gpiochip0", os.O_RDWR)
for offset in (25, 23, 24):
    low = struct.pack("=Q264x", 8)  # GPIO_V2_LINE_FLAG_OUTPUT
    request = struct.pack("=I252x32s272sI24xi", offset, b"bare", low, 1, 0)
    fcntl.ioctl(chip, 0xC250B407, request)  # GPIO_V2_GET_LINE_IOCTL
