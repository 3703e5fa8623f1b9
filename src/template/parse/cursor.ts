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
/** A syntax error and its offset in the normalized source. Thrown inside the parser only. */
export class SyntaxFault extends Error {
  constructor(
    message: string,
    readonly at: number,
    /** Jinja's name of the error. */
    readonly kind: 'TemplateSyntaxError' | 'TemplateAssertionError' = 'TemplateSyntaxError',
  ) {
    super(message);
  }
}

export const fail = (message: string, at: number): never => {
  throw new SyntaxFault(message, at);
};

export interface Cursor {
  readonly current: () => Token;
  readonly next: () => Token;
  readonly look: () => Token;
  readonly is: (type: string) => boolean;
  readonly isName: (...names: readonly string[]) => boolean;
  readonly skip: (type: string) => boolean;
  readonly skipName: (name: string) => boolean;
  readonly expect: (type: string) => Token;
  readonly expectName: (name: string) => Token;
  /** Runs a rule one level deeper; throws before the stack overflows. */
  readonly deeper: <T>(rule: () => T) => T;
}

const MAX_DEPTH = 200;

export const cursorOf = (tokens: readonly Token[]): Cursor => {
  const end: Token = { type: 'eof', value: null, at: 0 };
  const last = tokens.at(-1) ?? end;
  let index = 0;
  let depth = 0;
  const current = (): Token => tokens[index] ?? last;
  const next = (): Token => {
    const token = current();
    index++;
    return token;
  };
  const look = (): Token => tokens[index + 1] ?? last;
  const is = (type: string): boolean => current().type === type;
  const isName = (...names: readonly string[]): boolean =>
    is('name') && names.includes(String(current().value));
  const skip = (type: string): boolean => {
    const isThere = is(type);
    if (isThere) index++;
    return isThere;
  };
  const skipName = (name: string): boolean => {
    const isThere = isName(name);
    if (isThere) index++;
    return isThere;
  };
  const refuse = (wanted: string): never => {
    if (is('eof')) return fail(`unexpected end of template, expected '${wanted}'.`, current().at);
    return fail(`expected token '${wanted}', got '${described(current())}'`, current().at);
  };
  const wanted: Readonly<Record<string, string>> = {
    block_end: 'end of statement block',
    variable_end: 'end of print statement',
  };
  return {
    current,
    next,
    look,
    is,
    isName,
    skip,
    skipName,
    expect: (type) => (is(type) ? next() : refuse(wanted[type] ?? type)),
    expectName: (name) => (isName(name) ? next() : refuse(name)),
    deeper: (rule) => {
      if (++depth > MAX_DEPTH) return fail(`nested deeper than ${MAX_DEPTH} levels`, current().at);
      try {
        return rule();
      } finally {
        depth--;
      }
    },
  };
};
