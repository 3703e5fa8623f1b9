import * as E from 'fp-ts/lib/Either.js';
import { defect, kindOf } from '../../../schema/issues.js';
import { scalar } from '../../../schema/reader.js';
import type { Shape } from '../../../schema/shape.js';

/** Digits as in chmod(1): `640`, `0640`; `0o640` as in YAML. */
const DIGITS = /^(?:0o?)?[0-7]{1,4}$/;

const MAX_LENGTH = 6;

const isMode = (value: unknown): value is number | string =>
  (typeof value === 'number' || typeof value === 'string') &&
  String(value).length <= MAX_LENGTH &&
  DIGITS.test(String(value));

/**
 * Permissions of a file. A number's decimal digits are octal digits (640 is rw-r-----); text such as "0640" works
 * too. Encodes to its source.
 */
export const fileMode = (): Shape<number | string> => {
  const label = 'permission digits 0..7777';
  const schema = {
    anyOf: [
      { type: 'integer', minimum: 0, maximum: 7777 },
      { type: 'string', maxLength: MAX_LENGTH, pattern: DIGITS.source },
    ],
  };
  return scalar<number | string>(label, schema, isMode, (value) => {
    if (isMode(value)) return E.right(value);
    if (typeof value !== 'number' && typeof value !== 'string') {
      return E.left(defect('wrong_type', `must be ${label}, not ${kindOf(value)}`));
    }
    return E.left(
      defect('bad_format', `must be ${label}`, 'Each digit is octal, 0 to 7: for example 640 or "0640".'),
    );
  });
};

/** Permission bits: 640 and "0640" are 0o640. */
export const modeBits = (mode: number | string): number =>
  Number.parseInt(String(mode).replace(/^0o/, ''), 8);
