import { expect, test } from '@jest/globals';
import { allowsChange } from '../../src/domain/etag.js';

test.each([
  [null, true],
  ['*', true],
  [' * ', true],
  ['"v1"', true],
  ['"v0", "v1"', true],
  ['"v0","v1" , "v2"', true],
  ['"v0"', false],
  ['W/"v1"', false],
  ['v1', false],
  ['', false],
  ['"v0", *', false],
])('If-Match %j allows a change of version "v1": %s', (header, isAllowed) => {
  expect(allowsChange(header, '"v1"')).toBe(isAllowed);
});
