import type { Schema } from '../document.js';
import { propertiesOf } from '../values/smallest.js';
import { answersWith, type Expectation, type RequestCase, TAKEN } from './requestCase.js';

const BOUNDARY = 'spate-contract';
const FORM = `multipart/form-data; boundary=${BOUNDARY}`;

const part = (field: string, content: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="f"\r\n\r\n${content}\r\n`;

const form = (...parts: readonly string[]): string => `${parts.join('')}--${BOUNDARY}--\r\n`;

/** Requests that send a file, as a form and as it is; `form` is the schema of the form. */
export const uploadCases = (schema: Schema): readonly RequestCase[] => {
  const field = propertiesOf(schema)[0]?.[0] ?? '';
  const at = (...path: readonly string[]): Expectation => ({
    kind: 'refused',
    fault: { where: 'body', path },
  });
  const sent = (
    label: string,
    expected: Expectation,
    type: string,
    body: string | Uint8Array,
  ): RequestCase => ({
    label,
    isBroken: expected.kind !== 'taken',
    expected,
    headers: { 'content-type': type },
    body: () => body,
  });
  const raw = 'application/octet-stream';
  return [
    sent('a form', TAKEN, FORM, form(part(field, 'text'))),
    sent('a form with an empty file', TAKEN, FORM, form(part(field, ''))),
    sent('the bytes as they are', TAKEN, raw, new Uint8Array([0, 1, 2, 255])),
    sent('the bytes as text', TAKEN, 'text/plain', 'text'),
    sent('the bytes as JSON', TAKEN, 'application/json', '{"a": 1}'),
    sent('no bytes', TAKEN, raw, ''),
    sent('bytes without a type', TAKEN, '', 'text'),
    sent('a MiB', TAKEN, raw, 'x'.repeat(1_048_576)),
    sent('a form without the field', at(field), FORM, form()),
    sent('a form with another field', at('other'), FORM, form(part('other', 'text'))),
    sent('a form with a field of every object', at('__proto__'), FORM, form(part('__proto__', 'text'))),
    sent('a form with one field more', at('other'), FORM, form(part(field, 'text'), part('other', 'text'))),
    sent('a form with the field twice', at(field), FORM, form(part(field, 'a'), part(field, 'b'))),
    sent('a form that is cut off', at(), FORM, part(field, 'text').slice(0, -2)),
    sent('a form that is none', at(), FORM, 'no form'),
    sent('a form without a boundary', answersWith(415, 422), 'multipart/form-data', form(part(field, 'a'))),
    sent('an empty form', at(), FORM, ''),
    sent('another kind of form', answersWith(415), `multipart/mixed; boundary=${BOUNDARY}`, form()),
    {
      label: 'content encoding gzip',
      isBroken: true,
      expected: answersWith(415),
      headers: { 'content-encoding': 'gzip' },
    },
  ];
};
