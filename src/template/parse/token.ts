import type { Value } from '../values/value.js';

/** `type`: `data`, `name`, `string`, `number`, `eof`, `variable_begin`, `block_end` ..., or an operator. */
export interface Token {
  readonly type: string;
  /** Text of data, names and strings; value of numbers. */
  readonly value: Value;
  /** Offset in the normalized source. */
  readonly at: number;
}

export interface Whitespace {
  /** Strip the newline after a block or comment. */
  readonly trim_blocks: boolean;
  /** Strip blanks between line start and a block or comment. */
  readonly lstrip_blocks: boolean;
  /** Keep the newline at the end of the source. */
  readonly keep_trailing_newline: boolean;
}

/** Jinja's defaults. */
export const PLAIN_WHITESPACE: Whitespace = {
  trim_blocks: false,
  lstrip_blocks: false,
  keep_trailing_newline: false,
};

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
