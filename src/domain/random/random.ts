/** Random numbers; every draw of a generator comes from one seed tree. */
export interface Random {
  /** Uniform in [0, 1), 53 bits. */
  readonly next: () => number;
  readonly uint32: () => number;
  /** Uniform integer, both ends included; `min <= max`, both safe integers. */
  readonly integer: (min: number, max: number) => number;
  /** An independent stream, determined by the parent's seed and the label. */
  readonly fork: (label: string) => Random;
  readonly snapshot: () => readonly number[];
  readonly restore: (state: readonly number[]) => void;
}
