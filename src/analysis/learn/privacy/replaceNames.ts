import { likeName, type PrivateKind } from './pseudonyms.js';

const WORDS = /[\p{L}\d]+(?:[._-][\p{L}\d]+)*/gu;
/** Parts of a dotted word that one name may have. */
const MAX_PARTS = 6;

interface Found {
  readonly kind: PrivateKind;
  readonly name: string;
  /** Place of the part after the name. */
  readonly to: number;
}

/** The longest known name that begins at a part; parts and the marks between them alternate. */
const nameAt = (
  parts: readonly string[],
  from: number,
  names: ReadonlyMap<string, PrivateKind>,
): Found | null => {
  for (let to = Math.min(parts.length, from + 2 * MAX_PARTS - 1); to > from; to -= 2) {
    const name = parts.slice(from, to).join('').toLowerCase();
    const kind = names.get(name);
    if (kind !== undefined) return { kind, name, to };
  }
  return null;
};

/** Replaces known names, which are in lower case, wherever they stand as words or parts of dotted words. */
export const replaceNames = (
  text: string,
  names: ReadonlyMap<string, PrivateKind>,
  pseudonym: (kind: PrivateKind, name: string) => string,
): string =>
  names.size === 0
    ? text
    : text.replace(WORDS, (whole) => {
        const parts = whole.split(/([._-])/);
        let out = '';
        for (let at = 0; at < parts.length; at += 2) {
          const found = nameAt(parts, at, names);
          if (found === null) out += `${parts[at] ?? ''}${parts[at + 1] ?? ''}`;
          else {
            out +=
              likeName(pseudonym(found.kind, found.name), parts.slice(at, found.to).join('')) +
              (parts[found.to] ?? '');
            at = found.to - 1;
          }
        }
        return out;
      });
