/** Functions of the runtime by operator. */
export const BINARY: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '//': 'floorDivide',
  '%': 'modulo',
  '**': 'power',
};

/** The same of comparisons; what begins with `!` is negated. */
export const COMPARE: Readonly<Record<string, string>> = {
  '==': 'equals',
  '!=': '!equals',
  '<': 'less',
  '<=': 'lessOrEqual',
  '>': 'greater',
  '>=': 'greaterOrEqual',
};

/** Filters that neither keep nor change their operand nor give it back: a literal may be made once for them. */
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

/** Tests that are plain checks of the value. */
export const INLINE_TESTS: Readonly<Record<string, string>> = {
  defined: '!isUndefined',
  undefined: 'isUndefined',
};
