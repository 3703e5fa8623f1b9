import * as E from 'fp-ts/lib/Either.js';
import type { FormatterPlugin } from '../../kit.js';
import { flatValues, type NamedValue, namedValues, plainText } from '../shared/namedValues.js';
import { objectFormatter } from '../shared/objectFormatter.js';
import { type logfmtFields, logfmtSpec } from './spec.js';

/** White space, quotes, `=` and control characters, of ASCII and beyond. */
const SPECIAL = /[\s"=\p{Cc}]/u;
const SPECIALS = /[\s"=\p{Cc}]/gu;

const pair = ([name, value]: NamedValue): string => {
  const text = plainText(value);
  const isQuoted = SPECIAL.test(text) || text.includes('\\') || value === '';
  return `${name.replace(SPECIALS, '_') || '_'}=${isQuoted ? JSON.stringify(text) : text}`;
};

export const logfmtPlugin: FormatterPlugin<typeof logfmtFields> = {
  spec: logfmtSpec,
  build: async ({ fields }) => {
    const read = fields === null ? flatValues : namedValues(fields);
    return E.right(objectFormatter((event) => read(event).map(pair).join(' ')));
  },
};
