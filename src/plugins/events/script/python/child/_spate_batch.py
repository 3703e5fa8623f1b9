"""Turns timestamps into events: one call of `produce` for each."""

import json
import struct
from array import array
from datetime import datetime, timedelta, timezone
from itertools import accumulate
from time import monotonic
from types import CoroutineType

from _spate_problems import describe, type_name
from _spate_signals import PluginEventDroppedError, PluginEventsExhaustedError

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_SIZES = struct.Struct("=II")
_REQUEST = struct.Struct("=III")

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
    """Why a result is none."""
    if isinstance(result, CoroutineType):
        # Without it Python warns that nobody awaited the call.
        result.close()
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


class _Results:
    """What the calls of one batch made."""

    def __init__(self):
        self.texts = []
        # Number of events of each call.
        self.calls = array("I")
        self.failed = []
        self.dropped = 0
        self.is_exhausted = False
        self.consumed = 0
        self.size = 0

    def fail(self, reason):
        self.failed.append((self.consumed, reason))

    def add(self, result):
        if isinstance(result, str):
            length = len(result)
            if length <= MAX_CALL_CHARS:
                self.texts.append(result)
        elif isinstance(result, list) and all(isinstance(item, str) for item in result):
            length = sum(map(len, result))
            if length <= MAX_CALL_CHARS:
                self.texts.extend(result)
        else:
            return self.fail(_wrong(result))
        if length > MAX_CALL_CHARS:
            return self.fail("produce returned %d characters. A call may return %d." % (length, MAX_CALL_CHARS))
        self.size += length

    def frame(self):
        """Content of the answer; `readEvents` in `wire.ts` reads it."""
        data, ends = _encoded(self.texts)
        head = {
            "consumed": self.consumed,
            "events": len(self.texts),
            "dropped": self.dropped,
            "exhausted": self.is_exhausted,
        }
        if self.failed:
            reasons = {}
            head["failed"] = [[at, reasons.setdefault(reason, len(reasons))] for at, reason in self.failed]
            head["reasons"] = list(reasons)
        if ends:
            head["has_ends"] = True
        text = json.dumps(head).encode("ascii")
        return _SIZES.pack(len(text), len(self.calls)), text, self.calls.tobytes(), ends, data


def _activities(text):
    """What each timestamp observes. Activities share people, hosts and the like, which have a number in the text."""
    entities, activities = json.loads(text)

    def named(value):
        return entities[value["entity"]] if isinstance(value, dict) else value

    for activity in activities:
        if activity is None:
            continue
        for name in ("person", "host", "truth"):
            activity[name] = named(activity[name])
        facts = activity["facts"]
        for name, fact in facts.items():
            facts[name] = named(fact)
    return activities


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
            "activity": None,
        }
        self._counts_calls = options["counts_calls"]
        self._lists = b""
        self._tags = [()]

    def _read(self, content):
        count, length, observed = _REQUEST.unpack_from(content)
        at = _REQUEST.size
        lists = content[at : at + length]
        if lists != self._lists:
            self._tags = [tuple(tags) for tags in json.loads(lists)]
            self._lists = lists
        at += length
        activities = _activities(content[at : at + observed]) if observed else None
        at += observed
        micros = array("d")
        micros.frombytes(content[at : at + 8 * count])
        indexes = array("H")
        indexes.frombytes(content[at + 8 * count :])
        return micros, indexes, activities

    def _call(self, results, given):
        try:
            results.add(self._produce(given))
        except PluginEventDroppedError:
            results.dropped += 1
        except PluginEventsExhaustedError:
            results.is_exhausted = True
        except MemoryError:
            raise
        except SystemExit as error:
            raise Left("it called sys.exit(%r)" % (error.code,)) from None
        except BaseException as error:
            results.fail(describe(error, self._directory))

    def answer(self, content):
        micros, indexes, activities = self._read(content)
        until = monotonic() + _SLICE_SECONDS
        results = _Results()
        call, moment, base, state, tags = self._call, self._moment, self._given, self._state, self._tags
        for index, micro in enumerate(micros):
            before = len(results.texts)
            given = base.copy()
            given["timestamp"] = moment(micro)
            given["tags"] = tags[indexes[index]] if indexes else tags[0]
            if activities is not None:
                given["activity"] = activities[index]
            call(results, given)
            if state.is_held:
                state.release_all()
            if results.is_exhausted:
                break
            results.consumed += 1
            if self._counts_calls:
                results.calls.append(len(results.texts) - before)
            if results.size > _FULL_CHARS or monotonic() >= until:
                break
        self._wire.write(b"E", *results.frame())
