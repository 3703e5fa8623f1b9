import vm from 'node:vm';
import { expect, test } from '@jest/globals';
import { describeThrown, showThrown } from '../../../../src/plugins/events/script/thrown.js';

const shown = (thrown: unknown): string =>
  showThrown(describeThrown(thrown, new Set(['/gen/produce.js']), '/gen'));

const throwing = (): never => {
  throw new Error('hostile');
};

test('an error of another realm is described as one of this realm, with its place', () => {
  const filename = '/gen/produce.js';
  const thrown: unknown = vm.runInNewContext("\nnew TypeError('no such thing')", {}, { filename });
  expect(shown(thrown)).toBe('TypeError: no such thing (produce.js:2:1)');
});

test('an error of a custom class has its name', () => {
  class OrderError extends Error {}
  expect(shown(new OrderError('empty basket'))).toBe('OrderError: empty basket');
});

test.each<[string, unknown, string]>([
  ['null', null, 'null: null'],
  ['a text', 'stop', 'string: stop'],
  ['an object without prototype', Object.create(null), 'object: a value that cannot be printed'],
  [
    'an error with a message that throws',
    Object.defineProperty(new Error('x'), 'message', { get: throwing }),
    'object: a value that cannot be printed',
  ],
  [
    'an error with a stack that throws',
    Object.defineProperty(new Error('x'), 'stack', { get: throwing }),
    'object: Error: x',
  ],
])('%s is described without another throw', (_what, thrown, text) => {
  expect(shown(thrown)).toBe(text);
});
