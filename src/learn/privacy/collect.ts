import { type Cut, plainValue } from '../cut.js';
import { remembered } from '../remembered.js';
import { kindOfField } from './fieldNames.js';
import type { PrivateKind } from './pseudonyms.js';
import { COMMON_NAMES } from './words.js';

/** Names that are looked for in all texts. */
const MAX_NAMES = 50_000;

/** Names in sentences: `Accepted password for ann from`, `user=ann`, `/home/ann/`. */
const IN_TEXT: readonly (readonly [PrivateKind, RegExp])[] = [
  [
    'user',
    /\b(?:(?:password|publickey|keyboard-interactive\/pam|none) for (?:invalid user |illegal user )?|(?:for|invalid|by|to|of) user "?|user(?:name)?(?:=|: )"?|acct="?|logname=|ruser=|role "|USER=)([A-Za-z][\w.-]{1,63})/g,
  ],
  ['user', /\/(?:home|Users)\/([A-Za-z][\w.-]{1,63})/g],
  [
    'host',
    /\b(?:r?host(?:name)?|server|computer|node|machine)(?:=|: )"?([A-Za-z][\w-]{2,62}(?:\.[\w-]{1,63}){0,5})/g,
  ],
];

const isName = (text: string): boolean =>
  text.length >= 2 && text.length <= 128 && /\p{L}/u.test(text) && !COMMON_NAMES.has(text.toLowerCase());

/** Words of a name that are looked for on their own: `ann.lee` is also `ann.lee@x` and `ANN.LEE`. */
const isWord = (text: string): boolean => text.length >= 3 && /^[\p{L}\d._-]+$/u.test(text);

const partsOf = (kind: PrivateKind, value: string): readonly string[] => {
  if (kind === 'host') {
    const [first = ''] = value.split(/[.:]/);
    return [value.replace(/:\d+$/, ''), first];
  }
  // `ann@corp`, `CORP\ann`, `Ann Lee`.
  return value.split(/[@\\ +]+/);
};

/** The names of people and machines in a log, by lower-case text. Names of fields are none. */
export const namesOf = (cuts: readonly Cut[]): ReadonlyMap<string, PrivateKind> => {
  const found = new Map<string, PrivateKind>();
  const fields = new Set<string>();
  for (const { names, kind } of cuts)
    for (const name of [...names, kind]) for (const word of name.toLowerCase().split(/\W+/)) fields.add(word);
  const add = (kind: PrivateKind, value: string): void => {
    for (const part of partsOf(kind, value)) {
      const text = part.toLowerCase().replace(/[.:-]+$/, '');
      if (
        isName(text) &&
        isWord(text) &&
        !fields.has(text) &&
        !/^[\d.:]+$/.test(text) &&
        found.size < MAX_NAMES
      )
        if (!found.has(text)) found.set(text, kind);
    }
  };
  const kindOf = remembered(kindOfField);
  for (const cut of cuts) {
    for (const [at] of cut.values.entries()) {
      const value = plainValue(cut, at);
      const kind = kindOf(cut.names[at] ?? '');
      if ((kind === 'user' || kind === 'host') && value.length <= 128 && !/\s{2}|[{}"]/.test(value))
        add(kind, value);
      if (value.length < 4) continue;
      for (const [textKind, look] of IN_TEXT)
        for (const match of value.matchAll(look)) if (match[1] !== undefined) add(textKind, match[1]);
    }
  }
  return found;
};

export { isName };
