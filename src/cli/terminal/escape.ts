/** Escapes control characters, which would drive the terminal. Keeps tabs. */
export const escapeControls = (text: string): string =>
  text.replace(/\p{Cc}/gu, (character) =>
    character === '\t' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
