"""Puts the launcher on this machine, brings it up to date, takes it off again.

The project's folder and the Debian package start it by ``systemd/install``, before there is anything but Python: all
in here needs the standard library alone. What is to be done is decided first, from what is ``found`` and what was asked
for (``plan``); it is a list of ``steps``, which can be shown or carried out. Each can be carried out again.
"""
