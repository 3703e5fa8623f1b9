import { isJsonPointer, jsonPointerReader } from '../shared/jsonPointer.js';

/** Texts and pointers in turn. Other braces, such as hash tags of Redis, are text. */
const PLACEHOLDER = /\{(\/[^{}]*)\}/;

/** What is wrong with a key template; `null`: nothing. */
export const keyProblem = (template: string): string | null => {
  const bad = template.split(PLACEHOLDER).find((part, i) => i % 2 === 1 && !isJsonPointer(part));
  return bad === undefined ? null : `has a bad JSON pointer: ${bad}`;
};

/** Key of an event; `null`: the event lacks a value. */
export type KeyOf = (event: string) => string | null;

const textOf = (value: unknown): string | null => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
};

/** `fixed`: the same key for all events; else `null`. */
export const keyMaker = (template: string): { readonly fixed: string | null; readonly keyOf: KeyOf } => {
  const parts = template.split(PLACEHOLDER);
  if (parts.length === 1) return { fixed: template, keyOf: () => template };
  const readers = parts.map((part, i) => (i % 2 === 1 ? jsonPointerReader(part) : null));
  return {
    fixed: null,
    keyOf: (event) => {
      let document: unknown;
      try {
        document = JSON.parse(event);
      } catch {
        return null;
      }
      let key = '';
      for (const [i, read] of readers.entries()) {
        const text = read === null ? parts[i] : textOf(read(document));
        if (text === null || text === undefined) return null;
        key += text;
      }
      return key;
    },
  };
};
