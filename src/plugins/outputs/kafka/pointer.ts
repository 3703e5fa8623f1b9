/** Whether a text is a JSON pointer (RFC 6901) to a part of a document. */
export const isPointer = (text: string): boolean => /^(?:\/(?:[^~/]|~[01])*)+$/u.test(text);

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** Returns a reader of the value at a JSON pointer as text: strings unchanged, others as JSON; `null`: absent or null. */
export const textAt = (pointer: string): ((document: unknown) => string | null) => {
  const parts = pointer.split('/').slice(1).map(unescaped);
  return (document) => {
    let value = document;
    for (const part of parts) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return null;
      if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(part)) return null;
      value = (value as Readonly<Record<string, unknown>>)[part];
    }
    if (value === null || value === undefined) return null;
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
};
