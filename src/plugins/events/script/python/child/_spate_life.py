"""Limits of the process, and its end with Spate."""

import os
import signal
import sys

_PR_SET_PDEATHSIG = 1
_MB = 1024 * 1024


def limit_memory(megabytes):
    """Limits the memory that the process may allocate. Reserved address space does not count, as NumPy reserves much."""
    try:
        import resource
    except ImportError:
        return
    limit = megabytes * _MB
    for name in ("RLIMIT_DATA",) if sys.platform == "linux" else ("RLIMIT_DATA", "RLIMIT_AS"):
        try:
            resource.setrlimit(getattr(resource, name), (limit, limit))
        except (ValueError, OSError):
            # A system without this limit, or a lower one that is in force already.
            pass


def _dies_with_parent():
    """Asks Linux to kill this process when the thread ends that started it. Works also within calls that hold the GIL."""
    if sys.platform != "linux":
        return False
    try:
        import ctypes

        return ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) == 0
    except (ImportError, OSError, AttributeError):
        return False


def _watch(channel):
    """Elsewhere a thread waits for the end of the connection."""
    import select
    import threading

    def wait():
        poll = select.poll()
        poll.register(channel, 0)
        poll.poll()
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=wait, daemon=True).start()


def end_with_parent(parent, channel):
    if not _dies_with_parent():
        _watch(channel)
    if os.getppid() != parent:
        os._exit(0)
