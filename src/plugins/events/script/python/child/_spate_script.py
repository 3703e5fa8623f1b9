"""Loads a script."""

import importlib.machinery
import importlib.util
import os
import sys

from _spate_problems import describe, describe_syntax, type_name

# The name that Eventum gives a script.
_NAME = "user_module"


class Refused(Exception):
    """Why a script cannot be used, in one sentence."""


def _draft_loader(drafts):
    """A loader that reads texts instead of the files that they stand for."""

    class DraftLoader(importlib.machinery.SourceFileLoader):
        def get_data(self, path):
            text = drafts.get(path)
            return super().get_data(path) if text is None else text.encode("utf-8")

        def path_stats(self, path):
            # Without them no compiled file is used.
            if path in drafts:
                raise OSError
            return super().path_stats(path)

    return DraftLoader


def _own_imports(loader):
    """Lets imports of modules of the script use the loader."""
    details = [
        (importlib.machinery.ExtensionFileLoader, importlib.machinery.EXTENSION_SUFFIXES),
        (loader, importlib.machinery.SOURCE_SUFFIXES),
        (importlib.machinery.SourcelessFileLoader, importlib.machinery.BYTECODE_SUFFIXES),
    ]
    sys.path_hooks.insert(0, importlib.machinery.FileFinder.path_hook(*details))
    sys.path_importer_cache.clear()


def load(file, shown, directory, drafts):
    """Returns `produce` of the script. Raises `Refused`."""
    own = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [os.path.dirname(file)] + [path for path in sys.path if path not in (own, "")]
    sys.argv = [file]
    loader = _draft_loader(drafts)
    if drafts:
        _own_imports(loader)
    spec = importlib.util.spec_from_file_location(_NAME, file, loader=loader(_NAME, file))
    module = importlib.util.module_from_spec(spec)
    sys.modules[_NAME] = module
    try:
        spec.loader.exec_module(module)
    except MemoryError:
        raise
    except SyntaxError as error:
        raise Refused("%s: %s" % (shown, describe_syntax(error, directory))) from None
    except SystemExit as error:
        raise Refused("%s called sys.exit(%r) while it loaded" % (shown, error.code)) from None
    except BaseException as error:
        raise Refused("%s failed to load: %s" % (shown, describe(error, directory))) from None
    produce = getattr(module, "produce", None)
    if callable(produce):
        return produce
    if hasattr(module, "produce"):
        raise Refused("%s defines produce as %s, not as a function" % (shown, type_name(produce)))
    raise Refused('%s does not define a function named produce. Add "def produce(params): ...".' % shown)
