import type { Io, TextStream } from './io.js';

const STYLES = { none: '', bold: '1', green: '32', red: '31' } as const;

/** A line in parts, each with its style. */
export type StyledText = readonly (readonly [text: string, style: keyof typeof STYLES])[];

/** Whether a stream takes colors: it is a terminal, and NO_COLOR is not set. */
export const hasColors = (stream: TextStream, env: Io['env']): boolean =>
  stream.isTerminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';

/** The first `max` characters, in color or not. */
const styled = (parts: StyledText, max: number, isColored: boolean): string => {
  let left = max;
  return parts
    .map(([text, style]) => {
      const shown = text.slice(0, left);
      left -= shown.length;
      return !isColored || style === 'none' || shown === ''
        ? shown
        : `\u001b[${STYLES[style]}m${shown}\u001b[0m`;
    })
    .join('');
};

/** A line at the bottom of the terminal, rewritten in place below other output. */
export interface StatusLine {
  readonly show: (text: string | StyledText) => void;
  readonly clear: () => void;
  /** Prints whole lines; the next `show` restores the status line. */
  readonly print: (lines: string) => void;
}

const ERASE = '\r\u001b[K';

export const statusLine = (stream: TextStream, isColored = false): StatusLine => {
  let isShown = false;
  const clear = (): void => {
    if (isShown) stream.write(ERASE);
    isShown = false;
  };
  return {
    clear,
    show: (text) => {
      const parts: StyledText = typeof text === 'string' ? [[text, 'none']] : text;
      stream.write(`${ERASE}${styled(parts, Math.max(1, stream.columns - 1), isColored)}`);
      isShown = true;
    },
    print: (lines) => {
      clear();
      stream.write(lines);
    },
  };
};
