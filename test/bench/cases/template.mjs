/**
 * The template engine on a JSON template of 380 bytes with ten random picks: events a second in one run
 * against a template literal written by hand (with the same random numbers) and against python3-jinja2;
 * and a template as packs have them, with macros, filters and calls of host functions.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const DIST = join(import.meta.dirname, '..', '..', '..', 'dist', 'src');
const ROUNDS = 5;
const ROUND_MS = 300;

const PICKS = `{"ts": {{ range(1000000, 9999999)|random }}, "level": "{{ ['INFO', 'WARN', 'ERROR', 'DEBUG']|random }}", "host": "{{ ['web-01', 'web-02', 'db-01', 'db-02']|random }}", "user": "{{ ['alice', 'bob', 'carol']|random }}", "method": "{{ ['GET', 'POST']|random }}", "path": "/{{ ['orders', 'users']|random }}/{{ range(1, 10000)|random }}", "status": {{ [200, 404]|random }}, "bytes": {{ range(1, 9)|random }}, "a": {{ [1, 2]|random }}}`;

const PACK = `{%- macro address(user, domain) -%}{{ user|lower }}@{{ domain }}{%- endmacro -%}
{%- set user = rand.choice(['Alice', 'Bob', 'Carol', 'Dave']) -%}
{%- set code = rand.integer(100, 599) -%}
{%- set level = 'error' if code >= 500 else 'warning' if code >= 400 else 'info' -%}
{%- set tags = [] -%}
{%- for tag in ['a', 'b', 'c'] if tag != 'b' -%}{%- do tags.append(tag ~ '-' ~ loop.index) -%}{%- endfor -%}
{%- set event = {'user': user, 'mail': address(user, 'example.com'), 'code': code, 'level': level, 'tags': tags, 'size': (code * 1.5)|round(2)} -%}
{{ event|tojson }} {{ '%06d'|format(code) }} {{ user[:2]|upper }}`;

const PYTHON = `
import json, random, sys, time
import jinja2
request = json.load(sys.stdin)
class Rand:
    choice = staticmethod(random.choice)
    integer = staticmethod(random.randint)
env = jinja2.Environment(extensions=["jinja2.ext.do"])
answer = {"version": jinja2.__version__, "speed": []}
for text in request["templates"]:
    template = env.from_string(text)
    template.render(rand=Rand)
    begin = time.perf_counter()
    count = 0
    while time.perf_counter() - begin < request["seconds"]:
        for _ in range(100):
            template.render(rand=Rand)
        count += 100
    answer["speed"].append(count / (time.perf_counter() - begin))
json.dump(answer, sys.stdout)
`;

/** Calls a second over one round. */
const speed = (call) => {
  const begin = process.hrtime.bigint();
  let count = 0;
  let length = 0;
  let elapsed = 0;
  while (elapsed < ROUND_MS * 1e6) {
    for (let i = 0; i < 1_000; i++) length += call().length;
    count += 1_000;
    elapsed = Number(process.hrtime.bigint() - begin);
  }
  return length === 0 ? 0 : count / (elapsed / 1e9);
};

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

export const run = async () => {
  const { makeEnvironment, HostModule, keepsNothing, native } = await import(
    join(DIST, 'template', 'index.js')
  );
  const { seededRandom } = await import(join(DIST, 'domain', 'seededRandom.js'));
  const random = seededRandom('bench');
  const environment = makeEnvironment({ loader: () => null, random });
  const problems = [];
  const templateOf = (text) => {
    const made = environment.fromText('bench', text);
    if (made._tag === 'Left') throw new Error(made.left.message);
    return made.right;
  };
  const rand = new HostModule('rand', {
    choice: keepsNothing(native('choice(items)', (items) => items[random.integer(0, items.length - 1)])),
    integer: keepsNothing(native('integer(a, b)', (a, b) => random.integer(a, b))),
  });
  const names = { variables: new Map([['rand', rand]]) };
  const picks = templateOf(PICKS);
  const pack = templateOf(PACK);
  const textOf = (template) => {
    const text = template.render(names);
    if (text._tag === 'Left') throw new Error(text.left.message);
    return text.right;
  };

  const levels = ['INFO', 'WARN', 'ERROR', 'DEBUG'];
  const hosts = ['web-01', 'web-02', 'db-01', 'db-02'];
  const users = ['alice', 'bob', 'carol'];
  const methods = ['GET', 'POST'];
  const paths = ['orders', 'users'];
  const statuses = [200, 404];
  const numbers = [1, 2];
  const one = (items) => items[random.integer(0, items.length - 1)];
  const byHand = () =>
    `{"ts": ${random.integer(1000000, 9999998)}, "level": "${one(levels)}", "host": "${one(hosts)}", "user": "${one(users)}", "method": "${one(methods)}", "path": "/${one(paths)}/${random.integer(1, 9999)}", "status": ${one(statuses)}, "bytes": ${random.integer(1, 8)}, "a": ${one(numbers)}}`;

  const event = JSON.parse(textOf(picks));
  if (!levels.includes(event.level) || !users.includes(event.user))
    problems.push(`wrong event ${JSON.stringify(event)}`);
  if (Object.keys(event).join() !== Object.keys(JSON.parse(byHand())).join())
    problems.push('the literal differs');
  if (!/^\{"code": \d+, .*"tags": \["a-1", "c-2"\].*\} 000\d{3} [A-Z]{2}$/.test(textOf(pack))) {
    problems.push(`wrong pack event ${textOf(pack)}`);
  }

  const speeds = { engine: [], literal: [], pack: [] };
  for (let round = 0; round < ROUNDS + 1; round++) {
    const now = {
      engine: speed(() => textOf(picks)),
      literal: speed(byHand),
      pack: speed(() => textOf(pack)),
    };
    // The first round warms up.
    if (round > 0) for (const [name, value] of Object.entries(now)) speeds[name].push(value);
  }
  const [engine, literal, packs] = [median(speeds.engine), median(speeds.literal), median(speeds.pack)];
  const python = spawnSync('python3', ['-c', PYTHON], {
    input: JSON.stringify({ templates: [PICKS, PACK], seconds: 1 }),
    encoding: 'utf8',
  });
  const peer = python.status === 0 ? JSON.parse(python.stdout) : null;
  const ratio = (a, b) => Math.round((a / b) * 100) / 100;
  return {
    template_bytes: PICKS.length,
    events_per_second: { engine: Math.round(engine), literal: Math.round(literal), pack: Math.round(packs) },
    engine_to_literal: ratio(engine, literal),
    ...(peer === null
      ? { jinja2: 'python3-jinja2 is not there' }
      : {
          jinja2: peer.version,
          engine_to_jinja2: ratio(engine, peer.speed[0]),
          pack_to_jinja2: ratio(packs, peer.speed[1]),
        }),
    problems,
  };
};
