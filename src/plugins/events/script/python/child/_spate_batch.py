"""Turns timestamps into events: one call of `produce` for each."""

import json
import struct
from array import array
from datetime import datetime, timedelta, timezone
from itertools import accumulate
from time import monotonic

from _spate_problems import describe, type_name
from _spate_signals import PluginEventDroppedError, PluginEventsExhaustedError

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_SIZES = struct.Struct("=II")

# A batch ends after this time, or with this many characters.
_SLICE_SECONDS = 0.01
_FULL_CHARS = 512 * 1024
# Longest result of one call, in characters.
MAX_CALL_CHARS = 32 * 1024 * 1024


class Left(Exception):
    """The script ended its process."""


def zone_named(name):
    if name in ("UTC", "Etc/UTC"):
        return timezone.utc
    from zoneinfo import ZoneInfo

    return ZoneInfo(name)


def _moments(zone):
    """Returns a function from microseconds since 1970 to an aware datetime."""
    if zone is timezone.utc:
        return lambda micros: _EPOCH + timedelta(microseconds=int(micros))
    return lambda micros: (_EPOCH + timedelta(microseconds=int(micros))).astimezone(zone)


def _wrong(result):
    if not isinstance(result, list):
        return "produce returned %s, not a string or a list of strings" % type_name(result)
    names = sorted({type_name(item) for item in result if not isinstance(item, str)})
    return "produce returned a list with %s among its items, not only strings" % ", ".join(names[:5])


def _mended(text):
    """Replaces lone surrogates, which UTF-8 cannot hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _encoded(texts):
    """Returns the events as UTF-8, each with a line end, and the end of each; no ends if every event is a line."""
    if not texts:
        return b"", b""
    joined = "\n".join(texts) + "\n"
    try:
        data = joined.encode("utf-8")
    except UnicodeEncodeError:
        return _encoded([_mended(text) for text in texts])
    if joined.count("\n") == len(texts):
        return data, b""
    ends = array("I", accumulate(len(text.encode("utf-8")) + 1 for text in texts))
    return data, ends.tobytes()


class Batches:
    """Answers requests of Spate for events."""

    def __init__(self, wire, produce, options, state):
        self._wire = wire
        self._produce = produce
        self._state = state
        self._directory = options["directory"]
        self._moment = _moments(zone_named(options["zone"]))
        self._given = {
            "timestamp": None,
            "tags": (),
            "globals": state,
            "params": options["params"],
            "partition": options["partition"],
        }
        self._counts_calls = options["counts_calls"]
        self._lists = b""
        self._tags = [()]

    def _read(self, content):
        count, length = _SIZES.unpack_from(content)
        at = _SIZES.size
        lists = content[at : at + length]
        if lists != self._lists:
            self._tags = [tuple(tags) for tags in json.loads(lists)]
            self._lists = lists
        at += length
        micros = array("d")
        micros.frombytes(content[at : at + 8 * count])
        indexes = array("H")
        indexes.frombytes(content[at + 8 * count :])
        return micros, indexes

    def answer(self, content):
        micros, indexes = self._read(content)
        until = monotonic() + _SLICE_SECONDS
        texts, calls, failed, dropped = [], array("I"), [], 0
        is_exhausted = False
        consumed = 0
        size = 0
        produce, moment, given, state = self._produce, self._moment, self._given, self._state
        tags = self._tags
        tag = tags[0]
        for index, micro in enumerate(micros):
            if indexes:
                tag = tags[indexes[index]]
            before = len(texts)
            call = given.copy()
            call["timestamp"] = moment(micro)
            call["tags"] = tag
            try:
                result = produce(call)
                if isinstance(result, str):
                    length = len(result)
                    texts.append(result)
                elif isinstance(result, list) and all(isinstance(item, str) for item in result):
                    length = sum(map(len, result))
                    texts.extend(result)
                else:
                    length = 0
                    failed.append((consumed, _wrong(result)))
                if length > MAX_CALL_CHARS:
                    del texts[before:]
                    failed.append(
                        (consumed, "produce returned %d characters. A call may return %d." % (length, MAX_CALL_CHARS))
                    )
                else:
                    size += length
            except PluginEventDroppedError:
                dropped += 1
            except PluginEventsExhaustedError:
                is_exhausted = True
            except MemoryError:
                raise
            except SystemExit as error:
                raise Left("it called sys.exit(%r)" % (error.code,)) from None
            except BaseException as error:
                failed.append((consumed, describe(error, self._directory)))
            if state._held:
                state.release_all()
            if is_exhausted:
                break
            consumed += 1
            if self._counts_calls:
                calls.append(len(texts) - before)
            if size > _FULL_CHARS or monotonic() >= until:
                break
        self._reply(texts, calls, consumed, failed, dropped, is_exhausted)

    def _reply(self, texts, calls, consumed, failed, dropped, is_exhausted):
        data, ends = _encoded(texts)
        head = {"consumed": consumed, "events": len(texts), "dropped": dropped, "exhausted": is_exhausted}
        if failed:
            reasons = {}
            head["failed"] = [[at, reasons.setdefault(reason, len(reasons))] for at, reason in failed]
            head["reasons"] = list(reasons)
        if ends:
            head["has_ends"] = True
        text = json.dumps(head).encode("ascii")
        self._wire.write(b"E", _SIZES.pack(len(text), len(calls)), text, calls.tobytes(), ends, data)
