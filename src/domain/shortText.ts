/** Longest text of an error, a log line or a value in its context. */
export const MAX_MESSAGE_CHARS = 8_192;
/** Longest reason inside such a text. */
export const MAX_REASON_CHARS = 4_096;

/** The text, cut to `max` characters with a note of its full length. */
export const shortened = (text: string, max = MAX_MESSAGE_CHARS): string =>
  text.length <= max ? text : `${text.slice(0, max)}... (cut: ${text.length} characters)`;
