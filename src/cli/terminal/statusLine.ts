import type { TextStream } from './io.js';

/** A line at the bottom of the terminal, rewritten in place below other output. */
export interface StatusLine {
  readonly show: (text: string) => void;
  readonly clear: () => void;
  /** Prints whole lines; the next `show` restores the status line. */
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
