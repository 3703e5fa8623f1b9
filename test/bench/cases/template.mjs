/**
 * The template engine against python3-jinja2, renders a second of user time (so that other programs on the
 * machine do not count), in rounds of one and the other in turn:
 *
 * - `picks`: a JSON template of 429 bytes with ten random picks, also against a template literal written by hand;
 * - `pack`: one of 900 bytes with a macro, filters and calls of host functions;
 * - `macros`: 10 KB over two files, with imported macros, samples, `shared` lists and `tojson`, in the
 *   proportions of published packs (templates.md, section 12).
 *
 * `SPATE_BENCH_DIST=folder` measures another build, `SPATE_BENCH_ROUNDS=20` more rounds.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PARAMS, SAMPLES, TIMESTAMPS, ZONE } from '../template/data.mjs';
import { hostNames } from '../template/host.mjs';

const HERE = join(import.meta.dirname, '..', 'template');
const DIST = process.env.SPATE_BENCH_DIST ?? join(import.meta.dirname, '..', '..', '..', 'dist', 'src');
const ROUNDS = Number(process.env.SPATE_BENCH_ROUNDS ?? 7);
const ROUND_SECONDS = 0.4;
const COMPARED = 500;

const PICKS = `{"ts": {{ range(1000000, 9999999)|random }}, "level": "{{ ['INFO', 'WARN', 'ERROR', 'DEBUG']|random }}", "host": "{{ ['web-01', 'web-02', 'db-01', 'db-02']|random }}", "user": "{{ ['alice', 'bob', 'carol']|random }}", "method": "{{ ['GET', 'POST']|random }}", "path": "/{{ ['orders', 'users']|random }}/{{ range(1, 10000)|random }}", "status": {{ [200, 404]|random }}, "bytes": {{ range(1, 9)|random }}, "a": {{ [1, 2]|random }}}`;

const PACK = `{%- macro address(user, domain) -%}{{ user|lower }}@{{ domain }}{%- endmacro -%}
{%- set user = rand.choice(['Alice', 'Bob', 'Carol', 'Dave']) -%}
{%- set code = rand.integer(100, 599) -%}
{%- set level = 'error' if code >= 500 else 'warning' if code >= 400 else 'info' -%}
{%- set tags = [] -%}
{%- for tag in ['a', 'b', 'c'] if tag != 'b' -%}{%- do tags.append(tag ~ '-' ~ loop.index) -%}{%- endfor -%}
{%- set event = {'user': user, 'mail': address(user, 'example.com'), 'code': code, 'level': level, 'tags': tags, 'size': (code * 1.5)|round(2)} -%}
{{ event|tojson }} {{ '%06d'|format(code) }} {{ user[:2]|upper }}`;

const text = (name) => readFileSync(join(HERE, name), 'utf8');
const TEMPLATES = {
  picks: PICKS,
  pack: PACK,
  macros: text('event.jinja'),
  'macros.jinja': text('macros.jinja'),
};
const MAIN = ['picks', 'pack', 'macros'];

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const rounded = (value) => Math.round(value * 100) / 100;
const spreadOf = (values) => ({
  median: rounded(median(values)),
  min: rounded(Math.min(...values)),
  max: rounded(Math.max(...values)),
});

/** Jinja in a process of its own; `null` where it is not installed. */
const startPeer = async (isCheck) => {
  const child = spawn('python3', [join(HERE, 'peer.py')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (command) => {
    child.stdin.write(`${JSON.stringify(command)}\n`);
    const { value, done } = await lines.next();
    return done ? null : JSON.parse(value);
  };
  child.stdin.on('error', () => undefined);
  const data = { samples: SAMPLES, params: PARAMS, timestamps: TIMESTAMPS, zone: ZONE };
  const hello = await ask({ templates: TEMPLATES, main: MAIN, data, check: isCheck });
  return hello === null ? null : { ask, version: hello, close: () => child.stdin.end() };
};

/** The engine with its templates; `source` is where everything random comes from. */
const startEngine = async (source) => {
  const template = await import(join(DIST, 'template', 'index.js'));
  const environment = template.makeEnvironment({
    loader: (name) => TEMPLATES[name] ?? null,
    random: source,
  });
  const { advance, names } = hostNames(template, source);
  const templates = Object.fromEntries(
    MAIN.map((name) => {
      const made = environment.load(name);
      if (made._tag === 'Left') throw new Error(`${name}: ${made.left.message}`);
      return [name, made.right];
    }),
  );
  return (name) => {
    advance();
    const made = templates[name].render(names);
    if (made._tag === 'Left') throw new Error(`${name}: ${JSON.stringify(made.left)}`);
    return made.right;
  };
};

const lehmer = () => {
  let state = 1;
  const bits32 = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
  const next = () => bits32() / 4294967296;
  return { next, bits32, uint32: bits32, integer: (a, b) => a + Math.floor(next() * (b - a + 1)) };
};

/** With the same random numbers on both sides every text must be the same. */
const compare = async () => {
  const peer = await startPeer(true);
  if (peer === null) return [];
  const render = await startEngine(lehmer());
  const problems = [];
  for (const name of MAIN) {
    const { texts } = await peer.ask({ show: name, renders: COMPARED });
    const at = texts.findIndex((theirs) => theirs !== render(name));
    if (at >= 0) problems.push(`${name}: render ${at} differs from Jinja's, which is ${texts[at]}`);
  }
  peer.close();
  return problems;
};

const written = Buffer.alloc(64 * 1024);
const lengthOf = (text) => text.length;
/** V8 puts the parts of a text together only when it is written; Python has done it when `render` returns. */
const write = (text) => written.utf8Write(text, 0);

/** Calls a second of user time, over about one round; each text is given to `use`. */
const speed = (call, use) => {
  let count = 0;
  let length = 0;
  let used = 0;
  const begin = process.cpuUsage().user;
  while (used < ROUND_SECONDS * 1e6) {
    for (let i = 0; i < 500; i++) length += use(call());
    count += 500;
    used = process.cpuUsage().user - begin;
  }
  return length === 0 ? 0 : count / (used / 1e6);
};

const LEVELS = ['INFO', 'WARN', 'ERROR', 'DEBUG'];
const HOSTS = ['web-01', 'web-02', 'db-01', 'db-02'];
const USERS = ['alice', 'bob', 'carol'];

/** The template `picks` as a person writes it in JavaScript. */
const literalOf = (random) => {
  const methods = ['GET', 'POST'];
  const paths = ['orders', 'users'];
  const statuses = [200, 404];
  const numbers = [1, 2];
  const one = (items) => items[random.integer(0, items.length - 1)];
  return () =>
    `{"ts": ${random.integer(1000000, 9999998)}, "level": "${one(LEVELS)}", "host": "${one(HOSTS)}", "user": "${one(USERS)}", "method": "${one(methods)}", "path": "/${one(paths)}/${random.integer(1, 9999)}", "status": ${one(statuses)}, "bytes": ${random.integer(1, 8)}, "a": ${one(numbers)}}`;
};

const wrongEvents = (render, literal) => {
  const problems = [];
  const event = JSON.parse(render('picks'));
  if (!LEVELS.includes(event.level) || !USERS.includes(event.user))
    problems.push(`wrong event ${JSON.stringify(event)}`);
  if (Object.keys(event).join() !== Object.keys(JSON.parse(literal())).join())
    problems.push('the literal differs');
  const pack = render('pack');
  if (!/^\{"code": \d+, .*"tags": \["a-1", "c-2"\].*\} 000\d{3} [A-Z]{2}$/.test(pack))
    problems.push(`wrong pack event ${pack}`);
  const { winlog } = JSON.parse(render('macros'));
  if (typeof winlog?.event_data?.latency_us !== 'number') problems.push('wrong macro event');
  return problems;
};

export const run = async () => {
  const { seededRandom } = await import(join(DIST, 'domain', 'random.js'));
  const random = seededRandom('bench');
  const render = await startEngine({ ...random, bits32: random.uint32 });
  const literal = literalOf(random);
  const problems = [...wrongEvents(render, literal), ...(await compare())];
  const peer = await startPeer(false);
  const theirs = async (name, renders) => {
    const { seconds } = await peer.ask({ run: name, renders });
    return renders / seconds;
  };
  const batches = {};
  // The first rounds warm up, and say how many renders make a round of Jinja.
  for (const name of MAIN) {
    for (const use of [write, lengthOf, write, lengthOf]) speed(() => render(name), use);
    if (peer !== null) batches[name] = Math.ceil((await theirs(name, 500)) * ROUND_SECONDS);
  }
  speed(literal, lengthOf);
  const toLiteral = [];
  const speeds = {};
  for (const name of MAIN) speeds[name] = { ours: [], theirs: [], ratios: [], writtenRatios: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of MAIN) {
      const ours = speed(() => render(name), lengthOf);
      speeds[name].ours.push(ours);
      if (name === 'picks') toLiteral.push(ours / speed(literal, lengthOf));
      if (peer === null) continue;
      const peers = await theirs(name, batches[name]);
      speeds[name].theirs.push(peers);
      speeds[name].ratios.push(ours / peers);
      speeds[name].writtenRatios.push(speed(() => render(name), write) / peers);
    }
  }
  peer?.close();
  const bytes = { picks: PICKS.length, pack: PACK.length };
  bytes.macros = TEMPLATES.macros.length + TEMPLATES['macros.jinja'].length;
  return {
    jinja2: peer === null ? 'python3-jinja2 is not there' : peer.version,
    picks_to_literal: spreadOf(toLiteral),
    ...Object.fromEntries(
      MAIN.map((name) => [
        name,
        {
          template_bytes: bytes[name],
          renders_per_user_second: Math.round(median(speeds[name].ours)),
          ...(peer === null
            ? {}
            : {
                jinja2_renders_per_user_second: Math.round(median(speeds[name].theirs)),
                to_jinja2: spreadOf(speeds[name].ratios),
                written_as_utf8_to_jinja2: spreadOf(speeds[name].writtenRatios),
              }),
        },
      ]),
    ),
    problems,
  };
};
