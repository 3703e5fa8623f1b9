import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../../../../../src/domain/random.js';
import { randModule } from '../../../../../../src/plugins/events/template/context/rand/module.js';
import { sampleOf } from '../../../../../../src/plugins/events/template/context/samples/sample.js';
import {
  dateTimeAt,
  HostModule,
  makeModules,
  UTC_ZONE,
  type Value,
} from '../../../../../../src/template/index.js';
import { errorOf, rendered } from '../../../../../template/engine.js';

const namesOf = (seed: number): ReadonlyMap<string, Value> => {
  const random = seededRandom(seed);
  const modules = makeModules({
    random: () => random,
    now: () => 0,
    digest: (algorithm, bytes) => createHash(algorithm).update(bytes).digest(),
  });
  const hosts = sampleOf(
    'hosts',
    {
      names: ['name', 'weight'],
      areNamed: true,
      rows: [
        ['web', 1],
        ['db', 2],
      ],
    },
    random,
  );
  return new Map<string, Value>([
    ['module', new HostModule('module', new Map([...modules, ['rand', randModule(random)]]))],
    ['samples', new HostModule('samples', { hosts })],
    ['timestamp', dateTimeAt(Date.parse('2026-11-21T08:05:07.123Z') * 1_000, UTC_ZONE)],
  ]);
};

const render = (text: string, seed = 1): string => rendered(text, namesOf(seed));

/** Calls of Eventum's specification (section 12), with their text. */
const CALLS: readonly (readonly [string, RegExp])[] = [
  ['{{ module.rand.number.integer(1024, 65535) }}', /^\d{4,5}$/],
  ["{{ module.rand.weighted_choice(['allow', 'deny'], [90, 10]) }}", /^(allow|deny)$/],
  ["{{ module.rand.weighted_choice({'GET': 70, 'POST': 0.5}) }}", /^(GET|POST)$/],
  ["{{ module.rand.weighted_choice([['a', 1], ['b', 2]], [1, 1])[0] }}", /^[ab]$/],
  [
    '{{ module.rand.crypto.uuid4() }}',
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  ],
  ["{{ module.rand.choice(['a', 'b']) }}", /^[ab]$/],
  ['{{ module.rand.choice(samples.hosts).name }}', /^(web|db)$/],
  ["{{ module.rand.choice(samples.hosts | selectattr('weight', 'gt', 1) | list).name }}", /^db$/],
  ['{{ module.rand.choice(range(3, 5)) }}', /^[34]$/],
  ["{{ module.rand.choice({'k': 1}.keys()) }}", /^k$/],
  ['{{ module.rand.string.hex(8) | upper }}', /^[0-9A-F]{8}$/],
  ['{{ module.rand.network.ip_v4_public() }}', /^\d+\.\d+\.\d+\.\d+$/],
  ['{{ module.rand.chance(0.5) }}', /^(True|False)$/],
  ['{% if module.rand.chance(1.0) %}yes{% endif %}', /^yes$/],
  ['{{ module.rand.string.digits(6) }}', /^\d{6}$/],
  ['{{ module.rand.network.ip_v4_private_c() }}', /^192\.168\.\d+\.\d+$/],
  ['{{ module.rand.network.ip_v4_private_b() }}', /^172\.\d+\.\d+\.\d+$/],
  ['{{ module.rand.network.ip_v4_private_a() }}', /^10\.\d+\.\d+\.\d+$/],
  ['{{ module.rand.number.lognormal(8, 1.5) | int }}', /^\d+$/],
  ['{{ module.rand.number.clamp(module.rand.number.gauss(5, 9), 0, 10) | round(2) }}', /^(\d\.\d+|10|0)$/],
  ['{{ module.rand.number.floating(0.1, 2) | round(3) }}', /^[0-2]\.\d{1,3}$/],
  ['{{ module.rand.number.exponential(0.5) }}', /^\d+\.\d+(e-\d+)?$/],
  ['{{ module.rand.number.floating(2, 2) }}', /^2\.0$/],
  [
    '{{ module.rand.string.letters_uppercase(5) ~ module.rand.string.letters_lowercase(2) }}',
    /^[A-Z]{5}[a-z]{2}$/,
  ],
  ['{{ module.rand.string.letters(3) }}', /^[a-zA-Z]{3}$/],
  ["{{ module.rand.network.mac(vendor='VMware') }}", /^00:(05:69|0c:29|1c:14|50:56)(:[0-9a-f]{2}){3}$/],
  ["{{ module.rand.network.mac(oui='AA-BB-CC') }}", /^aa:bb:cc(:[0-9a-f]{2}){3}$/],
  ['{{ module.rand.crypto.sha256() }}{{ module.rand.crypto.md5() }}', /^[0-9a-f]{96}$/],
  ["{{ module.rand.choices(['x'], 3) | join('') }}", /^xxx$/],
  ["{{ module.rand.weighted_choices({'x': 1}, 2) }}", /^\['x', 'x'\]$/],
  ["{{ module.rand.string.pattern('%A{2}-%d{3}') }}", /^[A-Z]{2}-\d{3}$/],
  ["{{ module.rand.network.ip_v4_in_subnet('10.9.8.0/24') }}", /^10\.9\.8\.\d+$/],
  [
    '{{ module.rand.datetime.timestamp(timestamp - module.datetime.timedelta(hours=1), timestamp).isoformat() }}',
    /^2026-11-21T0[78]:\d\d:\d\d(\.\d{6})?\+00:00$/,
  ],
];

