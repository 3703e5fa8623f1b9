import type { TextStream } from './io.js';

/** A line at the bottom of a terminal that is rewritten in place; other lines go above it. */
export interface StatusLine {
  /** Shows a text, cut to the width of the terminal. */
  readonly show: (text: string) => void;
  readonly clear: () => void;
  /** Writes whole lines; the status line comes back with the next `show`. */
  readonly print: (lines: string) => void;
}

const ERASE = '\r\u001b[K';

export const statusLine = (stream: TextStream): StatusLine => {
  let isShown = false;
  const clear = (): void => {
    if (isShown) stream.write(ERASE);
    isShown = false;
  };
  return {
    clear,
    show: (text) => {
      stream.write(`${ERASE}${text.slice(0, Math.max(1, stream.columns - 1))}`);
      isShown = true;
    },
    print: (lines) => {
      clear();
      stream.write(lines);
    },
  };
};
