import { text } from '../../../../schema/index.js';

/** A JSON pointer (RFC 6901) into an event, such as `/log/level`. */
export const pointerText = text({ label: 'JSON pointer', pattern: /^(?:\/(?:[^~/]|~[01])*)+$/u });

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** Returns a reader of the value at a pointer; `undefined`: the document has none. */
export const pointerReader = (pointer: string): ((document: unknown) => unknown) => {
  const parts = pointer.split('/').slice(1).map(unescaped);
  return (document) => {
    let value = document;
    for (const part of parts) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
      if (Array.isArray(value) && part === 'length') return undefined;
      value = (value as Readonly<Record<string, unknown>>)[part];
    }
    return value;
  };
};

/** The JSON value of an event; `undefined`: it is not JSON. */
export const parsedEvent = (event: string): unknown => {
  try {
    return JSON.parse(event) as unknown;
  } catch {
    return undefined;
  }
};
