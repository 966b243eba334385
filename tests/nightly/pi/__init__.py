"""A Raspberry Pi in software: Debian's own kernel, a chip of 54 GPIO lines, systemd, the service as it is installed.

``README.md`` beside this file says what it is made of, and how to run one case by hand.
"""
