import * as E from 'fp-ts/lib/Either.js';
import { custom, integer, refined } from '../../../schema/index.js';
import { defect } from '../../../schema/issues.js';
import type { RuleBreach, Shape } from '../../../schema/shape.js';
import { compileText } from '../../shared/text/compile.js';
import { eventText } from '../../shared/text/field.js';
import { constantParts } from '../../shared/text/placeholders.js';

/** Text for a word of the header. */
export const wordText = (maxLength: number): Shape<string> =>
  refined(eventText(), (written) => {
    const constant = constantParts(written);
    if (!/^[!-~]*$/.test(constant)) return defect('bad_format', 'must be printable ASCII without spaces');
    if (constant.length > maxLength) return defect('too_long', `must have at most ${maxLength} characters`);
    return written === '' ? defect('too_short', 'must not be empty') : null;
  });

/** A name or a number, or a text with values of the event. */
export const codeShape = (
  codeOf: (value: unknown) => number | null,
  names: readonly string[],
): Shape<string | number> => {
  const number = integer({ min: 0, max: names.length - 1 });
  const word = refined(eventText(), (written) => {
    const constant = compileText(written).constant;
    return constant === null || codeOf(constant) !== null
      ? null
      : defect('not_allowed', 'is not known', `Known: ${names.join(', ')}.`);
  });
  return custom<string | number, string | number>({
    base: (value) => (typeof value === 'number' ? number : word) as Shape<string | number>,
    label: 'name, number or text with JSON pointers in braces',
    schema: { anyOf: [word.schema, number.schema] },
    is: (value): value is string | number => number.codec.is(value) || word.codec.is(value),
    decode: E.right,
    encode: (value) => value,
  });
};

/** A tag that needs no replacement; receivers end it at the first other character. */
export const constantTagRule = {
  fields: ['header', 'app_name'] as const,
  check: ({ header, app_name }: { readonly header: string; readonly app_name: string }): RuleBreach | null =>
    header !== 'rfc3164' || /^[\w./-]{0,32}$/.test(constantParts(app_name))
      ? null
      : {
          at: 'app_name',
          type: 'bad_format',
          message: 'must be up to 32 letters, digits and `_`, `.`, `/`, `-` with `header: rfc3164`',
        },
};
