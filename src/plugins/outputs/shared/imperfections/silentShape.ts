import { SILENT_EVENTS } from '../../../../domain/imperfections/imperfections.js';
import { defaulted, number, oneOf, record, required } from '../../../../schema/index.js';

/** A year. */
const MAX_EVERY = 31_536_000;
/** A day. */
const MAX_LENGTH = 86_400;

/** Silences of the source. */
export const silentShape = record(
  {
    every: required(number({ min: 1, max: MAX_EVERY }), {
      help: 'One silence in each period of this length, at a random moment.',
      unit: 'seconds',
      example: 3_600,
    }),
    for: required(number({ min: 0.001, max: MAX_LENGTH }), {
      help: 'Length of a silence; less than `every`.',
      unit: 'seconds',
      example: 120,
    }),
    events: defaulted(oneOf(SILENT_EVENTS), 'lost', {
      help: 'What becomes of the events of a silence: `lost`, as of a host that is down, or `delivered` after it, as from the buffer of an agent.',
    }),
  },
  {
    rules: [
      {
        fields: ['every', 'for'],
        check: ({ every, for: length }) =>
          length >= every ? { at: 'for', type: 'out_of_range', message: 'must be less than `every`' } : null,
      },
    ],
  },
);
