import * as E from 'fp-ts/lib/Either.js';
import { valueText } from '../../../domain/json.js';
import type { FormatterPlugin } from '../../kit.js';
import { eventValue } from '../../shared/text/compile.js';
import { objectFormatter } from '../shared/objectFormatter.js';
import { type csvFields, csvSpec } from './spec.js';

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

export const csvPlugin: FormatterPlugin<typeof csvFields> = {
  spec: csvSpec,
  build: async ({ columns, delimiter, quote, null_text }) => {
    const readers = columns.map(eventValue);
    const needsQuotes = (text: string): boolean =>
      quote === 'all' || text === null_text || text.includes(delimiter) || /["\r\n]/.test(text);
    const cell = (value: unknown): string => {
      if (value === undefined || value === null) return null_text;
      const text = valueText(value);
      return needsQuotes(text) ? quoted(text) : text;
    };
    return E.right(objectFormatter((event) => readers.map((read) => cell(read(event))).join(delimiter)));
  },
};
