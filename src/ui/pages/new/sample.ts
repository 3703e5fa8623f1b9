/** Characters of a log that are sent to find its timestamps. */
export const SAMPLE_LENGTH = 262_144;
/** Largest file that the service takes. */
export const MAX_SAMPLE_BYTES = 67_108_864;

/** The whole lines of the beginning of a log; `isAll`: the text is not cut. */
export const wholeLines = (text: string, isAll: boolean): string => {
  // The service counts code points: never more than UTF-16 units.
  const start = text.slice(0, SAMPLE_LENGTH);
  if (isAll && start.length === text.length) return start;
  const end = start.lastIndexOf('\n');
  return end === -1 ? start : start.slice(0, end + 1);
};

/** Returns why a file cannot be replayed, from its size and its first characters. Null when it can. */
export const fileFlaw = (size_bytes: number, start: string): string | null => {
  if (size_bytes === 0) return 'The file is empty. Choose a log with at least one line.';
  if (size_bytes > MAX_SAMPLE_BYTES)
    return 'The file is larger than 64 MiB. Choose a part of it, or copy it into the generator directory on the server.';
  if (start.includes('\u0000'))
    return 'The file is not text in UTF-8. Unpack it if it is compressed, then choose it again.';
  return null;
};

/** A part of a line; `isMatch`: its timestamp. */
export interface LinePart {
  readonly text: string;
  readonly isMatch: boolean;
}

export const samplePartsOf = (text: string, start: number | null, end: number | null): readonly LinePart[] =>
  start === null || end === null
    ? [{ text, isMatch: false }]
    : [
        { text: text.slice(0, start), isMatch: false },
        { text: text.slice(start, end), isMatch: true },
        { text: text.slice(end), isMatch: false },
      ].filter((part) => part.text !== '');

/** `12 of 40 lines (30%)`; `isCut`: the lines are the beginning of a longer log. */
export const shareText = (matched: number, lines: number, isCut = false): string => {
  const percent = lines === 0 ? 0 : (100 * matched) / lines;
  const shown = percent > 0 && percent < 1 ? '<1' : matched < lines ? Math.min(99, Math.round(percent)) : 100;
  return `${matched.toLocaleString('en-US')} of ${lines.toLocaleString('en-US')} ${lines === 1 ? 'line' : 'lines'}${isCut ? ` of the first ${SAMPLE_LENGTH / 1_024} KiB` : ''} (${lines === 0 ? 0 : shown}%)`;
};

/** A flaw of a pattern or format as a sentence. */
export const flawText = (message: string): string =>
  `${/^(?:has|is|refers)\b/.test(message) ? 'It ' : ''}${message}${message.endsWith('.') ? '' : '.'}`;
