import type { Value } from '../values/value.js';

/**
 * A token: `type` is `data`, `variable_begin`, `variable_end`, `block_begin`, `block_end`, `name`,
 * `string`, `number`, `eof`, or the operator itself.
 */
export interface Token {
  readonly type: string;
  /** Text of data, names and strings; value of numbers. */
  readonly value: Value;
  /** Offset in the normalised source. */
  readonly at: number;
}

/** How white space around tags is treated. */
export interface Whitespace {
  /** The first newline after a block or comment is removed. */
  readonly trim_blocks: boolean;
  /** Blanks from the start of a line to a block or comment are removed. */
  readonly lstrip_blocks: boolean;
  /** A newline at the very end of the source stays. */
  readonly keep_trailing_newline: boolean;
}

/** How white space is treated unless it is said otherwise, as in Jinja. */
export const PLAIN_WHITESPACE: Whitespace = {
  trim_blocks: false,
  lstrip_blocks: false,
  keep_trailing_newline: false,
};

/** A token as an error message shows it. */
export const described = ({ type, value }: Token): string => {
  if (type === 'name') return String(value);
  const names: Readonly<Record<string, string>> = {
    eof: 'end of template',
    block_begin: 'begin of statement block',
    block_end: 'end of statement block',
    variable_begin: 'begin of print statement',
    variable_end: 'end of print statement',
    data: 'template data / text',
  };
  return names[type] ?? type;
};
