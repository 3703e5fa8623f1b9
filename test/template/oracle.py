"""Renders templates with Jinja2 for the differential tests.

Reads one JSON document {cases: [{text, files?, options?}]} from stdin and writes {tables, results}: what Jinja and
Python themselves list (filters, tests, methods), and for each case {ok: text} or {error: kind, message, line}.
"""

import base64
import calendar
import collections
import datetime
import hashlib
import ipaddress
import itertools
import json
import math
import re
import string
import sys
import time
import urllib.parse
import uuid
import zoneinfo

import jinja2

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")


def context():
    return {
        "datetime": datetime,
        "math": math,
        "json": json,
        "base64": base64,
        "hashlib": hashlib,
        "calendar": calendar,
        "collections": collections,
        "ipaddress": ipaddress,
        "itertools": itertools,
        "re": re,
        "string": string,
        "time": time,
        "urllib": urllib,
        "uuid": uuid,
        "BERLIN": BERLIN,
        "ts": datetime.datetime(2026, 11, 21, 9, 5, 7, 123456, tzinfo=BERLIN),
        "users": [
            {"name": "ann", "age": 30, "tags": ["x", "y"]},
            {"name": "Bob", "age": 25, "tags": []},
            {"name": "cid", "age": 30, "tags": ["z"]},
        ],
        "a_set": {1},
        "nothing": None,
    }


def names(kind):
    return [name for name in dir(kind) if not name.startswith("_")]


def environment(files, options):
    return jinja2.Environment(
        loader=jinja2.DictLoader(files),
        extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols"],
        cache_size=0,
        **options,
    )


def run(case):
    try:
        env = environment({**case.get("files", {}), "main": case["text"]}, case.get("options", {}))
        return {"ok": env.get_template("main").render(context())}
    except RecursionError:
        return {"error": "RecursionError", "message": "", "line": 0}
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error), "line": getattr(error, "lineno", None)}


def tables():
    env = environment({}, {})
    return {
        "filters": sorted(env.filters),
        "tests": sorted(env.tests),
        "globals": sorted(env.globals),
        "methods": {
            "str": names(str),
            "list": names(list),
            "dict": names(dict),
            "tuple": names(tuple),
            "set": names(set),
            "datetime": names(datetime.datetime),
            "date": names(datetime.date),
            "time": names(datetime.time),
            "timedelta": names(datetime.timedelta),
        },
        "version": jinja2.__version__,
    }


def main():
    request = json.load(sys.stdin)
    answer = {"tables": tables(), "results": [run(case) for case in request["cases"]]}
    json.dump(answer, sys.stdout)


main()
