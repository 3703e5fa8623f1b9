/** Whether a text is a JSON pointer (RFC 6901). */
export const isJsonPointer = (text: string): boolean =>
  text === '' || /^(?:\/(?:[^~/]|~[01])*)+$/u.test(text);

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** Returns a reader of the value at a JSON pointer; `undefined`: the document has none. */
export const jsonPointerReader = (pointer: string): ((document: unknown) => unknown) => {
  const parts = pointer.split('/').slice(1).map(unescaped);
  return (document) => {
    let value = document;
    for (const part of parts) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
      if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(part)) return undefined;
      value = (value as Readonly<Record<string, unknown>>)[part];
    }
    return value;
  };
};
