import {
  defaulted,
  integer,
  listOf,
  number,
  oneOf,
  record,
  required,
  taggedBy,
  text,
} from '../../../schema/index.js';
import type { DecodedOf } from '../../../schema/shape.js';
import { checkStartBeforeEnd, dateTimeShape } from '../shared/dateTimeField.js';

const UNITS = ['weeks', 'days', 'hours', 'minutes', 'seconds', 'milliseconds', 'microseconds'] as const;

const share = () => number({ min: 0, max: 1 });
/** The quantile of greater ones takes too long. */
const betaParameter = () => number({ exclusiveMin: 0, max: 10_000 });

const uniform = record(
  {
    low: required(share(), { help: 'First position.' }),
    high: required(share(), { help: 'Last position.' }),
  },
  {
    rules: [
      {
        fields: ['low', 'high'],
        check: ({ low, high }) =>
          low < high ? null : { at: 'high', type: 'out_of_range', message: 'must be greater than low' },
      },
    ],
  },
);

const triangular = record(
  {
    left: required(share(), { help: 'First position.' }),
    mode: required(share(), { help: 'The most frequent position.' }),
    right: required(share(), { help: 'Last position.' }),
  },
  {
    rules: [
      {
        fields: ['left', 'mode', 'right'],
        check: ({ left, mode, right }) =>
          left <= mode && mode <= right && left < right
            ? null
            : {
                at: 'mode',
                type: 'out_of_range',
                message: 'must lie between left and right, which must differ',
              },
      },
    ],
  },
);

const beta = record({
  a: required(betaParameter(), { help: 'First parameter.' }),
  b: required(betaParameter(), { help: 'Second parameter.' }),
});

const parameters = { help: 'Parameters of the distribution.' };

/** A pattern file. */
export const patternShape = record({
  label: required(text({ minLength: 1 }), { help: 'Name of the pattern.' }),
  tags: defaulted(listOf(text()), [], { help: 'A warning if there are any: tags belong to the input.' }),
  oscillator: required(
    record(
      {
        period: required(number({ exclusiveMin: 0 }), { help: 'Length of a period.' }),
        unit: required(oneOf(UNITS), { help: 'Unit of the period.' }),
        start: required(dateTimeShape(), { help: 'Start of the first period.' }),
        end: required(dateTimeShape(), { help: 'End, inclusive.' }),
      },
      { rules: [{ fields: ['start', 'end'], check: checkStartBeforeEnd }] },
    ),
    { help: 'Periods.' },
  ),
  multiplier: required(record({ ratio: required(integer({ min: 1 }), { help: 'Timestamps per period.' }) }), {
    help: 'Size of a period.',
  }),
  randomizer: required(
    record({
      deviation: required(share(), { help: 'Largest deviation from the ratio.' }),
      direction: required(oneOf(['decrease', 'increase', 'mixed']), { help: 'Direction of the deviation.' }),
      sampling: defaulted(integer({ min: 16, max: 65_536 }), 1024, { help: 'Number of factors.' }),
    }),
    { help: 'Deviation of periods.' },
  ),
  spreader: required(
    taggedBy('distribution', {
      uniform: record({ parameters: required(uniform, parameters) }),
      triangular: record({ parameters: required(triangular, parameters) }),
      beta: record({ parameters: required(beta, parameters) }),
    }),
    { help: 'Positions within a period.' },
  ),
});

export type Pattern = DecodedOf<typeof patternShape>;
