"""Install, update and remove the launcher.

``systemd/install`` of the project's folder and of the Debian package starts it, before there is anything but Python:
all in here needs the standard library alone. One list of ``steps`` is made from what ``detect`` finds and from the
``options``; the ``installer`` shows it, or does what of it is not done yet.
"""
