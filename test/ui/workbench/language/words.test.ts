import { describe, expect, test } from '@jest/globals';
import { callAt, wordAt } from '../../../../src/ui/pages/workbench/language/cursor.js';
import { declaredIn } from '../../../../src/ui/pages/workbench/language/declared.js';
import {
  configDefinitionAt,
  definitionAt,
  sampleAt,
} from '../../../../src/ui/pages/workbench/language/definitions.js';
import { callDocs, docsAt } from '../../../../src/ui/pages/workbench/language/docs.js';
import { renamedSample, sampleNameProblem } from '../../../../src/ui/pages/workbench/language/rename.js';
import { CONFIG, cut, namesIn, textOf } from './support.js';

const signatureIn = (marked: string, dialect: 'jinja' | 'script' = 'jinja') => {
  const { text, at } = cut(marked);
  const call = callAt(text, at, dialect);
  const docs = call === null ? null : callDocs(namesIn(text, 'login.jinja', dialect), call);
  return docs === null
    ? null
    : docs.title.map(({ text: part, isCurrent }) => (isCurrent ? `>${part}<` : part)).join('');
};

describe('the signature of a call', () => {
  test.each([
    ['{{ module.rand.number.integer(¦', 'integer(>a<, b)'],
    ['{{ module.rand.number.integer(1, ¦) }}', 'integer(a, >b<)'],
    ['{{ module.rand.number.integer(max([1, 2]), ¦) }}', 'integer(a, >b<)'],
    ["{{ module.rand.choice(['a', 'b¦']) }}", 'choice(>items<)'],
    ["{{ module.rand.choice(['a', ¦']) }}", 'choice(>items<)'],
    ['{{ module.rand.string.hex(module.rand.number.integer(1, 9), ¦) }}', 'hex(n)'],
    ["{{ module.rand.network.mac(vendor=¦'hp') }}", 'mac(oui=None, >vendor=None<)'],
    ["{{ samples.users.weighted_pick('¦') }}", 'weighted_pick(>column<, default=none)'],
    ['{{ samples.users.where(name=¦', 'where(column=value, >...<)'],
    ['{{ x | round(1, ¦) }}', "round(precision=0, >method='common'<)"],
    ['{% if x is divisibleby(¦) %}', 'divisibleby(>num<)'],
    ['{% macro row(a, b=2) %}{% endmacro %}{{ row(1, ¦) }}', 'row(a, >b=2<)'],
    ["{% from 'macros.jinja' import greet %}{{ greet(¦) }}", 'greet(>name<, mark="!")'],
    ["{% import 'macros.jinja' as m %}{{ m.greet('a', ¦) }}", 'greet(name, >mark="!"<)'],
    ['{% do shared.set(¦) %}', 'set(>key<, value)'],
  ])('%s shows %s', (marked, shown) => {
    expect(signatureIn(marked)).toBe(shown);
  });

  test.each([['{{ (1 + ¦) }}'], ['{{ unknown(¦) }}'], ['module.rand.choice(¦'], ['{{ x[¦] }}']])(
    '%s has none',
    (marked) => {
      expect(signatureIn(marked)).toBeNull();
    },
  );

  test('of a script', () => {
    expect(signatureIn('random.integer(1, ¦)', 'script')).toBe('integer(min, >max<)');
    expect(signatureIn('given.globals.get(¦)', 'script')).toBe('get(>key<, fallback)');
  });
});

describe('the docs of a word', () => {
  const docsIn = (marked: string) => {
    const { text, at } = cut(marked);
    const found = docsAt(namesIn(text), text, at);
    return found === null
      ? null
      : `${found.docs.title.map((part) => part.text).join('')}: ${found.docs.doc} [${text.slice(found.from, found.to)}]`;
  };
  test.each([
    ['{{ module.rand.cha¦nce(0.1) }}', 'module.rand.chance(p): true with probability p [chance]'],
    ["{{ 'a' | up¦per }}", '| upper(): upper case [upper]'],
    ['{% if x is o¦dd %}', 'is odd(): an odd number [odd]'],
    [
      '{{ samples.us¦ers.pick() }}',
      'samples.users: sample from `data/users.csv`; columns `name`, `weight`, `a "b"` [users]',
    ],
    ['{{ samples.users.pick().na¦me }}', 'samples.users.pick.name: column of `samples.users` [name]'],
    [
      "{{ samples['ro¦les'].pick() }}",
      'samples.roles: sample of type `items`; columns `name`, `weight` [roles]',
    ],
    ['{{ params.ho¦st }}', 'params.host: `"web-1"` in `params` of the config [host]'],
    ['{{ vars.lev¦el }}', 'vars.level: `"warn"` in `vars` of the config [level]'],
    ['{% set x = 1 %}{{ x¦ }}', 'x: set in this file [x]'],
    ['{{ tim¦estamp }}', "timestamp: date-time of the event, in the generator's time zone [timestamp]"],
  ])('%s is %s', (marked, shown) => {
    expect(docsIn(marked)).toBe(shown);
  });

  test.each([['te¦xt'], ['{{ unkn¦own }}'], ["{{ 'mod¦ule' }}"], ['{% fo¦r x in y %}']])(
    '%s has none',
    (marked) => {
      expect(docsIn(marked)).toBeNull();
    },
  );

  test('a minus of a tag belongs to no word', () => {
    expect(wordAt('{%- set a = b -%}', 12, 'jinja')?.word).toBe('b');
  });
});