describe('in a template', () => {
  test.each(CALLS)('%s', (text, expected) => {
    expect(render(text)).toMatch(expected);
  });

  test('arguments may be given by name', () => {
    expect(
      render(
        "{{ module.rand.choice(items=['a']) }} {{ module.rand.number.integer(a=1, b=1) }} " +
          '{{ module.rand.number.clamp(9, max=5, min=0) }} {{ module.rand.number.pareto(alpha=2, xmin=1.0) >= 1 }} ' +
          "{{ module.rand.weighted_choice(items=['w'], weights=[1]) }} {{ module.rand.string.hex(n=4) | length }}",
      ),
    ).toBe('a 1 5 True w 4');
  });

  test('the same seed gives the same texts, another seed others', () => {
    const text = CALLS.map(([call]) => call).join('\n');
    expect(render(text, 7)).toBe(render(text, 7));
    expect(render(text, 7)).not.toBe(render(text, 8));
  });

  test('drawn lists are copies; literals do not change', () => {
    const text =
      '{% for i in range(3) %}{% set drawn = module.rand.shuffle([1, 2]) %}{% do drawn.append(3) %}' +
      "{% set some = module.rand.choices(['x'], 1) %}{% do some.append('y') %}{{ drawn | length }}{{ some }}{% endfor %}";
    expect(render(text)).toBe("3['x', 'y']3['x', 'y']3['x', 'y']");
  });

  test('a list inside a list that is drawn is new each time', () => {
    const text =
      '{% for i in range(2) %}{% set one = module.rand.choice([[1]]) %}{% do one.append(2) %}{{ one }}{% endfor %}';
    expect(render(text)).toBe('[1, 2][1, 2]');
  });

  test.each<[string, string, string]>([
    ['module.rand.choice([])', 'ValueError', 'rand.choice: items is empty'],
    ['module.rand.number.integer(2, 1)', 'ValueError', 'a (2) is greater than b (1)'],
    ['module.rand.number.integer(1, 7 / 2)', 'TypeError', "b must be an integer (use the filter 'int')"],
    ['module.rand.weighted_choice([1, 2], [1])', 'ValueError', '2 items, but 1 weights'],
    ['module.rand.choice(nothing)', 'UndefinedError', "'nothing' is undefined"],
    ['module.rand.choice(items=1, things=2)', 'TypeError', "'things'"],
    ['module.rand.nothing(1)', 'UndefinedError', "has no attribute 'nothing'"],
    ["module.rand.datetime.timestamp(timestamp, '2027')", 'TypeError', 'end must be a date-time'],
  ])('%s fails with its line', (call, kind, reason) => {
    const error = errorOf(`first\n\n{{ ${call} }}`, namesOf(1));
    expect(error.kind).toBe(kind);
    expect(error.reason).toContain(reason);
    expect(error.locations[0]?.line).toBe(3);
  });

  test("many items are charged to the render's budget", () => {
    const limits = { limits: { collection_items: 1_000 } };
    const text = "{{ module.rand.choices('ab', 1001) }}";
    expect(errorOf(text, namesOf(1), limits).kind).toBe('LimitError');
    const long = '{{ module.rand.string.digits(2000) }}';
    expect(errorOf(long, namesOf(1), { limits: { string_length: 1_000 } }).kind).toBe('LimitError');
  });
});
