"""Describes exceptions in one line, with the line of the script."""

import os

MAX_CHARS = 2000


def _shown(file, directory):
    path = os.path.relpath(file, directory)
    return file if path.startswith("..") else path


def _text(error):
    try:
        return str(error)
    except BaseException:
        return "an error that cannot be printed"


def _location(error, directory):
    """`file:line` of the innermost frame below the folder of the generator; without one `None`."""
    found = None
    frame = error.__traceback__
    while frame is not None:
        file = frame.tb_frame.f_code.co_filename
        if file.startswith(directory + os.sep) and (os.sep + "site-packages" + os.sep) not in file:
            found = "%s:%d" % (_shown(file, directory), frame.tb_lineno)
        frame = frame.tb_next
    return found


def describe(error, directory):
    """For example `ValueError: too small (produce.py:7)`."""
    message = _text(error)
    location = _location(error, directory)
    text = type(error).__name__
    if message:
        text += ": " + message[:MAX_CHARS]
    return text if location is None else "%s (%s)" % (text, location)


def describe_syntax(error, directory):
    """For example `syntax error at produce.py:2:13: invalid syntax`; Python may not know the place."""
    if error.filename is None or error.lineno is None:
        return "syntax error: %s" % error.msg
    file = _shown(error.filename, directory)
    return "syntax error at %s:%s:%s: %s" % (file, error.lineno, error.offset, error.msg)


def type_name(value):
    if value is None:
        return "None (is a return missing?)"
    name = type(value).__name__
    return name + " (async functions are not supported)" if name == "coroutine" else name
