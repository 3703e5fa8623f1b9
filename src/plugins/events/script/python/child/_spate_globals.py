"""State of the scenario. Each operation asks Spate, where templates and other scripts of the scenario share it."""

import json

_MISSING = object()


class Globals:
    """`params["globals"]`: values are JSON; a list or dictionary read from it is a copy."""

    def __init__(self, wire):
        self._wire = wire
        # Of the lock, with the number of holds.
        self.is_held = False
        self._held = 0

    def _ask(self, operation, *values):
        self._wire.write_json(b"Q", [operation, *values])
        _, answer = self._wire.read()
        told = json.loads(answer)
        if "problem" in told:
            raise ValueError(told["problem"])
        return told.get("value", _MISSING)

    def get(self, key, default=None):
        found = self._ask("get", str(key))
        return default if found is _MISSING else found

    def set(self, key, value):
        self._ask("update", {str(key): value})

    def update(self, values):
        self._ask("update", {str(key): value for key, value in dict(values).items()})

    def pop(self, key, default=None):
        found = self._ask("pop", str(key))
        return default if found is _MISSING else found

    def clear(self):
        self._ask("clear")

    def as_dict(self):
        return self._ask("snapshot")

    def increment(self, key, by=1):
        """Adds to a number, 0 if missing, and returns the sum. No other member can come between."""
        return self._ask("increment", str(key), by)

    def __getitem__(self, key):
        return self.get(key)

    def __contains__(self, key):
        return self._ask("get", str(key)) is not _MISSING

    def acquire(self):
        """Waits until no other Python script of the scenario holds the lock."""
        if self._held == 0:
            self._ask("acquire")
        self._held += 1
        self.is_held = True

    def release(self):
        if self._held == 0:
            raise RuntimeError("release() without acquire()")
        self._held -= 1
        if self._held == 0:
            self.is_held = False
            self._ask("release")

    def release_all(self):
        """After each call of `produce`: an error may have left the lock behind."""
        self._held = 1
        self.release()
