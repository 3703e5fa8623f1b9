import * as E from 'fp-ts/lib/Either.js';
import type { FormatterPlugin } from '../../kit.js';
import { eventValue } from '../../shared/text/compile.js';
import { type NamedValue, namedValues, plainText } from '../shared/namedValues.js';
import { objectFormatter } from '../shared/objectFormatter.js';
import { type cefFields, cefSpec } from './spec.js';

// Common Event Format, implementation standard of ArcSight, version 0: escapes differ between header and extension.

const headerPart = (value: unknown): string =>
  plainText(value)
    .replace(/[\\|]/g, '\\$&')
    .replace(/\r\n?|\n/g, ' ');

const LINE_ENDS: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r' };

const pair = ([name, value]: NamedValue): string => {
  const text = plainText(value)
    .replace(/[\\=]/g, '\\$&')
    .replace(/[\r\n]/g, (end) => LINE_ENDS[end] as string);
  return `${name.replace(/[^A-Za-z0-9_.]/g, '_')}=${text}`;
};

export const cefPlugin: FormatterPlugin<typeof cefFields> = {
  spec: cefSpec,
  build: async ({ vendor, product, version, signature_id, name, severity, extension }) => {
    const header = [vendor, product, version, signature_id, name, severity].map(eventValue);
    const read = namedValues(extension);
    return E.right(
      objectFormatter((event) => {
        const parts = header.map((part) => headerPart(part(event)));
        return `CEF:0|${parts.join('|')}|${read(event).map(pair).join(' ')}`;
      }),
    );
  },
};
