import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../src/domain/events/eventBatch.js';
import { DEFAULT_TEMPLATE_LIMITS } from '../../src/domain/generator.js';
import { seededRandom } from '../../src/domain/random.js';
import { utc } from '../../src/domain/time/zone.js';
import { templateFormatterPlugin } from '../../src/plugins/formatters/template/plugin.js';
import { makeEnvironment, makeModules, type TemplateError, UTC_ZONE } from '../../src/template/index.js';
import { makeTestClock } from '../support/templates/slowRenders.js';

const RENDER_MS = 50;
/** Processor time, as the machine may be busy; a thread may be silent for ten seconds. */
const SLOWEST_MS = 4_000;

const modules = makeModules({
  random: () => seededRandom(1),
  now: () => 1_800_000_000_000_000,
  zone: UTC_ZONE,
  digest: (algorithm, bytes) => createHash(algorithm).update(bytes).digest(),
});

const environment = makeEnvironment({
  loader: () => null,
  random: seededRandom(1),
  globals: new Map(modules),
  monotonicMs: () => performance.now(),
  limits: { render_ms: RENDER_MS },
});

/** Error of a render, and its processor time in milliseconds. */
const outcomeOf = (text: string): { readonly error: TemplateError | null; readonly took: number } => {
  const template = environment.fromText('slow.jinja', text);
  if (E.isLeft(template)) throw new Error(template.left.message);
  const from = process.cpuUsage();
  const result = template.right.render({ variables: new Map() });
  const { user } = process.cpuUsage(from);
  return { error: E.isLeft(result) ? result.left : null, took: user / 1_000 };
};

const BIG = '{% set big = "a" * 10**7 %}{% set uni = "é<" * 3000000 %}';
const LIST = '{% set items = range(900000) | list %}{% set words = range(200000) | map("string") | list %}';
const INT = '{% set int = 10**9000 + 1 %}{% set other = 10**9999 // 7 %}';

const again = (call: string, before: string): string =>
  `${before}{% for i in range(999999) %}{% do ${call} %}{% endfor %}`;

describe('a render over its limits fails alone', () => {
  test.each([
    ['base64 of a long text', 'base64.b64encode(big.encode())', BIG],
    ['tojson of a long text', 'uni | tojson', BIG],
    ['tojson of a large list', 'items | tojson', LIST],
    ['slices of a long text', 'big[1:-1]', BIG],
    ['replace in a long text', 'big | replace("a", "b")', BIG],
    ['replace of a long part', 'big.replace("b" ~ "a" * 400000, "x")', BIG],
    ['shuffle of a large list', 'random.shuffle(items)', LIST],
    ['gcd of large ints', 'math.gcd(int, other)', INT],
    ['many keyword arguments', 'dict(**many)', '{% set many = {} %}'],
    ['sort of a large list', 'words | sort', LIST],
    ['unique of a large list', 'words | unique | list', LIST],
    ['groupby of a large list', 'words | groupby("0")', LIST],
    ['join of a large list', 'words | join(",")', LIST],
    ['upper and lower of a long text', 'big.upper().lower()', BIG],
    ['powers of large ints', 'other ** 1 * int % (int - 2)', INT],
    ['padding by a format', '"%9000000d" % 1', ''],
    ['a format of many fields', '("{}" * 200000).format(*range(200000))', ''],
    ['dates with a long format', 'datetime.datetime(2026, 1, 2).strftime("%Y-%m-%d" * 100000)', ''],
    ['hashes of long texts', 'hashlib.sha256(big.encode()).hexdigest()', BIG],
    ['json of a long text', 'json.loads("[1," * 400 ~ "1" ~ "]" * 400)', ''],
    ['json of many lists', 'json.loads("[" ~ "[1]," * 300000 ~ "1]")', ''],
    ['products', 'itertools.product(range(1000), repeat=4) | list', ''],
    ['permutations', 'itertools.permutations(range(1000)) | first', ''],
    ['a count without an end', 'itertools.count() | sum', ''],
    ['a copy of a large list', '(items | list).copy()', LIST],
    ['a dict of a large list', 'dict.fromkeys(items)', `${LIST}{% set dict = {} %}`],
    ['a comparison of large lists', 'items == items[:]', LIST],
    ['a comparison of long texts', '(big ~ "x") < (big ~ "y")', BIG],
    ['a search for a long part', '("b" ~ "a" * 400000) in big', BIG],
    ['a pattern that goes back', 're.search("(a+)+\\\\1$", "a" * 60 ~ "b")', ''],
    ['a pattern over a long text', 're.findall("(a|aa)+b", big)', BIG],
    ['a pattern that matches everywhere', 're.sub("a*?", "", big)', BIG],
    ['links in a long word', '("a@" ~ "a." * 4000 ~ "!") | urlize', ''],
    ['quoting of a long text', 'urllib.parse.quote(uni)', BIG],
    ['addresses of a large network', 'ipaddress.ip_network("10.0.0.0/8").hosts() | list', ''],
    ['a counter of a long text', 'collections.Counter(big)', BIG],
    ['a deque that is turned', 'd.rotate(1)', `${LIST}{% set d = collections.deque(items) %}`],
    ['letters of a long text', 'uni.swapcase()', BIG],
    ['a translation of a long text', 'uni.translate({97: "b"})', BIG],
    ['a long text as a list shows it', '[uni] | string', BIG],
    ['HTML of a long text', 'uni | escape', BIG],
    ['a wide integer', 'other | string', INT],
  ])('%s', (name, call, before) => {
    const text =
      name === 'many keyword arguments'
        ? again(
            call,
            '{% set many = {} %}{% for i in range(70000) %}{% do many.update({i | string: i}) %}{% endfor %}',
          )
        : again(call, before);
    const { error, took } = outcomeOf(text);
    expect(error?.kind).toMatch(/^(?:LimitError|ValueError)$/);
    expect(error?.locations[0]?.line).toBe(1);
    expect(took).toBeLessThan(SLOWEST_MS);
  });

  test('the error names the limit of time, and the next render has its own', () => {
    const { error } = outcomeOf(again('words | sort', LIST));
    expect(error?.reason).toBe(`the time of this render exceeds the limit render_ms (${RENDER_MS})`);
    expect(outcomeOf('{{ 1 + 1 }}').error).toBeNull();
  });

  test('a short render never reads the clock', () => {
    let looks = 0;
    const counted = makeEnvironment({
      loader: () => null,
      random: seededRandom(1),
      monotonicMs: () => ++looks,
    }).fromText('main', '{% for i in range(50) %}{{ i | string | upper }}{% endfor %}');
    if (E.isLeft(counted)) throw new Error(counted.left.message);
    counted.right.render({ variables: new Map() });
    expect(looks).toBe(0);
  });

  test('strftime keeps within string_length', () => {
    const { error } = outcomeOf('{{ datetime.datetime(2026, 1, 2).strftime("%A" * 6000000) }}');
    expect(error?.reason).toMatch(/exceeds the limit string_length/);
  });
});

