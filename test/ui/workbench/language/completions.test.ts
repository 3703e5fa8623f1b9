import { describe, expect, test } from '@jest/globals';
import { parseText } from '../../../../src/template/parse/parser.js';
import { offersAt, TAGS } from '../../../../src/ui/pages/workbench/language/completions.js';
import type { Dialect } from '../../../../src/ui/pages/workbench/language/cursor.js';
import { cut, namesIn } from './support.js';

const offersIn = (marked: string, file?: string, dialect: Dialect = 'jinja') => {
  const { text, at } = cut(marked);
  return offersAt(namesIn(text, file, dialect), text, at);
};
const labelsIn = (marked: string, file?: string, dialect?: Dialect): readonly string[] =>
  offersIn(marked, file, dialect)?.options.map(({ label }) => label) ?? [];

describe('completion in a template', () => {
  test.each([
    ['{{ ¦ }}', ['timestamp', 'samples', 'module', 'shared', 'range', 'true']],
    ['{{ module.¦ }}', ['rand', 'faker', 'mimesis', 'datetime', 'urllib']],
    ['{{ module.rand.¦ }}', ['choice', 'number', 'network']],
    ['{{ module.rand.number.in¦ }}', ['integer', 'gauss']],
    ["{{ module['rand'].¦ }}", ['choice']],
    ['{{ module.faker.locale.de_DE.¦ }}', ['name', 'iban']],
    ["{{ module.mimesis.locale['en'].person.¦ }}", ['full_name']],
    ['{{ module.urllib.parse.¦ }}', ['quote']],
    ['{{ timestamp.¦ }}', ['isoformat', 'year', 'strftime']],
    ['{{ timestamp.replace(hour=0).¦ }}', ['isoformat']],
    ['{{ globals.¦ }}', ['get', 'increment']],
    ['{{ locals.¦ }}', ['set', 'as_dict']],
    ['{% for x in tags %}{{ loop.¦ }}{% endfor %}', ['index0', 'cycle']],
    ['{{ samples.¦ }}', ['users', 'roles']],
    ["{{ samples['¦'] }}", ['users', 'roles']],
    ['{{ samples.users.¦ }}', ['name', 'weight', 'pick', 'where']],
    ['{{ samples.users.pick().¦ }}', ['name', 'weight']],
    ['{{ samples.users[0].¦ }}', ['name', 'weight']],
    ["{{ samples.users.where(weight='1')[0].¦ }}", ['name']],
    ["{{ samples.users.pick()['¦ }}", ['a "b"']],
    ["{%- set user = samples.users.weighted_pick('weight') -%}{{ user.¦ }}", ['name']],
    ['{% for role in samples.roles if role.weight %}{{ role.¦ }}{% endfor %}', ['name', 'weight']],
    ['{% set r = module.rand %}{{ r.number.¦ }}', ['integer']],
    ['{{ params.¦ }}', ['host', 'limits']],
    ['{{ params.limits.¦ }}', ['bytes']],
    ['{{ vars.¦ }}', ['level']],
    ['{{ activity.¦ }}', ['kind', 'facts', 'person']],
    ['{{ activity.person.¦ }}', ['full_name']],
    ['{{ activity.at.¦ }}', ['isoformat']],
    ['{{ activity.facts.¦ }}', ['package', 'is_elevated']],
    ["{{ 'a' | ¦ }}", ['upper', 'json', 'tojson', 'd', 'count']],
    ['{% if x is ¦ %}', ['defined', 'odd']],
    ['{% if x is not def¦ %}', ['defined']],
    ['{% ¦ %}', ['for', 'if', 'macro', 'set', 'include']],
    ['{%- ¦', ['for']],
    ["{% include '¦' %}", ['parts/logoff.jinja', 'macros.jinja']],
    ["{% import 'macros.jinja' as m %}{{ m.¦ }}", ['greet']],
    ["{% from 'macros.jinja' import ¦ %}", ['greet']],
    ['{% macro row(name, size=2) %}{{ na¦ }}{% endmacro %}', ['name', 'row', 'size']],
    ['{{ x | truncate(¦) }}', ['length=', 'killwords=']],
  ])('%s offers %j', (marked, labels) => {
    expect(labelsIn(marked)).toEqual(expect.arrayContaining(labels));
  });

  test.each([
    ['text ¦ here'],
    ['{# module.¦ #}'],
    ['{% raw %}{{ module.¦ }}{% endraw %}'],
    ["{{ 'module.¦' }}"],
    ['{{ unknown.¦ }}'],
    ['{{ 12¦ }}'],
    ['{{ (1 + 2).¦ }}'],
    ['{{ samples.users.name.¦ }}'],
  ])('%s offers nothing', (marked) => {
    expect(labelsIn(marked)).toEqual([]);
  });

  test('facts are those of the kinds that the template makes events of, and of the world without any', () => {
    const own = labelsIn('{{ activity.facts.¦ }}', 'parts/logoff.jinja');
    expect([...own].sort()).toEqual(['account', 'ip', 'type']);
    expect(labelsIn('{{ activity.facts.¦ }}', 'login.jinja')).toContain('is_elevated');
  });

  test('a required argument is a place of the cursor, an optional one is left out', () => {
    const snippets = new Map(
      offersIn('{{ module.rand.number.¦ }}')?.options.map((o) => [o.label, o.snippet]),
    );
    expect(snippets.get('integer')).toBe('integer(${a}, ${b})');
    expect(snippets.get('pareto')).toBe('pareto(${alpha})');
    const filters = new Map(offersIn('{{ x | ¦ }}')?.options.map((o) => [o.label, o.snippet]));
    expect([filters.get('upper'), filters.get('round'), filters.get('replace')]).toEqual([
      'upper',
      'round',
      'replace(${old}, ${new})',
    ]);
    expect(offersIn('{{ module.rand.choice¦(x) }}')?.options.find((o) => o.label === 'choice')?.snippet).toBe(
      'choice',
    );
  });

  test.each(TAGS.filter(({ name }) => !['elif', 'else', 'break', 'continue'].includes(name)))(
    'the snippet of $name is a whole statement',
    ({ snippet }) => {
      const written = snippet.replaceAll(/\$\{(\w*)\}/g, (_, name: string) => name.replace('', 'x'));
      expect(() => parseText(`{% ${written}`)).not.toThrow();
    },
  );

  test('else, elif, break and continue stand inside of others', () => {
    const [elif, otherwise, leave, next] = ['elif', 'else', 'break', 'continue'].map(
      (name) => `{% ${(TAGS.find((tag) => tag.name === name)?.snippet ?? '').replace('${condition}', 'y')}`,
    );
    expect(() => parseText(`{% if x %}${elif}${otherwise}{% endif %}`)).not.toThrow();
    expect(() => parseText(`{% for x in y %}${leave}${next}{% endfor %}`)).not.toThrow();
  });
});

describe('completion in a script', () => {
  test.each([
    ['const n = ¦', ['random', 'globals', 'timestamp']],
    ['random.¦', ['integer', 'next', 'fork']],
    ['export const produce = (given) => given.random.¦', ['integer']],
    ['`${globals.¦}`', ['increment', 'snapshot']],
    ['activity.person.¦', ['email']],
    ['// random.\ntimestamp.¦', ['epochMilliseconds', 'strftime']],
  ])('%s offers %j', (marked, labels) => {
    expect(labelsIn(marked, 'dice.ts', 'script')).toEqual(expect.arrayContaining(labels));
  });

  test('nothing of templates is offered', () => {
    expect(labelsIn('const n = ¦', 'dice.ts', 'script')).not.toContain('samples');
    expect(labelsIn('module.¦', 'dice.ts', 'script')).toEqual([]);
  });
});
