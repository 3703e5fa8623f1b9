import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { parse } from 'yaml';
import { DEFAULT_TEMPLATE_LIMITS } from '../../../../src/domain/generator.js';
import { FAKER_GROUPS } from '../../../../src/plugins/events/template/context/faker/groups.js';
import {
  FAKER_LOCALES,
  MIMESIS_LOCALES,
} from '../../../../src/plugins/events/template/context/faker/localeNames.js';
import {
  type LoadedLocale,
  loadLocales,
} from '../../../../src/plugins/events/template/context/faker/locales.js';
import type { Group } from '../../../../src/plugins/events/template/context/faker/providers.js';
import { MIMESIS_GROUPS } from '../../../../src/plugins/events/template/context/mimesis/groups.js';
import { MAC_PREFIXES } from '../../../../src/plugins/events/template/context/rand/networks.js';
import { sampleShape } from '../../../../src/plugins/events/template/context/samples/shape.js';
import { conditionShape } from '../../../../src/plugins/events/template/fsm/conditionShape.js';
import { compileCondition } from '../../../../src/plugins/events/template/fsm/conditions.js';
import { dictStore, StateObject } from '../../../../src/plugins/events/template/state.js';
import { MODES } from '../../../../src/plugins/events/template/templatesField.js';
import { decode } from '../../../../src/schema/index.js';
import { makeFilters } from '../../../../src/template/filters/filters.js';
import { makeTests } from '../../../../src/template/filters/tests.js';
import {
  callValue,
  dateTimeAt,
  fromJson,
  makeModules,
  PyDict,
  TemplateObject,
  UTC_ZONE,
  type Value,
} from '../../../../src/template/index.js';
import { TEXT_METHODS } from '../../../../src/template/text/methods.js';
import { type Methods, parseSignature } from '../../../../src/template/values/methods.js';
import { LIST_METHODS } from '../../../../src/template/values/types/sequences.js';
import { FAKER, functionsOf, LISTED, MIMESIS, namesOf, objectAt, ports } from './guideObjects.js';
import { columnOf, listedAfter, nameOf, sectionOf, sectionsOf, spansOf, tableOf } from './guideTables.js';
import { fencesOf, GuideRun, pathOf, templateOf, withRealOutputs } from './guideText.js';
import { START } from './support.js';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const DOCS = join(ROOT, 'docs');
const PAGES = [
  'templates.md',
  'templates-modes.md',
  'templates-data.md',
  'templates-reference.md',
  'templates-reference-random.md',
  'templates-reference-fakes.md',
  'templates-reference-python.md',
];
const pages = await Promise.all(
  PAGES.map(async (name) => ({ name, text: await readFile(join(DOCS, name), 'utf8') })),
);
const linesOf = (text: string): readonly string[] => text.split('\n');
const fences = pages.flatMap(({ text }) => fencesOf(linesOf(text)));
const sections = pages.flatMap(({ text }) => sectionsOf(linesOf(text)));
const part = (title: string) => sectionOf(sections, title);

const sorted = (names: Iterable<string>): readonly string[] => [...names].sort();
const signatures = (groups: readonly Group[], locale: LoadedLocale): readonly string[] =>
  sorted(groups.flatMap((group) => Object.keys(group(locale))));

let folder = '';
let run: GuideRun;
let locale: LoadedLocale;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spate-guide-'));
  run = await GuideRun.in(folder, fences);
  const loaded = (await loadLocales(['en_US'], ports)).get('en_US');
  if (loaded === undefined) throw new Error('en_US is missing');
  locale = loaded;
});
afterAll(() => rm(folder, { recursive: true }));

