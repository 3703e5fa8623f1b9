import { boolean, defaulted, integer, lazily, required } from '../../../schema/index.js';
import { inputPlugin } from '../../declare.js';
import { checkStartBeforeEnd, dateTimeShape } from '../shared/dateTimeField.js';
import { resolutionField } from '../shared/resolution.js';

const fields = lazily(() => ({
  start: required(dateTimeShape(), { help: 'First timestamp.', example: '2026-01-01T00:00:00Z' }),
  end: required(dateTimeShape(), {
    help: 'Last timestamp; without endpoint, the end after it. Relative values count from start.',
    example: '+1h',
  }),
  count: required(integer({ min: 1 }), { help: 'Number of timestamps, evenly spaced.', example: 3600 }),
  endpoint: defaulted(boolean(), true, { help: 'Whether the last timestamp is exactly end.' }),
  resolution: resolutionField(),
}));

export const linspaceSpec = inputPlugin({
  name: 'linspace',
  summary: 'A number of timestamps, evenly spaced over a range.',
  fields,
  rules: [
    { fields: ['start', 'end'], check: checkStartBeforeEnd },
    {
      fields: ['end'],
      check: ({ end }) =>
        end.kind === 'never'
          ? {
              at: 'end',
              type: 'not_allowed',
              message: 'must not be never: the range needs an end',
            }
          : null,
    },
  ],
  notes: [
    'With `endpoint` the step is (end - start) / (count - 1), without it (end - start) / count; `count: 1` gives the start.',
    '`skip_past` skips timestamps at or before the start of generation.',
  ],
  examples: [
    {
      title: 'A million events over one minute from now',
      params: { start: 'now', end: '+60s', count: 1000000 },
    },
    {
      title: 'One event an hour on New Year’s Day',
      params: { start: '2026-01-01', end: '+1d', count: 24, endpoint: false },
    },
  ],
});
