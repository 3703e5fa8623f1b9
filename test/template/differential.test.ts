import { describe, expect, test } from '@jest/globals';
import { DATE_CASES, DATETIME_CASES, MODULE_CASES, TIME_CASES, TIMEDELTA_CASES } from './cases/datetimes.js';
import { DIFFERENCES } from './cases/differences.js';
import { FILTER_CASES } from './cases/filters.js';
import { OPERATOR_CASES, PRINT_CASES, STATEMENT_CASES, WHITESPACE_CASES } from './cases/language.js';
import { DICT_CASES, LIST_CASES, SET_CASES, STR_CASES, TUPLE_CASES } from './cases/methods.js';
import { PYTHON_MODULE_CASES } from './cases/modules.js';
import { TEST_CASES } from './cases/tests.js';
import { oracleNames, renderCase } from './engine.js';
import { askJinja, hasJinja, type OracleCase, type Outcome } from './oracle.js';

const asCases = (texts: readonly (string | OracleCase)[]): readonly OracleCase[] =>
  texts.map((each) => (typeof each === 'string' ? { text: each } : each));

/** Case tables by the Jinja or Python list they must cover. */
const COVERED = {
  filters: FILTER_CASES,
  tests: TEST_CASES,
  str: STR_CASES,
  list: LIST_CASES,
  dict: DICT_CASES,
  tuple: TUPLE_CASES,
  set: SET_CASES,
  datetime: DATETIME_CASES,
  date: DATE_CASES,
  time: TIME_CASES,
  timedelta: TIMEDELTA_CASES,
  operators: OPERATOR_CASES,
} as const;

const OTHERS: Readonly<Record<string, readonly OracleCase[]>> = {
  printing: asCases(PRINT_CASES),
  modules: asCases(MODULE_CASES),
  ...Object.fromEntries(
    Object.entries(PYTHON_MODULE_CASES).map(([name, texts]) => [`module ${name}`, asCases(texts)]),
  ),
  whitespace: WHITESPACE_CASES,
  ...STATEMENT_CASES,
};

/** Jinja's tests named by an operator. */
const isDeliberate = new Set(DIFFERENCES.map(({ text }) => text));

const groups: readonly (readonly [string, readonly OracleCase[]])[] = [
  ...Object.entries(COVERED).map(
    ([name, table]) => [name, Object.values(table).flatMap((texts) => asCases(texts))] as const,
  ),
  ...Object.entries(OTHERS),
];

/** The compared part: the text, or the kind of error. */
const essence = (outcome: Outcome): string =>
  'ok' in outcome ? `text ${JSON.stringify(outcome.ok)}` : `error ${outcome.error}`;

const describeWithJinja = hasJinja ? describe : describe.skip;

describeWithJinja('against Jinja2 (Debian package python3-jinja2)', () => {
  const cases = groups.flatMap(([, list]) => list);
  const answer = hasJinja
    ? askJinja([...cases, ...DIFFERENCES.map(({ text, files = {} }) => ({ text, files }))])
    : { results: [], tables: { filters: [], tests: [], globals: [], methods: {}, version: '' } };
  const expected = new Map(cases.map((each, index) => [each, answer.results[index]]));

  test.each(groups)(
    '%s: every case renders the same text or fails with the same kind of error',
    (_name, list) => {
      const different = list
        .filter(({ text }) => !isDeliberate.has(text))
        .map((each) => {
          const theirs = expected.get(each);
          const ours = renderCase(each);
          return {
            text: each.text,
            theirs: theirs === undefined ? '' : essence(theirs),
            ours: essence(ours),
          };
        })
        .filter(({ theirs, ours }) => theirs !== ours);
      expect(different).toEqual([]);
    },
  );

  test('the position of syntax errors is the line that Jinja names', () => {
    const wrong = cases
      .map((each) => ({ each, theirs: expected.get(each) }))
      .filter(
        ({ theirs }) => theirs !== undefined && 'error' in theirs && theirs.error === 'TemplateSyntaxError',
      )
      .map(({ each, theirs }) => ({ text: each.text, theirs, ours: renderCase(each) }))
      .filter(({ theirs, ours }) => {
        const [a, b] = [theirs, ours];
        return a === undefined || 'ok' in a || 'ok' in b || a.line !== b.line;
      })
      .map(({ text }) => text);
    expect(wrong).toEqual([]);
  });

  test('each filter, test and method that Jinja or Python lists has three cases, one of them an error', () => {
    const { filters, tests, methods } = answer.tables;
    const lists: Readonly<Record<string, readonly string[]>> = { filters, tests, ...methods };
    const missing = Object.entries(lists).flatMap(([kind, names]) => {
      const table: Readonly<Record<string, readonly string[]>> = COVERED[kind as keyof typeof COVERED];
      return names
        .filter((name) => {
          const texts = table[name] ?? [];
          const failing = texts.filter((text) => {
            const found = cases.find((each) => each.text === text);
            const outcome = found === undefined ? undefined : expected.get(found);
            return outcome !== undefined && 'error' in outcome;
          });
          return texts.length < 3 || failing.length === 0;
        })
        .map((name) => `${kind} ${name}`);
    });
    expect(filters.length).toBeGreaterThan(50);
    expect(tests.length).toBeGreaterThan(30);
    expect(missing).toEqual([]);
  });

  test('all globals of Jinja exist', () => {
    expect(answer.tables.globals).toEqual(['cycler', 'dict', 'joiner', 'lipsum', 'namespace', 'range']);
    expect(answer.tables.globals.map((name) => renderCase({ text: `{{ ${name} is callable }}` }))).toEqual(
      answer.tables.globals.map(() => ({ ok: 'True' })),
    );
  });

  test('intended differences match the table', () => {
    const surprising = DIFFERENCES.map(({ text, files = {}, ours }, index) => {
      const theirs = answer.results[cases.length + index];
      const mine = renderCase({ text, files });
      const isAsSaid =
        'ok' in ours ? 'ok' in mine && mine.ok === ours.ok : 'error' in mine && mine.error === ours.error;
      const isNewerJinja = text.includes("'inf'|int");
      const differs = theirs !== undefined && essence(theirs) !== essence(mine);
      return { text, mine, isAsSaid, isDifferent: differs || isNewerJinja };
    }).filter(({ isAsSaid, isDifferent }) => !isAsSaid || !isDifferent);
    expect(surprising).toEqual([]);
  });
});

test('the names of the cases exist without Jinja too', () => {
  expect([...oracleNames().keys()]).toContain('datetime');
});
