import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { fileMode, modeBits } from '../../../../src/plugins/outputs/file/spec.js';
import { decode } from '../../../../src/schema/index.js';

describe('permissions of a file', () => {
  test.each([
    [640, 0o640],
    ['0640', 0o640],
    ['640', 0o640],
    ['0o640', 0o640],
    [0, 0],
    [7777, 0o7777],
    [44, 0o044],
  ])('%p means the digits that people write for chmod', (written, bits) => {
    const decoded = decode(fileMode(), written);
    expect(E.map(modeBits)(decoded)).toEqual(E.right(bits));
    expect(E.map(fileMode().codec.encode)(decoded)).toEqual(E.right(written));
  });

  test.each([689, '0689', 77777, -1, 6.5, '', 'rw-r--r--', '0x1a0'])(
    '%p is refused with a hint',
    (written) => {
      expect(decode(fileMode(), written)).toMatchObject({
        left: [{ type: 'bad_format', hint: expect.any(String) }],
      });
    },
  );

  test('other types are refused', () => {
    expect(decode(fileMode(), true)).toMatchObject({ left: [{ type: 'wrong_type' }] });
  });
});
