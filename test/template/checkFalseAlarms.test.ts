import { describe, expect, test } from '@jest/globals';
import { DATE_CASES, DATETIME_CASES, MODULE_CASES, TIME_CASES, TIMEDELTA_CASES } from './cases/datetimes.js';
import { FILTER_CASES } from './cases/filters.js';
import { OPERATOR_CASES, PRINT_CASES, STATEMENT_CASES, WHITESPACE_CASES } from './cases/language.js';
import { DICT_CASES, LIST_CASES, SET_CASES, STR_CASES, TUPLE_CASES } from './cases/methods.js';
import { TEST_CASES } from './cases/tests.js';
import { CORPUS } from './checkCorpus.js';
import { found, inspected } from './checkSupport.js';
import { oracleNames, renderCase } from './engine.js';
import type { OracleCase } from './oracle.js';

const CONFIG = {
  events: ['login.jinja', 'session.jinja', 'child.jinja'],
  formatters: ['event.jinja'],
  params: { dc: 'dc1', zone: 'UTC' },
  vars: { level: 'info' },
  samples: ['users', 'hosts'],
};

describe('valid templates', () => {
  test('have no findings', () => {
    const { findings, reached } = inspected(CORPUS, CONFIG);
    expect(findings).toEqual([]);
    expect([...reached].sort()).toEqual(Object.keys(CORPUS).sort());
  });

  /** What a check must find after one thing was broken. */
  test.each<readonly [file: keyof typeof CORPUS, from: string, to: string, code: string]>([
    ['login.jinja', 'user.name.split', 'usr.name.split', 'unknown_name'],
    ['login.jinja', 'samples.hosts', 'samples.host', 'unknown_attribute'],
    ['login.jinja', '| tojson }},', '| to_json }},', 'unknown_filter'],
    ['login.jinja', 'rand.crypto.uuid4', 'rand.crypto.uuid', 'unknown_attribute'],
    ['login.jinja', 'import client,', 'import clent as client,', 'unknown_export'],
    ['login.jinja', "'macros/network.jinja'", "'network.jinja'", 'template_not_found'],
    ['login.jinja', '"dc": "{{ params.dc }}"', '"dc": "{{ params.region }}"', 'unknown_attribute'],
    ['session.jinja', "wrap.jinja' as w", "wrap.jinja' as wrapping", 'unknown_name'],
    ['session.jinja', 'as ctx with context', 'as ctx', 'unknown_name'],
    ['session.jinja', 'ns.found.name', 'user.name', 'name_out_of_scope'],
    ['parts/footer.jinja', '{{ host }}', '{{ hosst }}', 'unknown_name'],
    ['macros/network.jinja', 'macro mac(vendor)', 'macro mac(vendr)', 'unknown_name'],
    ['child.jinja', '{{ extra }}{{ local', '{{ extras }}{{ local', 'unknown_name'],
    ['event.jinja', 'event.split', 'events.split', 'unknown_name'],
  ])('%s with %s as %s: %s', (file, from, to, code) => {
    const before = CORPUS[file] ?? '';
    expect(before).toContain(from);
    const codes = inspected({ ...CORPUS, [file]: before.replace(from, to) }, CONFIG).findings.map(
      (one) => one.code,
    );
    expect(codes).toContain(code);
  });
});

const CASES: readonly OracleCase[] = [
  FILTER_CASES,
  TEST_CASES,
  STR_CASES,
  LIST_CASES,
  DICT_CASES,
  TUPLE_CASES,
  SET_CASES,
  DATETIME_CASES,
  DATE_CASES,
  TIME_CASES,
  TIMEDELTA_CASES,
  OPERATOR_CASES,
  STATEMENT_CASES,
  { PRINT_CASES, MODULE_CASES, WHITESPACE_CASES },
]
  .flatMap((table) => Object.values<readonly (string | OracleCase)[]>(table).flat())
  .map((each) => (typeof each === 'string' ? { text: each } : each));

/** Names that cases read without a value. */
const LACKING = new Set(['nope', 'nope2']);

/** Cases that read other names without a value, by the expected finding. */
const KNOWN: readonly (readonly [text: RegExp, message: RegExp])[] = [
  [/inc\.txt|macros\.txt/, /^'[xy]' is not (?:defined|available)/],
  [/base\.txt|mid\.txt/, /^'x' is not (?:defined|available)/],
  [/endwith %\}\{\{ a \}\}$/, /^'a' exists only in its block/],
  [/block b %\}\[\{\{ i/, /^'i' is a loop variable/],
];

test('the check accepts every case that renders', () => {
  const names = [...oracleNames().keys()].map((name) => `{% set ${name} = 1 %}`).join('');
  let checked = 0;
  const wrong = CASES.flatMap((each) => {
    if (!('ok' in renderCase(each))) return [];
    checked++;
    const files = { ...each.files, main: `${names}{% include "case" %}`, case: each.text };
    return inspected(files)
      .findings.filter(
        ({ message }) =>
          !LACKING.has(/'(\w+)'/.exec(message)?.[1] ?? '') &&
          !KNOWN.some(([text, reason]) => text.test(each.text) && reason.test(message)),
      )
      .map(({ message }) => `${each.text}: ${message}`);
  });
  expect(wrong).toEqual([]);
  expect(checked).toBeGreaterThan(700);
});

test('the check rejects every case that does not load', () => {
  const missed = CASES.filter((each) => {
    const outcome = renderCase(each);
    if ('ok' in outcome || !/^Template(?:Syntax|Assertion)Error$/.test(outcome.error)) return false;
    return !found({ ...each.files, main: each.text }).some((one) => / error (?:syntax|unknown_)/.test(one));
  });
  expect(missed).toEqual([]);
});
