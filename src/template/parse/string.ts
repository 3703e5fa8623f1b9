import { fail } from './syntaxFault.js';

const NAMED: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\n': '',
};

const HEX: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Decodes a literal without its quotes; keeps unknown escapes. */
export const unescapeLiteral = (source: string, at: number): string => {
  if (!source.includes('\\')) return source;
  return source.replace(
    /\\(?:([0-7]{1,3})|([xuU])([0-9a-fA-F]*)|(N)(?:\{[^}]*\})?|([\s\S]))/g,
    (whole: string, octal?: string, kind?: string, digits?: string, named?: string, other?: string) => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      if (named !== undefined) return fail('named characters (\\N{...}) are not supported in strings', at);
      if (kind !== undefined) {
        const size = HEX[kind] ?? 0;
        const used = (digits ?? '').slice(0, size);
        if (used.length < size) return fail(`truncated \\${kind}${'X'.repeat(size)} escape`, at);
        const code = Number.parseInt(used, 16);
        if (code > 0x10_ffff) return fail('illegal Unicode character', at);
        return String.fromCodePoint(code) + (digits ?? '').slice(size);
      }
      return NAMED[other ?? ''] ?? whole;
    },
  );
};
