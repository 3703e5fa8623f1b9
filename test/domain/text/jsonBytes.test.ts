import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { MAX_JSON_BYTES, putJsonText } from '../../../src/domain/text/utf8.js';
import { codePoint } from '../../support/codePoint.js';

const written = (text: string): string => {
  const bytes = Buffer.from(`<${text}>`, 'utf8');
  const out = Buffer.alloc(bytes.length * MAX_JSON_BYTES + 2);
  const end = putJsonText(out, 2, bytes, 1, bytes.length - 1);
  return out.toString('utf8', 2, end);
};

test('any text becomes what JSON.stringify makes of it', () => {
  const every = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code)).join('');
  expect(`"${written(every)}"`).toBe(JSON.stringify(every));
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (text) => {
      expect(`"${written(text)}"`).toBe(JSON.stringify(text));
    }),
  );
});
