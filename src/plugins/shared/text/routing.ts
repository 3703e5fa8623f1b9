import { compileText, type EventText } from './compile.js';

/** Text of a text, number or boolean; `null` for everything else and for an empty text. */
export const routeName = (value: unknown): string | null =>
  (typeof value === 'object' && value !== null) || value === undefined || value === null || value === ''
    ? null
    : String(value);

/** A text that says where an event goes: missing, empty and nested values have no place in it. */
export const routingText = (
  written: string,
  {
    generator,
    clean = (value) => value,
  }: {
    readonly generator: string;
    /** Makes a value safe where it stands. */
    readonly clean?: (value: string) => string;
  },
): EventText =>
  compileText(written, {
    generator,
    spell: (value) => {
      const name = routeName(value);
      return name === null ? null : clean(name);
    },
  });

/** Why an event has no such text. */
export const unroutable = (text: EventText, document: unknown): string =>
  `the event has no text, number or boolean at ${text.missing(document)}`;
