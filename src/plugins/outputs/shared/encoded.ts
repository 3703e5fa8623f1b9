export interface Encoded {
  readonly bytes: Buffer;
  /** Events in `bytes`, each with its separator. */
  readonly count: number;
  readonly failed: number;
  /** End of each event with its separator; computed only after a partial write. */
  readonly ends: () => readonly number[];
}

interface Cut {
  /** Complete events. */
  readonly whole: number;
  /** End of the torn event, or of the write if none is torn. */
  readonly end: number;
}

export const cutAt = (ends: readonly number[], at: number): Cut => {
  const after = ends.findIndex((end) => end > at);
  const whole = after < 0 ? ends.length : after;
  const isClean = at === 0 || ends[whole - 1] === at;
  return { whole, end: isClean ? at : (ends[whole] ?? at) };
};

/** Ends of events with a separator of `separator_bytes` after each. */
export const endsOf = (
  texts: readonly string[],
  separator_bytes: number,
  lengthOf: (text: string) => number,
): readonly number[] => {
  let end = 0;
  return texts.map((text) => {
    end += lengthOf(text) + separator_bytes;
    return end;
  });
};
