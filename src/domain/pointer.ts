/** Whether a text is a JSON pointer (RFC 6901). */
export const isPointer = (text: string): boolean => text === '' || /^(?:\/(?:[^~/]|~[01])*)+$/u.test(text);

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** Returns a reader of the value at a JSON pointer. It returns undefined when the document has none. */
export const pointerReader = (pointer: string): ((document: unknown) => unknown) => {
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

/** A value as text, to compare and to show: strings as they are, everything else as JSON. */
export const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** A value in a text: `valueText`, `null` for absent values and `null`. */
export const givenText = (value: unknown): string | null =>
  value === undefined || value === null ? null : valueText(value);
