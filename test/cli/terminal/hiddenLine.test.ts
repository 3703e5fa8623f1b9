import { describe, expect, test } from '@jest/globals';
import { EMPTY_LINE, typeHidden } from '../../../src/cli/terminal/terminal.js';

describe('a line that is typed unseen', () => {
  test.each([
    ['abc\r', 'abc', 'done'],
    ['abc\n', 'abc', 'done'],
    ['abc', 'abc', 'typing'],
    ['ab\u007fc\r', 'ac', 'done'],
    ['\u007f\bx\r', 'x', 'done'],
    ['k\u{1f511}\u007fy\r', 'ky', 'done'],
    ['wrong\u0015right\r', 'right', 'done'],
    ['a\u001b\u0001b\tc\r', 'abc', 'done'],
    ['abc\u0003', '', 'cancelled'],
    ['\u0004', '', 'cancelled'],
    ['abc\u0004', 'abc', 'done'],
    ['abc\rrest', 'abc', 'done'],
  ])('%j is %j, %s', (keys, text, state) => {
    expect(typeHidden(EMPTY_LINE, keys)).toEqual({ text, state });
  });

  test('comes in any pieces', () => {
    const pieces = ['p', 'a', '\u007fä', 'ss\r'];
    expect(pieces.reduce(typeHidden, EMPTY_LINE)).toEqual({ text: 'päss', state: 'done' });
  });
});
