import { describe, expect, test } from '@jest/globals';
import { inspectTemplates } from '../../src/template/index.js';
import { found, inspected, line, optionsOf } from './checkSupport.js';

const SHAPES = {
  params: { host: 'h', db: { port: 1 }, list: [1] },
  vars: { level: 'x' },
  samples: ['users'],
};

describe('attributes of known objects', () => {
  test.each<readonly [string, string]>([
    [
      '{{ module.rnd.choice(tags) }}',
      "main:1:11 error unknown_attribute: 'module' has no 'rnd' | Did you mean 'rand'?",
    ],
    [
      '{{ module.os.getcwd() }}',
      "main:1:11 error unknown_attribute: 'module' has no 'os' | Known: rand, faker, mimesis, datetime, json, math, hashlib, base64, calendar, random, re, uuid, string, ipaddress, time, itertools, collections, urllib.",
    ],
    ["{{ module['os'] }}", "main:1:11 error unknown_attribute: 'module' has no 'os'"],
    [
      '{{ module.rand.chioce(tags) }}',
      "main:1:16 error unknown_attribute: 'module.rand' has no 'chioce' | Did you mean 'choice'?",
    ],
    [
      '{{ module.rand.number.int(1, 2) }}',
      "main:1:23 error unknown_attribute: 'module.rand.number' has no 'int' | Known: integer,",
    ],
    ['{{ module.math.squirt(2) }}', "main:1:16 error unknown_attribute: 'module.math' has no 'squirt'"],
    [
      '{{ module.datetime.datetime.fromtimestmp(0) }}',
      "main:1:29 error unknown_attribute: 'module.datetime.datetime' has no",
    ],
    [
      '{{ timestamp.isofromat() }}',
      "main:1:14 error unknown_attribute: 'timestamp' has no 'isofromat' | Did you mean 'isoformat'?",
    ],
    [
      '{% do dispatch.skip() %}',
      "main:1:16 error unknown_attribute: 'dispatch' has no 'skip' | Known: drop, next, exhaust.",
    ],
    [
      "{{ subprocess.call('ls') }}",
      "main:1:15 error unknown_attribute: 'subprocess' has no 'call' | Known: run.",
    ],
    [
      '{{ samples.usres.pick() }}',
      "main:1:12 error unknown_attribute: the config has no sample 'usres' | Did you mean 'users'?",
    ],
    [
      "{{ samples['nope'][0] }}",
      "main:1:12 error unknown_attribute: the config has no sample 'nope' | Known: users.",
    ],
    [
      '{{ params.hots }}',
      "main:1:11 warning unknown_attribute: 'params.hots' is not in the config | Did you mean 'host'?",
    ],
    ['{{ params.db.name }}', "main:1:14 warning unknown_attribute: 'params.db.name' is not in the config"],
    ["{{ params['hots'] }}", "main:1:11 warning unknown_attribute: 'params.hots' is not in the config"],
    [
      '{{ vars.levle }}',
      "main:1:9 warning unknown_attribute: 'vars.levle' is not in the vars of any alias of this template",
    ],
    [
      '{% set rand = module.rand %}{{ rand.numbr.integer(1, 2) }}',
      "main:1:37 error unknown_attribute: 'module.rand' has no 'numbr' | Did you mean 'number'?",
    ],
    [
      '{% set m = module %}{% set r = m.rand %}{% macro x() %}{{ r.choise(tags) }}{% endmacro %}{{ x() }}',
      "main:1:61 error unknown_attribute: 'module.rand' has no 'choise'",
    ],
  ])('%s', (template, finding) => {
    const [first = '', ...more] = found(template, SHAPES).filter((one) => !one.includes('unused_sample'));
    expect(first.slice(0, finding.length)).toBe(finding);
    expect(more).toEqual([]);
  });

  test.each([
    "{{ params.get('nope') }}{{ params.items() }}{{ params.keys()|list }}{{ params.db.get('x') }}",
    '{{ params.nope|default(1) }}{{ params.other is defined }}{{ params.nope.x }}',
    '{% if params.nope %}{{ params.nope }}{% endif %}{{ params.a or 1 }}{{ 1 if not vars.b else 2 }}',
    "{% if 'nope' in params %}{{ params.nope }}{% endif %}",
    '{% do params.update(nope=1) %}{{ params.nope }}',
    '{{ params.list[0].x }}{{ params.host.upper() }}{{ params[tags[0]] }}',
    '{{ samples.users.nope }}{{ samples.users[0].nope }}{{ samples[tags[0]] }}',
    '{{ module.faker.locale.en_US.user_name() }}{{ module.mimesis.locale["en"].person.full_name() }}',
    '{{ module.rand.network.ip_v4_public() }}{{ module.rand.crypto.uuid4() }}{{ module[tags[0]] }}',
    '{{ module.datetime.timedelta(hours=1) }}{{ module.datetime.datetime.fromtimestamp(0, tz=module.datetime.timezone.utc) }}',
    '{{ module.hashlib.sha1("a".encode()).digest() }}{{ module.base64.b64encode("a".encode()).decode() }}{{ module.calendar.timegm(timestamp.utctimetuple()) }}',
    '{{ module.json.dumps({}) }}{{ module.json.loads("1") }}{{ module.math.ceil(1.5) }}{{ module.math.sqrt(4) }}{{ module.math.pi }}{{ module.random.random() }}',
    '{{ timestamp.strftime("%s") }}{{ timestamp.timestamp() }}{{ timestamp.year }}{{ timestamp.tzinfo }}{{ timestamp.astimezone }}{{ timestamp.date().isoformat() }}',
    '{{ locals.x }}{{ shared.get("a") }}{{ globals.anything }}{% do shared.set("a", 1) %}',
    '{% macro m(params, module) %}{{ params.nope }}{{ module.nope }}{% endmacro %}{{ m(1, 2) }}',
    '{% set module = {"x": 1} %}{{ module.x }}',
    '{% if tags %}{% set r = module.rand %}{% else %}{% set r = module.math %}{% endif %}{{ r.anything }}',
    '{% for module in tags %}{{ module.upper() }}{% endfor %}',
  ])('nothing is wrong with %s', (template) => {
    expect(found(template, SHAPES).filter((one) => !one.includes('unused_sample'))).toEqual([]);
  });

  test('params and samples are not checked without a config', () => {
    expect(found('{{ params.x }}{{ samples.y }}')).toEqual([]);
  });

  test('a template of several aliases may read what one of them defines', () => {
    const options = optionsOf({ main: '{{ vars.a }}{{ vars.b.c }}{{ vars.d }}' });
    const [root] = options.roots;
    if (root === undefined) throw new Error('no root');
    const roots = [{ a: 1 }, { b: { c: 1 } }].map((vars) => ({ ...root, vars }));
    expect(inspectTemplates({ ...options, roots }).findings.map(line)).toEqual([
      "main:1:35 warning unknown_attribute: 'vars.d' is not in the vars of any alias of this template | Known: a, b.",
    ]);
  });

  test('an included template that rebinds the name is not checked', () => {
    const files = { main: '{% with params = tags %}{% include "a" %}{% endwith %}', a: '{{ params.nope }}' };
    expect(found(files, SHAPES).filter((one) => !one.includes('unused_sample'))).toEqual([]);
  });
});

