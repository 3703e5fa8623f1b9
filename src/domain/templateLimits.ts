/** Largest `render_ms`: half of the deadline for silent threads. */
export const MAX_RENDER_MS = 5_000;

/** Limits of one render; exceeding one ends that render only. */
export type TemplateLimits = {
  /** Loop iterations, macro calls, and elements read by filters. */
  readonly loop_steps: number;
  /** Bytes of the rendered text in UTF-8. */
  readonly output_bytes: number;
  /** UTF-16 units of any intermediate text. */
  readonly string_length: number;
  /** Decimal digits of any intermediate integer. */
  readonly integer_digits: number;
  /** Elements of any list, tuple, set, dict or range. */
  readonly collection_items: number;
  /** Checked at intervals. */
  readonly render_ms: number;
  /** Nesting of macros, includes, imports, blocks, recursive loops and values. */
  readonly recursion_depth: number;
};

export const DEFAULT_TEMPLATE_LIMITS: TemplateLimits = {
  loop_steps: 10_000_000,
  output_bytes: 16 * 1024 * 1024,
  string_length: 16 * 1024 * 1024,
  integer_digits: 10_000,
  collection_items: 1_000_000,
  render_ms: 1_000,
  recursion_depth: 100,
};