describe('the definition of a word', () => {
  const goIn = (marked: string) => {
    const { text, at } = cut(marked);
    const place = definitionAt(namesIn(text), text, at, textOf);
    return place === null ? null : `${place.path}:${place.line}:${place.column}`;
  };
  test.each([
    ['{{ samples.us¦ers.pick() }}', 'generator.yml:13:7'],
    ["{{ samples['rol¦es'] }}", 'generator.yml:14:7'],
    ['{{ params.ho¦st }}', 'generator.yml:10:7'],
    ['{{ vars.le¦vel }}', 'generator.yml:7:47'],
    ["{% include 'parts/log¦off.jinja' %}", 'parts/logoff.jinja:1:1'],
    ["{% import 'macros.jinja' as m %}\n{{ m.gre¦et() }}", 'macros.jinja:1:10'],
    ["{% from 'macros.jinja' import greet as g %}\n{{ ¦g() }}", 'macros.jinja:1:10'],
    ['{% macro row() %}{% endmacro %}\n{{ ro¦w() }}', 'login.jinja:1:10'],
    ['{% set x = 1 %}{% set x = 2 %}\n{{ ¦x }}', 'login.jinja:1:23'],
  ])('%s is at %s', (marked, place) => {
    expect(goIn(marked)).toBe(place);
  });

  test.each([['{{ module.rand.cho¦ice }}'], ['{{ samples.no¦ne }}'], ["{% include 'none¦.jinja' %}"]])(
    '%s has none',
    (marked) => {
      expect(goIn(marked)).toBeNull();
    },
  );

  test('in the config, a file name leads to the file and a sample to its rows', () => {
    const at = (word: string, within = 1): number => CONFIG.indexOf(word) + within;
    const names = namesIn(CONFIG, 'generator.yml');
    expect(configDefinitionAt(names, CONFIG, at('parts/logoff'))?.path).toBe('parts/logoff.jinja');
    expect(configDefinitionAt(names, CONFIG, at('users: {'))?.path).toBe('data/users.csv');
    expect(configDefinitionAt(names, CONFIG, at('"roles"', 2))).toBeNull();
    expect(configDefinitionAt(names, CONFIG, at('host:'))).toBeNull();
  });
});

describe('the new name of a sample', () => {
  const texts = new Map([
    ['generator.yml', CONFIG],
    ['login.jinja', "{{ samples.users.pick() }} {{ samples['users'] }} users {{ x.samples.users }}"],
    ['parts/logoff.jinja', '{# samples.users #}{{ samples.users2 }}{{ samples[which] }}'],
    ['notes.txt', '{{ samples.users }}'],
  ]);

  test('is in the config and in every template, and nothing else changes', () => {
    const made = renamedSample(texts, 'generator.yml', 'users', 'people');
    expect(made?.files.map(({ path, places }) => [path, places])).toEqual([
      ['generator.yml', 1],
      ['login.jinja', 2],
    ]);
    expect(made?.files.map(({ text }) => text)).toEqual([
      CONFIG.replace('users: {', 'people: {'),
      "{{ samples.people.pick() }} {{ samples['people'] }} users {{ x.samples.users }}",
    ]);
    expect(made?.computed).toEqual([{ path: 'parts/logoff.jinja', places: 1 }]);
  });

  test.each([
    ['"roles"', 'roles', 'jobs', '"jobs"'],
    ['    samples:\n      users', 'users', 'people', '    samples:\n      people'],
  ])('replaces a key written %s', (before, from, to, after) => {
    const made = renamedSample(texts, 'generator.yml', from, to);
    expect(made?.files[0]?.text).toBe(CONFIG.replace(before, after));
  });

  test('replaces the end of a dotted key', () => {
    const config = 'event.template.samples.users: {type: items, source: [1]}\n';
    const made = renamedSample(new Map([['generator.yml', config]]), 'generator.yml', 'users', 'people');
    expect(made?.files[0]?.text).toBe(config.replace('users', 'people'));
  });

  test('is refused without a config that can be read', () => {
    expect(renamedSample(new Map([['generator.yml', 'event: [']]), 'generator.yml', 'a', 'b')).toBeNull();
    expect(renamedSample(texts, 'generator.yml', 'nothing', 'b')).toBeNull();
  });

  test('is a name that templates can write, and not taken', () => {
    const declared = declaredIn(CONFIG, 'generator.yml');
    if (declared === null) throw new Error('the config is not read');
    expect(sampleNameProblem(declared, 'users', 'people')).toBeNull();
    expect(sampleNameProblem(declared, 'users', 'two words')).toContain('letters');
    expect(sampleNameProblem(declared, 'users', 'roles')).toContain('already');
  });

  test.each([
    ['{{ samples.us¦ers.pick().name }}', 'users'],
    ["{{ samples['us¦ers'] }}", 'users'],
    ['{{ samples.users.pi¦ck() }}', null],
    ['{{ samples.no¦ne }}', null],
    ['{{ params.us¦ers }}', null],
    ['{% set samples = 1 %}{{ samples.us¦ers }}', null],
  ])('can be given at %s: %s', (marked, name) => {
    const { text, at } = cut(marked);
    expect(sampleAt(namesIn(text), text, at)).toBe(name);
  });

  test('can be given at its entry in the config', () => {
    const names = namesIn(CONFIG, 'generator.yml');
    expect(sampleAt(names, CONFIG, CONFIG.indexOf('users: {') + 2)).toBe('users');
    expect(sampleAt(names, CONFIG, CONFIG.indexOf('"roles"') + 3)).toBe('roles');
    expect(sampleAt(names, CONFIG, CONFIG.indexOf('users.csv'))).toBeNull();
  });
});
