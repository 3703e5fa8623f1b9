/** Largest `render_ms`: half of the time after which a silent thread is taken for one that hangs. */
export const MAX_RENDER_MS = 5_000;

/** What one render of a template may use; each is checked where it grows and ends that render only. */
export type TemplateLimits = {
  /** Loop iterations, calls of macros, and elements that filters look at, over one render. */
  readonly loop_steps: number;
  /** Bytes of the rendered text in UTF-8. */
  readonly output_bytes: number;
  /** UTF-16 units of any text on the way. */
  readonly string_length: number;
  /** Decimal digits of any integer on the way. */
  readonly integer_digits: number;
  /** Elements of any list, tuple, set, dict or range. */
  readonly collection_items: number;
  /** Milliseconds of one render, looked at now and then; below the time after which a thread is taken for hanging. */
  readonly render_ms: number;
  /** Macros, includes, imports, blocks, recursive loops and nested values inside each other. */
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
