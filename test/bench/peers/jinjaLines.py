"""python3 jinjaLines.py PEER REQUEST COUNT FILE: events of the template `macros` as Jinja2 makes them, to a
file, each followed by NUL (they have several lines).

PEER is test/bench/template/peer.py, whose host objects are used; REQUEST a file with what its first line of input
would be: {templates, main, data}.
"""

import json
import sys

import jinja2

peer, request, count, target = sys.argv[1:]
with open(peer, encoding="utf-8") as file:
    # Without its last line, which answers requests.
    source = file.read().rsplit("\nmain()", 1)[0]
names = {"__name__": "peer"}
exec(compile(source, peer, "exec"), names)
with open(request, encoding="utf-8") as file:
    given = json.load(file)

env = jinja2.Environment(
    loader=jinja2.DictLoader(given["templates"]),
    extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols"],
    autoescape=False,
    auto_reload=False,
)
_, host = names["host"](given["data"], False)
env.globals.update(host)
render = env.get_template(given["main"]).render
stamps = list(names["timestamps"](given["data"]))
with open(target, "w", encoding="utf-8", buffering=1 << 18) as file:
    for turn in range(int(count)):
        file.write(render(timestamp=stamps[turn % len(stamps)]))
        file.write("\0")
