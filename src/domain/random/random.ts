/** Random numbers as a port: every draw of a generator comes from one seed tree. */
export interface Random {
  /** Uniform in [0, 1), 53 bits. */
  readonly next: () => number;
  /** Uniform unsigned 32-bit integer. */
  readonly uint32: () => number;
  /** Uniform whole number between both ends, inclusive; `min <= max`, both safe integers. */
  readonly integer: (min: number, max: number) => number;
  /** An independent stream for a part; same parent seed and same label give the same stream. */
  readonly fork: (label: string) => Random;
  readonly snapshot: () => readonly number[];
  readonly restore: (state: readonly number[]) => void;
}
