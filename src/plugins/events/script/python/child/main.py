"""Runs the function `produce` of a script for Spate. Old versions of Python must be able to parse this file."""

import os
import sys

OLDEST = (3, 9)

if sys.version_info < OLDEST:
    message = "Python %d.%d is too old: scripts need Python %d.%d or later" % (tuple(sys.version_info[:2]) + OLDEST)
    body = b'X{"message": "' + message.encode("ascii") + b'"}'
    os.write(3, bytearray([0, 0, 0, len(body)]) + body)
    sys.exit(1)

from _spate_session import serve  # noqa: E402

serve()
