import type { RowReader } from './arrival.js';
import { makeLineCutter } from './lines.js';
import type { Verifier } from './verifier.js';

interface ByteSink {
  /** Takes a chunk, which may be reused. `arrived` is in epoch microseconds, or null when unknown. */
  readonly push: (chunk: Buffer, arrived: number | null) => void;
  readonly end: () => void;
}

/** Feeds the lines of an input to a verifier; `rows` parses table rows. */
export const verifyLines = (verifier: Verifier, name: string, rows: RowReader | null = null): ByteSink => {
  const input = verifier.input(name);
  let arrivedNow: number | null = null;
  const cutter = makeLineCutter({
    onLine: (bytes, from, to, isEnded) => {
      if (rows === null) return input.line(bytes, from, to, isEnded, arrivedNow);
      const row = rows.row(bytes, from, to);
      if (row === null) input.skip();
      else input.line(row.bytes, row.from, row.to, isEnded, row.arrived);
    },
    onTooLong: input.tooLong,
  });
  return {
    push: (chunk, arrived) => {
      arrivedNow = arrived;
      cutter.push(chunk);
    },
    end: () => {
      cutter.end();
      input.end();
    },
  };
};
