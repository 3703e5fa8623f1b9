import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { failure } from '../../src/domain/errors.js';
import { checkMessage } from '../../src/host/messageCheck.js';
import type { FromWorker } from '../../src/host/protocol.js';

const ERROR = failure('invalid', 'wrong', {
  file: 'x.yml',
  issues: [{ path: ['input', 0], type: 'missing', message: 'is missing', line: 1, column: 2 }],
});

/** One of each kind, with all fields. */
const MESSAGES: readonly FromWorker[] = [
  { type: 'ready' },
  { type: 'running', run: 1 },
  { type: 'ended', run: 1, end: 'drained' },
  { type: 'failed', run: 1, error: ERROR },
  { type: 'patched', run: 1, request: 4, error: null },
  { type: 'patched', run: 1, request: 4, error: ERROR },
  {
    type: 'tailed',
    run: 1,
    sample: {
      find: 'x',
      heads: [{ text: 'x', bytes: 1, is_cut: false }],
      ...{ searched: 2, skipped: 0, found: 1 },
    },
  },
  { type: 'log', level: 'info', message: 'x', context: { a: 1, b: [null, { c: true }] } },
  { type: 'crashing', reason: 'x', run: null },
  { type: 'globals.answer', request: 1, answer: { _tag: 'Right', right: { etag: 'x', text: null } } },
  { type: 'globals.answer', request: 1, answer: { _tag: 'Left', left: ERROR } },
  { type: 'owner.changed', scenario: 's', text: '{}', changeNumber: 0 },
  { type: 'owner.released', scenario: 's', text: '{}', changeNumber: 0 },
  { type: 'preview.done', job: 1, chunks: [Buffer.from('{}')] },
  { type: 'preview.failed', job: 1, error: ERROR },
];

test.each(MESSAGES)('takes a message as threads send it: %j', (message) => {
  expect(checkMessage(structuredClone(message), 1)).toEqual(structuredClone(message));
});

test.each(MESSAGES)('refuses it with any field missing or of another kind: %j', (message) => {
  for (const [field, value] of Object.entries(message)) {
    if (field === 'type') continue;
    const { [field]: _, ...rest } = message as Record<string, unknown>;
    expect(checkMessage(rest, 1)).toBeNull();
    const isFreeText = typeof value === 'string' && field !== 'end' && field !== 'level';
    const wrong = [[1], -1, Number.NaN, Symbol.iterator, isFreeText ? {} : 'other'];
    for (const other of wrong) expect(checkMessage({ ...message, [field]: other }, 1)).toBeNull();
  }
});

test('refuses a run that the thread was not given', () => {
  expect(checkMessage({ type: 'running', run: 3 }, 2)).toBeNull();
  expect(checkMessage({ type: 'running', run: 2 }, 2)).not.toBeNull();
});

test('refuses texts above the limits of pipeline threads', () => {
  const message = 'x'.repeat(100_000);
  expect(checkMessage({ type: 'log', level: 'info', message, context: {} }, 1)).toBeNull();
  expect(checkMessage({ type: 'crashing', reason: message, run: null }, 1)).toBeNull();
  expect(checkMessage({ type: 'failed', run: 1, error: { code: 'bug', message } }, 1)).toBeNull();
});

test('never throws, for any message', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      checkMessage(value, 1);
      for (const { type } of MESSAGES) checkMessage({ ...Object(value), type }, 1);
    }),
  );
  for (const value of [null, undefined, 0, 'running', [], { type: 'toString' }, { type: '__proto__' }])
    expect(checkMessage(value, 1)).toBeNull();
});
