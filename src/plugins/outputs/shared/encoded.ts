/** Events of one batch as the bytes that an output writes. */
export interface Encoded {
  readonly bytes: Buffer;
  /** Events in `bytes`, each followed by the separator. */
  readonly count: number;
  /** Events left out because the encoding has no spelling for them. */
  readonly failed: number;
  /** Where each event ends, its separator included; worked out only when a write stopped on the way. */
  readonly ends: () => readonly number[];
}

/** What a write that stopped after some bytes left behind. */
export interface Cut {
  /** Events that are out whole. */
  readonly whole: number;
  /** Where the event ends that is out in part; the place of the cut itself when none is. */
  readonly end: number;
}

/** Looks at a write that stopped after `at` bytes. */
export const cutAt = (ends: readonly number[], at: number): Cut => {
  const after = ends.findIndex((end) => end > at);
  const whole = after < 0 ? ends.length : after;
  const isClean = at === 0 || ends[whole - 1] === at;
  return { whole, end: isClean ? at : (ends[whole] ?? at) };
};

/** Ends of events that were joined with a separator of so many bytes behind each. */
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