/** Large values within the limits of templates. */
const VALUES: Readonly<Record<string, string>> = {
  big: '"a" * 4000000',
  uni: '"é< " * 1000000',
  items: 'range(500000) | list',
  words: 'range(100000) | map("string") | list',
  bytes: '("a" * 4000000).encode()',
  int: '10**9000 + 1',
  nest: '[[[1] * 1000] * 500] * 3',
  digits: '"1" * 4000',
};

const setsFor = (call: string): string =>
  Object.entries(VALUES)
    .filter(([name]) => new RegExp(`\\b${name}\\b`).test(call))
    .map(([name, value]) => `{% set ${name} = ${value} %}`)
    .join('');

describe('every function of every module, with large values', () => {
  const members = [...modules].flatMap(([name, module]) =>
    typeof module === 'object' && module !== null && 'memberNames' in module
      ? (module.memberNames as readonly string[]).map((member) => `${name}.${member}`)
      : [],
  );

  test.each([...modules.keys()])('%s', (name) => {
    const mine = members.filter((member) => member.startsWith(`${name}.`));
    expect(mine.length).toBeGreaterThan(0);
    const values = Object.keys(VALUES);
    const slow: string[] = [];
    for (const [index, member] of mine.entries()) {
      const [first = '', second = ''] = [
        values[index % values.length],
        values[(index * 3 + 1) % values.length],
      ];
      const more = mine.length > 12 ? [] : ['big, 3', 'items, 250000'];
      for (const args of [first, `${first}, ${second}`, ...more]) {
        const call = `${member}(${args})`;
        const { took } = outcomeOf(
          `${setsFor(call)}{% for i in range(100000) %}{% do ${call} %}{% endfor %}`,
        );
        if (took > SLOWEST_MS) slow.push(`${call}: ${took} ms`);
      }
    }
    expect(slow).toEqual([]);
  });
});

describe('formatters', () => {
  test('a batch of slow events fails those behind its deadline', async () => {
    const { clock } = makeTestClock({ msPerLook: 600 });
    const built = await templateFormatterPlugin.build(
      { template: '{% for i in range(300) %}{% endfor %}{{ event }}', template_path: null },
      {
        directory: '/nowhere',
        zone: utc,
        clock,
        random: seededRandom(1),
        log: { write: () => {} } as never,
        signal: new AbortController().signal,
        templates: { limits: DEFAULT_TEMPLATE_LIMITS, runCommand: null, isTraced: false },
      },
    );
    if (E.isLeft(built)) throw new Error(built.left.message);
    const events = Array.from({ length: 30 }, (_, index) => String(index));
    const { batch, failures } = built.right.format(textBatch(events));
    expect(batch.count).toBeGreaterThan(3);
    expect(failures.length).toBeGreaterThan(10);
    expect(batch.count + failures.length).toBe(30);
    expect(failures[0]?.reason).toMatch(/exceeds the limit render_ms/);
    expect(built.right.format(textBatch(['x'])).batch.texts()).toEqual(['x']);
  });
});
