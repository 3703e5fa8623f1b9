import { describe, expect, test } from '@jest/globals';
import { type Expectation, type Fault, TAKEN } from './cases/requestCase.js';
import type { Operation, Schema } from './document.js';
import { type Court, judge } from './judge.js';
import { leadsTo } from './leadsTo.js';
import { makeValidators } from './values/validators.js';
import type { WireAnswer } from './wire.js';

const TEXT: Schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const PROBLEMS: Schema = { type: 'object', properties: { detail: { type: 'array' } }, required: ['detail'] };
const ERROR: Schema = { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] };
const json = (schema: Schema) => ({ content: { 'application/json': schema }, headers: [] });

const operation: Operation = {
  id: 'readThing',
  method: 'GET',
  path: '/thing',
  parameters: [],
  body: null,
  answers: {
    '200': { ...json(TEXT), headers: ['ETag'] },
    '422': json(PROBLEMS),
    '500': json(ERROR),
  },
  isOpen: false,
};

const court: Court = { operation, methods: ['GET'], flawOf: makeValidators({}).flawOf };

const answer = (status: number, body: unknown, headers: WireAnswer['headers'] = {}): WireAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'x-spate-version': '1', ...headers },
  body: Buffer.from(JSON.stringify(body)),
  isWhole: true,
});

const judged = (expected: Expectation, given: WireAnswer): string =>
  judge(court, { label: 'a request', isBroken: false, expected }, given).join('; ');

const FAULT: Fault = { where: 'body', path: ['input', '0', 'count'] };
const REFUSED: Expectation = { kind: 'refused', fault: FAULT };
const at = (...loc: readonly string[]) => answer(422, { detail: [{ loc, msg: '', type: '' }] });
const GOOD = answer(200, { text: 'a' }, { etag: '"a"' });

describe('an answer', () => {
  test.each<readonly [string, Expectation, WireAnswer, string]>([
    ['as it is documented', TAKEN, GOOD, ''],
    ['with another status', TAKEN, at('body'), 'status 422 instead of 200'],
    ['of 500', { kind: 'open', value: null }, answer(500, { code: 'bug' }), 'status 500'],
    [
      'with a status that is not documented',
      { kind: 'open', value: null },
      answer(418, {}),
      'is not documented',
    ],
    [
      'with a body that breaks its schema',
      TAKEN,
      answer(200, { text: 1 }, { etag: '' }),
      '/text must be string',
    ],
    [
      'with another content type',
      TAKEN,
      { ...GOOD, headers: { 'content-type': 'text/html' } },
      'text/html is not',
    ],
    ['without a documented header', TAKEN, answer(200, { text: 'a' }), 'the header ETag is missing'],
    ['that is not JSON', TAKEN, { ...GOOD, body: Buffer.from('a') }, 'the body is not JSON'],
    ['that takes what is broken', REFUSED, GOOD, 'status 200 instead of 422'],
    ['that leads to the fault', REFUSED, at('body', 'input', '0', 'count'), ''],
    ['that leads elsewhere', REFUSED, at('body', 'output'), 'does not lead to the fault'],
    ['that lists nothing', REFUSED, answer(422, { detail: [] }), 'lists no problem'],
    ['that begins nowhere', REFUSED, at('input'), 'begins with none of'],
    [
      'to a wrong method without Allow',
      { kind: 'status', statuses: [405] },
      answer(405, { code: 'method_not_allowed' }),
      'Allow is undefined instead of GET, HEAD, OPTIONS',
    ],
  ])('%s', (_, expected, given, flaw) => {
    const flaws = judged(expected, given);
    if (flaw === '') expect(flaws).toBe('');
    else expect(flaws).toContain(flaw);
  });
});

describe('a location leads to a fault', () => {
  test.each([
    [['body', 'input', '0', 'count'], true],
    [['body', 'input', '0'], true],
    [['body', 'input', '0', 'count', 'deeper'], true],
    [['body', 'input', '0', 'tags'], false],
    [['body', 'input'], false],
    [['body'], false],
    [['query', 'input', '0', 'count'], false],
    [[], false],
  ])('%j: %p', (loc, expected) => {
    expect(leadsTo(loc, FAULT)).toBe(expected);
  });

  test('the whole body is its own place', () => {
    expect(leadsTo(['body'], { where: 'body', path: [] })).toBe(true);
    expect(leadsTo(['query'], { where: 'body', path: [] })).toBe(false);
  });
});
