"""Frames on descriptor 3: length as 4 bytes big-endian, kind as one byte, content. `wire.ts` has the other end."""

import json
import os
import struct

CHANNEL = 3
_LENGTH = struct.Struct(">I")


class Wire:
    """The connection to Spate."""

    def __init__(self):
        # Programs that the script starts must not hold the connection open.
        os.set_inheritable(CHANNEL, False)
        self._source = open(CHANNEL, "rb", closefd=False)

    def read(self):
        """Returns kind and content of the next frame. Ends the process when Spate is gone."""
        head = self._source.read(_LENGTH.size)
        if len(head) < _LENGTH.size:
            os._exit(0)
        frame = self._source.read(_LENGTH.unpack(head)[0])
        return frame[:1], frame[1:]

    def write(self, kind, *parts):
        length = 1 + sum(map(len, parts))
        rest = memoryview(b"".join((_LENGTH.pack(length), kind, *parts)))
        while rest:
            rest = rest[os.write(CHANNEL, rest) :]

    def write_json(self, kind, value):
        self.write(kind, json.dumps(value, allow_nan=False).encode("ascii"))
