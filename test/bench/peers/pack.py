"""python3 pack.py REQUEST COUNT FILE: events of a library generator as Jinja2 makes them under Python.

REQUEST is a file with {templates: {name: text}, picks: [{alias, template, chance, vars}], params, samples:
{name: rows}, first_micros}. Each event is checked and written on one line, as the formatter `json` of a Python
service does: msgspec where it is installed, else json.loads and json.dumps. Timestamps are a millisecond apart.

What a service adds (schedule, outputs, counters) is missing, so this is the fastest such a service could be.
"""

import base64
import bisect
import datetime
import functools
import hashlib
import itertools
import json
import math
import random
import string
import sys
import uuid
from types import SimpleNamespace

import jinja2

try:
    from msgspec import json as quick
except ImportError:
    quick = None


class Row(dict):
    """An object of a sample: names are read as attributes without an exception on the way."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Sample(list):
    """Rows with the picks of a sample."""

    def __init__(self, rows):
        super().__init__(rows)
        self.sums = {}

    def pick(self):
        return random.choice(self)

    def weighted_pick(self, column):
        sums = self.sums.get(column)
        if sums is None:
            sums = self.sums[column] = list(itertools.accumulate(float(row[column]) for row in self))
        return self[bisect.bisect(sums, random.random() * sums[-1])]


class State:
    def __init__(self):
        stored = {}
        self.get = stored.get
        self.set = stored.__setitem__


class NextTemplate(Exception):
    """dispatch.next(): another template is picked."""


def dispatch_next():
    raise NextTemplate


def shuffle(items):
    items = list(items)
    random.shuffle(items)
    return items


def of_alphabet(alphabet):
    return lambda size: "".join(random.choices(alphabet, k=size))


def address(network, bits):
    """An address of a network given as a number and the bits of its hosts."""
    value = network | random.getrandbits(bits)
    return f"{value >> 24}.{value >> 16 & 255}.{value >> 8 & 255}.{value & 255}"


def private_b():
    return f"172.{random.randint(16, 31)}.{random.getrandbits(8)}.{random.getrandbits(8)}"


NUMBER = SimpleNamespace(
    integer=random.randint,
    floating=random.uniform,
    gauss=random.gauss,
    lognormal=random.lognormvariate,
    clamp=lambda value, low, high: min(max(value, low), high),
)
STRING = SimpleNamespace(
    letters_lowercase=of_alphabet(string.ascii_lowercase),
    letters_uppercase=of_alphabet(string.ascii_uppercase),
    letters=of_alphabet(string.ascii_letters),
    digits=of_alphabet(string.digits),
    hex=lambda size: "%0*x" % (size, random.getrandbits(4 * size)),
)
NETWORK = SimpleNamespace(
    ip_v4_private_a=lambda: address(10 << 24, 24),
    ip_v4_private_b=private_b,
    ip_v4_private_c=lambda: address((192 << 24) | (168 << 16), 16),
    mac=lambda: ":".join("%02x" % random.getrandbits(8) for _ in range(6)),
)
CRYPTO = SimpleNamespace(
    uuid4=lambda: str(uuid.UUID(int=random.getrandbits(128), version=4)),
    md5=lambda: "%032x" % random.getrandbits(128),
    sha256=lambda: "%064x" % random.getrandbits(256),
)
RAND = SimpleNamespace(
    choice=random.choice,
    weighted_choice=lambda items, weights: random.choices(items, weights)[0],
    chance=lambda probability: random.random() < probability,
    shuffle=shuffle,
    number=NUMBER,
    string=STRING,
    network=NETWORK,
    crypto=CRYPTO,
)
MODULE = SimpleNamespace(
    rand=RAND, datetime=datetime, hashlib=hashlib, base64=base64, math=math, json=json, random=random
)


def main():
    request_path, count, target = sys.argv[1:]
    with open(request_path, encoding="utf-8") as file:
        given = json.load(file)
    env = jinja2.Environment(
        loader=jinja2.DictLoader(given["templates"]),
        extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols"],
        autoescape=False,
        auto_reload=False,
    )
    env.filters["json"] = functools.partial(json.dumps, ensure_ascii=False)
    as_rows = json.JSONDecoder(object_hook=Row)
    samples = {name: Sample(as_rows.decode(json.dumps(rows))) for name, rows in given["samples"].items()}
    # Names of the host are globals of the environment: so Jinja makes the imported macros once.
    env.globals.update(
        module=MODULE,
        samples=SimpleNamespace(**samples),
        params=given["params"],
        shared=State(),
        globals=State(),
        dispatch=SimpleNamespace(next=dispatch_next),
        tags=(),
    )
    renders, weights = [], []
    for pick in given["picks"]:
        template = env.get_template(pick["template"], globals={"locals": State(), "vars": pick.get("vars", {})})
        renders.append(template.render)
        weights.append(pick["chance"])
    sums = list(itertools.accumulate(weights))
    first = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    first += datetime.timedelta(microseconds=given["first_micros"])
    step = datetime.timedelta(milliseconds=1)
    following, choose = random.random, bisect.bisect
    if quick is None:
        print("pack.py formats with json of the standard library: msgspec is not installed", file=sys.stderr)
        loads, dumps = json.loads, json.dumps
    else:
        loads, dumps = quick.decode, lambda value: quick.encode(value).decode()
    stamp = first
    with open(target, "w", encoding="utf-8", buffering=1 << 18) as file:
        for _ in range(int(count)):
            while True:
                render = renders[choose(sums, following() * sums[-1])]
                try:
                    text = render(timestamp=stamp)
                    break
                except NextTemplate:
                    pass
            file.write(dumps(loads(text)))
            file.write("\n")
            stamp += step


main()
