"""What scripts raise to drop a timestamp or to end the generator, and the modules to import it from."""

import sys
import types
from typing import TypedDict


class PluginProduceSignal(Exception):
    """Base of the two signals."""


class PluginEventDroppedError(PluginProduceSignal):
    """Drops the timestamp."""


class PluginEventsExhaustedError(PluginProduceSignal):
    """Ends the generator."""


class PluginError(Exception):
    """An error with a context."""

    def __init__(self, *args, context=None):
        super().__init__(*args)
        self.context = context or {}


class PluginConfigurationError(PluginError):
    """Raised while the script loads: it cannot be used."""


class PluginProduceError(PluginError):
    """A failed event."""


class ProduceParams(TypedDict):
    """Argument of `produce`, for annotations."""

    timestamp: object
    tags: tuple
    globals: object


def drop():
    raise PluginEventDroppedError


def exhaust():
    raise PluginEventsExhaustedError


_EVENT_ERRORS = {
    "PluginProduceSignal": PluginProduceSignal,
    "PluginEventDroppedError": PluginEventDroppedError,
    "PluginEventsExhaustedError": PluginEventsExhaustedError,
    # Name in versions 2.0 to 2.2.
    "PluginExhaustedError": PluginEventsExhaustedError,
    "PluginProduceError": PluginProduceError,
}
_ERRORS = {"PluginError": PluginError, "PluginConfigurationError": PluginConfigurationError}

_MODULES = {
    "spate": {"drop": drop, "exhaust": exhaust},
    "eventum": {},
    "eventum.plugins": {},
    "eventum.plugins.exceptions": _ERRORS,
    "eventum.plugins.event": {},
    "eventum.plugins.event.exceptions": _EVENT_ERRORS,
    "eventum.plugins.event.base": {},
    "eventum.plugins.event.base.plugin": {"ProduceParams": ProduceParams},
}


def install():
    """Makes the modules importable. Scripts written for Eventum import their signals from its package."""
    for name, values in _MODULES.items():
        module = types.ModuleType(name)
        vars(module).update(values)
        module.__path__ = []
        sys.modules[name] = module
        parent, _, last = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], last, module)