describe('unused samples', () => {
  const unused = (main: string, others = {}) =>
    inspected({ main, ...others }, { samples: ['users', 'hosts'] })
      .findings.filter(({ code }) => code === 'unused_sample')
      .map(line);

  test('are reported with their path in the config', () => {
    expect(unused('{{ samples.users.pick() }}')).toEqual([
      "event.template.samples.hosts warning unused_sample: no template uses the sample 'hosts' | Remove it: Spate loads it at every start.",
    ]);
  });

  test.each<readonly [string, string, Readonly<Record<string, string>>]>([
    ['used by different templates', '{{ samples.users }}{% include "a" %}', { a: "{{ samples['hosts'] }}" }],
    [
      'used in a macro of a library',
      '{{ samples.users }}{% import "a" as a %}',
      { a: '{% macro m() %}{{ samples.hosts }}{% endmacro %}' },
    ],
    ['chosen by a name that only a render knows', '{{ samples[tags[0]].pick() }}', {}],
    ['all handed over', '{% macro m(all) %}{{ all.users }}{% endmacro %}{{ m(samples) }}', {}],
    ['an alias of all of them', '{% set s = samples %}{{ s.users }}', {}],
    ['a template that is not known', '{{ samples.users }}{% include tags[0] %}', {}],
    ['a template that is broken', '{{ samples.users }}{% include "a" %}', { a: '{% if %}' }],
  ])('nothing is said: %s', (_, main, others) => {
    expect(unused(main, others)).toEqual([]);
  });
});
