"""Install, update and remove the launcher.

``systemd/install``, in the project's folder and in the Debian package, runs this when only Python is installed, so it
uses nothing but the standard library. A list of ``steps`` is made from what ``detect`` finds and from the ``options``;
the ``installer`` prints it, or executes the steps that are not done yet.
"""
