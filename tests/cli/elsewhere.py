"""``python -m tests.cli.elsewhere demo``: the command as on a computer that is no Unix, as far as that can be played.

Windows has no ``fcntl`` and its like, lacks these parts of ``os`` and ``signal``, its loop takes no signal handlers.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from typing import NoReturn

MODULES = ("fcntl", "termios", "tty", "pty", "pwd", "grp", "resource", "syslog", "posix_ipc")
OF_OS = (
    *("fork", "forkpty", "getuid", "geteuid", "getgid", "getpgid", "setsid", "killpg", "mkfifo", "openpty", "chown"),
    *("pread", "pwrite", "statvfs", "sched_getaffinity", "pidfd_open", "uname", "posix_spawn"),
    *("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "ST_RDONLY"),
)
OF_SIGNAL = (
    *("SIGHUP", "SIGQUIT", "SIGTSTP", "SIGSTOP", "SIGCONT", "SIGCHLD", "SIGPIPE", "SIGALRM", "SIGUSR1", "SIGUSR2"),
    *("SIGWINCH", "SIGKILL", "SIGVTALRM", "SIGPROF", "SIGXCPU", "SIGPOLL", "SIGIO", "SIGPWR", "pthread_sigmask"),
    *("pidfd_send_signal", "setitimer", "alarm"),
)
OF_SOCKET = ("SOCK_SEQPACKET", "TCP_USER_TIMEOUT", "MSG_DONTWAIT", "SO_PEERCRED")


def _no_handlers(*_: object) -> NoReturn:
    raise NotImplementedError


def pretend() -> None:
    """Take away what Windows has not, for this process."""
    import subprocess  # noqa: F401 - Python's own needs some of it, and is another one there
    import tempfile  # noqa: F401

    for module, names in ((os, OF_OS), (signal, OF_SIGNAL), (socket, OF_SOCKET)):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    asyncio.AbstractEventLoop.add_signal_handler = _no_handlers  # type: ignore[method-assign]
    asyncio.SelectorEventLoop.add_signal_handler = _no_handlers  # type: ignore[method-assign]


if __name__ == "__main__":
    pretend()
    from dispenser.cli import main

    main()
