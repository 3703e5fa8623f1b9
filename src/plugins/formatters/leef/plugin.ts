import * as E from 'fp-ts/lib/Either.js';
import type { FormatterPlugin } from '../../kit.js';
import { eventValue } from '../../shared/text/compile.js';
import { namedValues, plainText } from '../shared/namedValues.js';
import { objectFormatter } from '../shared/objectFormatter.js';
import { type leefFields, leefSpec } from './spec.js';

// Log Event Extended Format 2.0 (IBM Security QRadar): the header names the delimiter, as a hexadecimal code.

const headerPart = (value: unknown): string => plainText(value).replace(/\r\n?|[\n|]/g, ' ');

export const leefPlugin: FormatterPlugin<typeof leefFields> = {
  spec: leefSpec,
  build: async ({ vendor, product, version, event_id, delimiter, attributes }) => {
    const header = [vendor, product, version, event_id].map(eventValue);
    const read = namedValues(attributes);
    const code = `x${(delimiter.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`;
    const attributeText = (value: unknown): string =>
      plainText(value)
        .replace(/\r\n?|\n/g, ' ')
        .replaceAll(delimiter, ' ');
    return E.right(
      objectFormatter((event) => {
        const parts = header.map((part) => headerPart(part(event)));
        const pairs = read(event).map(
          ([name, value]) => `${name.replace(/[^A-Za-z0-9_.-]/g, '_')}=${attributeText(value)}`,
        );
        return `LEEF:2.0|${parts.join('|')}|${code}|${pairs.join(delimiter)}`;
      }),
    );
  },
};
