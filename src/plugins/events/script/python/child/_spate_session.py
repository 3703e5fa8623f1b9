"""The life of the process: loads the script, then answers requests until Spate closes the connection."""

import json
import os
import random
import sys

from _spate_batch import Batches, Left, zone_named
from _spate_globals import Globals
from _spate_life import end_with_parent, limit_memory
from _spate_script import Refused, load
from _spate_signals import install
from _spate_wire import CHANNEL, Wire

# Exit code for memory that ran out; `end.ts` knows it.
_OUT_OF_MEMORY = 77


def _text_streams():
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)


def _prepare(wire):
    _, content = wire.read()
    options = json.loads(content)
    end_with_parent(options["parent"], CHANNEL)
    limit_memory(options["memory_mb"])
    try:
        zone_named(options["zone"])
    except Exception:
        raise Refused(
            "%s needs the time zone %s, which this Python lacks. Install the package tzdata." % (options["shown"], options["zone"])
        ) from None
    install()
    random.seed(options["seed"])
    produce = load(options["file"], options["shown"], options["directory"], options["drafts"])
    return Batches(wire, produce, options, Globals(wire))


def _answer(wire, batches):
    while True:
        kind, content = wire.read()
        if kind == b"S":
            random.seed(content.decode("ascii"))
        else:
            batches.answer(content)


def serve():
    _text_streams()
    wire = Wire()
    try:
        batches = _prepare(wire)
        wire.write(b"R")
        _answer(wire, batches)
    except Refused as refused:
        wire.write_json(b"X", {"message": str(refused)})
    except Left as left:
        wire.write_json(b"D", {"reason": str(left)})
    except MemoryError:
        os._exit(_OUT_OF_MEMORY)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(1)