describe('the pages about templates', () => {
  /** `SPATE_WRITE_GUIDE=1` writes the outputs into the pages instead of comparing them. */
  test.each(PAGES)('%s shows real outputs', async (name) => {
    const shown = pages.find((page) => page.name === name)?.text ?? '';
    const real = await withRealOutputs(shown, run);
    if (process.env['SPATE_WRITE_GUIDE'] === '1') await writeFile(join(DOCS, name), real);
    else expect(shown).toBe(real);
  });

  test.each(PAGES)('%s has under 300 lines and is listed here', async (name) => {
    const shown = pages.find((page) => page.name === name)?.text ?? '';
    expect(linesOf(shown).length).toBeLessThan(300);
    const present = (await readdir(DOCS)).filter((file) => /^templates.*\.md$/.test(file));
    expect([...PAGES].sort()).toEqual(present.sort());
  });

  test('a wrong output would be replaced', async () => {
    const wrong = '| `{{ 1 + 1 }}` → `3` | `{{ x.y }}` fails: `no` | `1 \\| string` → `2` |';
    const right =
      "| `{{ 1 + 1 }}` → `2` | `{{ x.y }}` fails: `UndefinedError: 'x' is undefined` | `1 \\| string` → `1` |";
    expect(await run.pairs(wrong, '')).toBe(right);
    const fence = ['```jinja x2', '{{ timestamp.second }}', '```', '', '```text', 'x', '```'].join('\n');
    expect(await withRealOutputs(fence, run)).toBe(fence.replace('\nx\n', '\n0\n1\n'));
  });

  test('show an output after each single template and use each file', () => {
    const alone = fences.filter(({ language, file }) => language === 'jinja' && file === null);
    expect(alone.length).toBeGreaterThan(5);
    for (const fence of alone) expect(fences[fences.indexOf(fence) + 1]?.language).toBe('text');
    const used = JSON.stringify(fences.filter(({ language }) => language === 'yaml').map(templateOf));
    for (const { file } of fences)
      if (file !== null && file !== 'generator.yml') expect(used).toContain(file);
  });

  const slugsOf = (text: string): readonly string[] =>
    linesOf(text)
      .filter((line) => /^##/.test(line))
      .map((line) =>
        line
          .replace(/^#+ /, '')
          .toLowerCase()
          .replace(/[^\p{L}\p{N}_ -]/gu, '')
          .replaceAll(' ', '-'),
      );
  const links = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/\]\(([^)]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !target.startsWith('https:'))
      .map((target) => [name, target] as const),
  );
  test.each(links)('%s: the link %s leads to a file and heading', async (name, target) => {
    const [file = '', anchor] = target.split('#');
    const text = await readFile(join(DOCS, file === '' ? name : file), 'utf8');
    if (anchor !== undefined) expect(slugsOf(text)).toContain(anchor);
  });
});

