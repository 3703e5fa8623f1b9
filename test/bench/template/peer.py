"""The other side of the benchmark: Jinja2, set up as fast as it can be, with host objects as in host.mjs.

Reads one JSON document per line from stdin and answers each with one. The first is
{templates: {name: text}, main: [name], data: {...}, check: bool}; then {run: name, renders: n} is answered with
{seconds: user time of this process, length: characters}, {show: name, renders: n} with {texts: [...]}.
"""

import datetime
import json
import math
import random
import resource
import sys
import zoneinfo
from collections import namedtuple
from functools import partial
from types import SimpleNamespace

import jinja2


def sources(is_check):
    """next() in [0, 1), 32 and 128 random bits; for the check the same numbers as the other side has."""
    if not is_check:
        return random.random, partial(random.getrandbits, 32), partial(random.getrandbits, 128)
    state = 1

    def bits32():
        nonlocal state
        state = (state * 1664525 + 1013904223) % 4294967296
        return state

    def bits128():
        return (bits32() << 96) | (bits32() << 64) | (bits32() << 32) | bits32()

    return lambda: bits32() / 4294967296, bits32, bits128


def row_type(columns):
    """Rows are lists whose values have names too; read by `row['name']` without an exception on the way."""
    base = namedtuple("Row", columns)

    class Row(base):
        __slots__ = ()

        def __getitem__(self, key):
            return getattr(self, key) if key.__class__ is str else tuple.__getitem__(self, key)

    return Row


def host(data, is_check):
    following, bits32, bits128 = sources(is_check)
    floor = math.floor

    def integer(a, b):
        return a + floor(following() * (b - a + 1))

    def choice(items):
        return items[floor(following() * len(items))]

    def weighted_choice(items, weights):
        drawn = following() * sum(weights)
        for item, weight in zip(items, weights):
            drawn -= weight
            if drawn < 0:
                return item
        return items[-1]

    def text_hex(length):
        if is_check:
            return "".join("%08x" % bits32() for _ in range((length + 7) // 8))[:length]
        return "%0*x" % (length, random.getrandbits(4 * length))

    def uuid4():
        h = "%032x" % bits128()
        return f"{h[:8]}-{h[8:12]}-4{h[13:16]}-{'89ab'[int(h[16], 16) & 3]}{h[17:20]}-{h[20:]}"

    def lognormal(mu, sigma):
        normal = math.sqrt(-2 * math.log(1 - following())) * math.cos(2 * math.pi * following())
        return math.exp(mu + sigma * normal)

    class Sample(list):
        def __init__(self, columns, rows):
            super().__init__(row_type(columns)(*row) for row in rows)
            self.sums = {}

        def pick(self):
            return self[floor(following() * len(self))]

        def weighted_pick(self, column):
            sums = self.sums.get(column)
            if sums is None:
                total = 0
                sums = []
                for row in self:
                    total += getattr(row, column)
                    sums.append(total)
                self.sums[column] = sums
            drawn = following() * sums[-1]
            for row, total in zip(self, sums):
                if drawn < total:
                    return row

    class Shared:
        def __init__(self):
            self.stored = {}
            self.get = self.stored.get
            self.set = self.stored.__setitem__

    rand = SimpleNamespace(
        choice=choice,
        integer=integer,
        weighted_choice=weighted_choice,
        chance=lambda p: following() < p,
        number=SimpleNamespace(
            integer=integer, floating=lambda a, b: a + following() * (b - a), lognormal=lognormal
        ),
        string=SimpleNamespace(hex=text_hex),
        crypto=SimpleNamespace(uuid4=uuid4),
        network=SimpleNamespace(
            ip_v4_public=lambda: f"{integer(11, 99)}.{integer(0, 255)}.{integer(0, 255)}.{integer(1, 254)}"
        ),
    )
    samples = {name: Sample(s["columns"], s["rows"]) for name, s in data["samples"].items()}
    return choice, {
        "module": SimpleNamespace(rand=rand, datetime=datetime),
        "rand": rand,
        "samples": SimpleNamespace(**samples),
        "shared": Shared(),
        "params": data["params"],
    }


def timestamps(data):
    stamps = data["timestamps"]
    zone = zoneinfo.ZoneInfo(data["zone"])
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    for i in range(stamps["count"]):
        micros = stamps["first_micros"] + i * stamps["step_micros"] + (i % 4) * stamps["jitter_micros"]
        yield (epoch + datetime.timedelta(microseconds=micros)).astimezone(zone)


def main():
    request = json.loads(sys.stdin.readline())
    # Names of the host are globals of the environment: so Jinja makes the imported macros once.
    env = jinja2.Environment(
        loader=jinja2.DictLoader(request["templates"]),
        extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols"],
        autoescape=False,
        auto_reload=False,
    )
    pick, names = host(request["data"], request["check"])
    env.globals.update(names)
    if request["check"]:
        # With the context as an argument, as Jinja's own has, it is not worked out when the template is compiled.
        env.filters["random"] = jinja2.pass_context(lambda _context, items: pick(items))
    stamps = list(timestamps(request["data"]))
    templates = {name: env.get_template(name) for name in request["main"]}
    turn = 0
    print(json.dumps({"version": jinja2.__version__, "python": sys.version.split()[0]}), flush=True)
    for line in sys.stdin:
        command = json.loads(line)
        render = templates[command.get("run") or command["show"]].render
        texts = []
        length = 0
        begin = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        for _ in range(command["renders"]):
            text = render(timestamp=stamps[turn % len(stamps)])
            turn += 1
            length += len(text)
            if "show" in command:
                texts.append(text)
        seconds = resource.getrusage(resource.RUSAGE_SELF).ru_utime - begin
        print(json.dumps({"seconds": seconds, "length": length, "texts": texts}), flush=True)


main()
