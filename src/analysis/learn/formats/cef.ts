import { matchesOf } from '../../../domain/text/matches.js';
import { type Cut, cutter } from '../cut.js';

const HEADER = ['version', 'vendor', 'product', 'product_version', 'signature', 'name', 'severity'] as const;
const FIELD = /((?:[^|\\]|\\.)*)\|/gsy;
const NAME = /(?:^|\s)([\w.[\]-]{1,128})=/g;

/** ArcSight Common Event Format, revision 25: seven header fields, then `name=value` up to the next name. */
export const cutCef = (record: string): Cut | null => {
  if (!/^CEF:\d/.test(record)) return null;
  const out = cutter();
  out.literal('CEF:');
  FIELD.lastIndex = 4;
  let end = 4;
  for (const name of HEADER) {
    const match = FIELD.exec(record);
    if (match === null) return null;
    out.value(name, match[1] ?? '');
    out.literal('|');
    end = match.index + match[0].length;
  }
  const extension = record.slice(end);
  const names = [...matchesOf(extension, NAME)];
  let at = 0;
  for (const [index, match] of names.entries()) {
    const from = match.index + match[0].length;
    out.literal(extension.slice(at, from));
    const to = names[index + 1]?.index ?? extension.trimEnd().length;
    out.value(match[1] ?? '', extension.slice(from, to));
    at = Math.max(from, to);
  }
  out.literal(extension.slice(at));
  return out.done('');
};