describe('the pages list every name, and no other', () => {
  test.each(LISTED)('functions of %s', (path) => {
    const listed = columnOf(tableOf(part(path), 'function'), 0).map(nameOf);
    expect(sorted(listed)).toEqual(sorted(functionsOf(path)));
  });

  const listed = LISTED.flatMap((path) =>
    columnOf(tableOf(part(path), 'function'), 0)
      .filter((signature) => nameOf(signature) !== 'where')
      .map((signature) => [path, signature] as const),
  );
  test.each(listed)('%s.%s takes these parameters', (path, signature) => {
    const run = objectAt(path).attribute(nameOf(signature)) ?? null;
    const params = [...signature.matchAll(/(\w+)(?:=(?:'[^']*'|[^,)]*))?(?=[,)])/g)].map(
      ([, name = '']) => name,
    );
    const outcome = (args: readonly Value[], names: readonly string[]): string => {
      try {
        callValue(run, args, names.length === 0 ? null : new Map(names.map((name) => [name, null])));
        return 'no error';
      } catch (thrown) {
        return String(thrown);
      }
    };
    const tooMany = outcome(Array<Value>(12).fill(null), []);
    const count = /takes (?:no|(?:exactly|at most) (\d+)) arguments? \(12 given\)/.exec(tooMany);
    expect([tooMany, Number(count?.[1] ?? 0)]).toEqual([expect.stringContaining('12 given'), params.length]);
    for (const name of params) expect(outcome([], [name])).not.toContain('unexpected keyword');
  });

  test('providers of module.faker, with their parameters', () => {
    const listed = columnOf(tableOf(part(FAKER), 'group'), 1);
    expect(sorted(listed)).toEqual(signatures(FAKER_GROUPS, locale));
    expect(sorted(listed.map(nameOf))).toEqual(sorted(namesOf(objectAt(FAKER))));
  });

  test('groups and methods of module.mimesis, with their parameters', () => {
    const { rows } = tableOf(part(MIMESIS), 'group');
    expect(sorted(rows.flatMap(([group = '']) => spansOf(group)))).toEqual(
      sorted(namesOf(objectAt(MIMESIS))),
    );
    for (const [cell = '', methods = ''] of rows) {
      const [name = ''] = spansOf(cell);
      expect(sorted(spansOf(methods).map(nameOf))).toEqual(sorted(namesOf(objectAt(`${MIMESIS}.${name}`))));
      const group = MIMESIS_GROUPS[name];
      if (group !== undefined) expect(sorted(spansOf(methods))).toEqual(signatures([group], locale));
    }
  });

  test('enums of module.mimesis', () => {
    const { rows } = tableOf(part('module.mimesis.enums'), 'enum');
    const enums = objectAt('module.mimesis.enums');
    expect(rows.flatMap(([cell = '']) => spansOf(cell))).toEqual(namesOf(enums));
    for (const [cell = '', members = ''] of rows)
      expect(spansOf(members)).toEqual(namesOf(objectAt(`module.mimesis.enums.${spansOf(cell)[0]}`)));
  });

  test('Python modules and their members', () => {
    const own = makeModules({ random: () => ports.random, now: () => 0, digest: (_, bytes) => bytes });
    const { rows } = tableOf(part('All modules'), 'module');
    const paths = rows.flatMap(([cell = '']) => spansOf(cell));
    expect(paths).toEqual(expect.arrayContaining([...own.keys()].map((name) => `module.${name}`)));
    for (const [at, path] of paths.entries())
      expect(sorted(spansOf(rows[at]?.[1] ?? ''))).toEqual(sorted(namesOf(objectAt(path))));
    expect(
      spansOf(
        pages.flatMap(({ text }) => linesOf(text)).find((line) => line.startsWith('`module` has')) ?? '',
      ),
    ).toEqual(expect.arrayContaining([...own.keys(), 'rand', 'faker', 'mimesis']));
  });

  test('locales and vendors', () => {
    expect(sorted(listedAfter(part(FAKER), 'Locales:'))).toEqual(sorted(FAKER_LOCALES.keys()));
    expect(sorted(listedAfter(part(MIMESIS), 'Locales:'))).toEqual(sorted(MIMESIS_LOCALES.keys()));
    expect(listedAfter(part('module.rand.network'), 'Vendors:')).toEqual([...MAC_PREFIXES.keys()]);
  });

  test('modes, samples, conditions and limits', () => {
    expect(sorted(columnOf(tableOf(part('Modes'), 'mode'), 0))).toEqual(sorted(MODES));
    const types = [...JSON.stringify(sampleShape.schema).matchAll(/"const":"(\w+)"/g)].map(
      ([, type = '']) => type,
    );
    expect(columnOf(tableOf(part('Samples'), 'type'), 0)).toEqual(types);
    const kinds = Object.keys(conditionShape.schema['properties'] ?? {});
    expect(sorted(columnOf(tableOf(part('Conditions'), 'condition'), 0))).toEqual(sorted(kinds));
    const limits = tableOf(part('Limits'), 'limit').rows.map(([name = '', value = '']) => [
      spansOf(name)[0],
      Number(value.replaceAll(',', '')),
    ]);
    expect(Object.fromEntries(limits)).toEqual(DEFAULT_TEMPLATE_LIMITS);
  });

  const FILTERS: Methods<Value> = makeFilters({
    random: () => ports.random,
    filters: () => FILTERS,
    tests: () => new Map(),
  });
  test.each([
    ['Filters', 'filter', FILTERS],
    ['Tests', 'test', makeTests(FILTERS)],
  ] as const)('%s with their parameters, and the other names of each', (title, head, engine) => {
    const { rows } = tableOf(part(title), head);
    const named = rows.flatMap(([cell = '', meaning = '']) => {
      const [, others = ''] = /Also (.*)$/.exec(meaning) ?? [];
      return [...spansOf(cell).map(nameOf), ...spansOf(others)];
    });
    expect(sorted(named)).toEqual(sorted(engine.keys()));
    for (const [cell = ''] of rows) {
      const [signature = ''] = spansOf(cell);
      // Null when the filter parses its arguments itself.
      const known = engine.get(nameOf(signature))?.signature ?? null;
      if (known !== null)
        expect([signature, parseSignature(signature).params]).toEqual([signature, known.params]);
    }
  });

  test('names of a template, methods, members of a time and a loop', async () => {
    const language = part('The language');
    const inLoop = (name: string): string => `loop.${name} is defined`;
    const given: readonly (readonly [readonly string[], (name: string) => string])[] = [
      [columnOf(tableOf(part('What does a template see?'), 'name'), 0), (name) => `${name} is defined`],
      [columnOf(tableOf(part('Times'), 'member'), 0).map(nameOf), (name) => `timestamp.${name} is defined`],
      [listedAfter(part('Loops'), 'In `').slice(2).map(nameOf), inLoop],
      [listedAfter(language, 'Strings have'), (name) => `''.${name} is defined`],
      [listedAfter(language, 'Lists have'), (name) => `[].${name} is defined`],
      [listedAfter(language, 'Objects have'), (name) => `{}.${name} is defined`],
    ];
    for (const [names, check] of given) {
      expect(names.length).toBeGreaterThan(8);
      const checks = names.map((name) => `{{ ${check(name)} }}`).join(' ');
      // The second of three items has one before and one after it.
      const template = `{% for item in [1, 2, 3] %}{% if loop.index == 2 %}${checks}{% endif %}{% endfor %}`;
      const [said = ''] = await run.rendered(template);
      const wrong = names.filter((_, at) => said.split(' ')[at] !== 'True');
      expect(wrong).toEqual([]);
    }
    expect(sorted(listedAfter(language, 'Strings have'))).toEqual(sorted(TEXT_METHODS.keys()));
    expect(sorted(listedAfter(language, 'Lists have'))).toEqual(sorted(LIST_METHODS.keys()));
  });
});

describe('the examples of conditions', () => {
  const shared = new StateObject('shared', dictStore(new PyDict()));
  const given = spansOf(part('Conditions').lines.find((line) => line.includes('All examples hold')) ?? '');
  const state = given.find((span) => span.startsWith('{'));
  for (const [key, value] of Object.entries(parse(state ?? '') as Record<string, never>))
    shared.store.set(key, fromJson(value));
  const scene = {
    state: () => shared,
    timestamp: dateTimeAt(START, UTC_ZONE),
    tags: ['web'],
    activity: null,
  };

  test.each(columnOf(tableOf(part('Conditions'), 'condition'), 2))('%s holds', (text) => {
    const decoded = decode(conditionShape, parse(text));
    if (E.isLeft(decoded)) throw new Error(JSON.stringify(decoded.left));
    const warnings: string[] = [];
    expect(compileCondition(decoded.right)(scene, (sentence) => warnings.push(sentence))).toBe(true);
    expect(warnings).toEqual([]);
  });
});

test('every heading in backticks names an existing object', () => {
  const paths = sections.flatMap(({ heading }) => pathOf(heading) ?? []);
  expect(paths.length).toBeGreaterThan(12);
  for (const path of paths) expect(objectAt(path)).toBeInstanceOf(TemplateObject);
});
