/** Operations that can fail take `P=<offset>` last: `P` is the current position of the render. */
export const place = (at: number): string => `P=${at}`;

export const BINARY: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '//': 'floorDivide',
  '%': 'modulo',
  '**': 'power',
};

/** `!`: negated. */
export const COMPARE: Readonly<Record<string, string>> = {
  '==': 'equals',
  '!=': '!equals',
  '<': 'less',
  '<=': 'lessOrEqual',
  '>': 'greater',
  '>=': 'greaterOrEqual',
};

/** Filters that do not keep, change or return their operand: it may be a constant. */
export const READS_ONLY = new Set([
  'random',
  'length',
  'count',
  'join',
  'first',
  'last',
  'min',
  'max',
  'sum',
  'tojson',
  'json',
  'string',
  'upper',
  'lower',
  'list',
  'sort',
  'unique',
  'map',
  'select',
  'reject',
]);

/** Filters whose result without arguments is text: the function that writes it. */
export const TEXT_WRITERS: ReadonlyMap<string, string> = new Map([
  ['tojson', 'jsonText'],
  ['json', 'orderedJson'],
]);

export const INLINE_TESTS: Readonly<Record<string, string>> = {
  defined: '!isUndefined',
  undefined: 'isUndefined',
};

/** Constants: their length is bounded by the template. */
const MADE_ONCE = /^(?:K\d+$|literalRange\()/;

export const chargedSource = (source: string, at: number): string =>
  MADE_ONCE.test(source) ? source : `charged(${source},${place(at)})`;
