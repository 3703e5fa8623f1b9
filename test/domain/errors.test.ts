import vm from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  failure,
  isErrorLike,
  printed,
  reasonOf,
  systemCodeOf,
  thrownError,
  withShortage,
} from '../../src/domain/errors.js';

const inOtherRealm = (source: string): unknown => vm.runInNewContext(source);

const revoked = (): unknown => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

const throwing = (): never => {
  throw new Error('hostile');
};

const withGetter = (key: string): unknown => Object.defineProperty(new Error('x'), key, { get: throwing });

const UNPRINTABLE = 'a value that cannot be printed';

describe('a shortage of the system', () => {
  const thrown = (code: string, message: string): Error => Object.assign(new Error(message), { code });

  test.each([
    thrown('EMFILE', "EMFILE: too many open files, open '/x/plugin.js'"),
    thrown('EMFILE', 'EMFILE: too many open files, uv_resident_set_memory'),
    thrown('ENFILE', 'ENFILE: file table overflow, open'),
    thrown('EAGAIN', 'spawn /usr/bin/python3 EAGAIN'),
    thrown('ERR_WORKER_INIT_FAILED', 'Worker initialization failure: EMFILE'),
    thrown('ENOMEM', 'spawn ENOMEM'),
  ])('is no bug: $message', (error) => {
    const { code, message } = thrownError('the pipeline threw', error);
    expect(code).toBe('exhausted');
    expect(message).toContain(error.message);
    expect(message).toMatch(/Raise|out of memory/);
  });

  test('gives an error its code, except one that is tried again anyway', () => {
    const message = 'replay file a.log cannot be read: EMFILE: too many open files';
    expect(withShortage(failure('plugin_failed', message)).code).toBe('exhausted');
    expect(withShortage(failure('output_failed', message)).code).toBe('output_failed');
    expect(withShortage(failure('plugin_failed', 'the log speaks of EMFILES'))).toEqual(
      failure('plugin_failed', 'the log speaks of EMFILES'),
    );
    expect(thrownError('x', new Error('no such thing')).code).toBe('bug');
  });
});

describe('the reason of what was thrown', () => {
  test.each<[string, unknown, string]>([
    ['an error', new Error('the disk is full'), 'the disk is full'],
    ['an error without message', new RangeError(), 'RangeError'],
    ['an error of another realm', inOtherRealm("new TypeError('no such thing')"), 'no such thing'],
    ['an error of another realm without message', inOtherRealm('new SyntaxError()'), 'SyntaxError'],
    ['a text', 'out of paper', 'out of paper'],
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['an object', { code: 3 }, '[object Object]'],
    ['an error whose message is no text', Object.assign(new Error(), { message: 7 }), 'Error: 7'],
    ['an object without prototype', Object.create(null), UNPRINTABLE],
    ['an error whose message throws', withGetter('message'), UNPRINTABLE],
    ['an error whose name throws', withGetter('name'), UNPRINTABLE],
    ['a revoked proxy', revoked(), UNPRINTABLE],
    ['a proxy that throws', new Proxy(new Error('x'), { get: throwing }), UNPRINTABLE],
    ['an object whose text throws', { toString: throwing }, UNPRINTABLE],
  ])('of %s is one text', (_what, thrown, reason) => {
    expect(reasonOf(thrown)).toBe(reason);
  });

  test('exists for any thrown value', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withSparseArray: true }), (thrown) => {
        expect(typeof reasonOf(thrown)).toBe('string');
        expect(typeof printed(thrown)).toBe('string');
        expect(typeof systemCodeOf(thrown)).toBe('string');
        expect(typeof isErrorLike(thrown)).toBe('boolean');
      }),
    );
  });
});

test('errors are recognized in every realm', () => {
  expect([new Error('x'), inOtherRealm('new Error()'), new DOMException('x')].map(isErrorLike)).toEqual([
    true,
    true,
    true,
  ]);
  expect([{}, null, 'Error', { message: 'x' }, revoked(), withGetter('name')].map(isErrorLike)).toEqual(
    Array(6).fill(false),
  );
});

test('the code of a system error is read in every realm, and is empty where there is none', () => {
  const coded = Object.assign(new Error('x'), { code: 'ENOSPC' });
  const other = inOtherRealm("Object.assign(new Error('x'), { code: 'EPIPE' })");
  expect([coded, other, new Error('x'), { code: 3 }, null, withGetter('code')].map(systemCodeOf)).toEqual([
    'ENOSPC',
    'EPIPE',
    '',
    '',
    '',
    '',
  ]);
});

test('huge messages are cut wherever an error is made or described', () => {
  const huge = 'x'.repeat(50_000_000);
  const cut = /^x+\.\.\. \(cut: 50000000 characters\)$/;
  expect(reasonOf(new Error(huge))).toMatch(cut);
  expect(printed(huge)).toMatch(cut);
  const error = failure('bug', huge, { issues: [{ path: [], type: 'missing', message: huge }] });
  expect(error.message).toMatch(cut);
  expect(error.issues?.[0]?.message).toMatch(cut);
  expect(JSON.stringify(error).length).toBeLessThan(20_000);
  // A reason fits into a message with the text around it.
  expect(failure('bug', `it failed: ${reasonOf(new Error(huge))}`).message).toMatch(/characters\)$/);
});
