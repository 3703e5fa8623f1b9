import { basename } from 'node:path';
import { compileText, type EventText } from './compile.js';
import { limitBreach, type TextLimit } from './limits.js';

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

/** Why a text of an event cannot be used; null when it can. A text that all events share is checked once. */
export const limitOf = ({ constant }: EventText, limit: TextLimit): ((made: string) => string | null) => {
  if (constant === null) return (made) => limitBreach(limit, made);
  const problem = limitBreach(limit, constant);
  return () => problem;
};

/** What replaces `{generator}`: the name of its folder. */
export const generatorName = ({ directory }: { readonly directory: string }): string => basename(directory);
