import type { JsonObject } from '../../../domain/json.js';
import { structuredElement } from '../../shared/syslog/header.js';
import { eventValue } from '../../shared/text/compile.js';
import { namedValues, plainText } from '../shared/namedValues.js';

/** Reads a word of the header. Returns null when it is empty. */
export type ReadWord = (event: JsonObject) => string | null;

/** Characters that a word may not have become `_`. */
export const wordReader = (written: string | null, maxLength: number, forbidden: RegExp): ReadWord => {
  if (written === null) return () => null;
  const read = eventValue(written);
  return (event) => plainText(read(event)).replace(forbidden, '_').slice(0, maxLength) || null;
};

type ControlCharacters = 'escape' | 'space' | 'keep';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/g;

/** `#` and three octal digits. */
const escapedControl = (character: string): string =>
  `#${character.charCodeAt(0).toString(8).padStart(3, '0')}`;

/** What messages and parameters do with control characters. */
export const controlCharacters = (mode: ControlCharacters): ((text: string) => string) => {
  if (mode === 'keep') return (text) => text;
  return mode === 'space'
    ? (text) => text.replace(CONTROL, ' ')
    : (text) => text.replace(CONTROL, escapedControl);
};

/** Elements of structured data in an event, joined; empty: none. */
export const structuredReader = (
  data: Readonly<Record<string, Readonly<Record<string, string>>>> | null,
  clean: (text: string) => string,
): ((event: JsonObject) => string) => {
  const elements = Object.entries(data ?? {}).map(([id, params]) => ({
    id,
    read: namedValues(params),
    isBare: Object.keys(params).length === 0,
  }));
  return (event) => {
    let text = '';
    for (const { id, read, isBare } of elements) {
      const found = read(event);
      if (found.length === 0 && !isBare) continue;
      text += structuredElement(
        id,
        found.map(([name, value]) => [name, clean(plainText(value))]),
      );
    }
    return text;
  };
};
