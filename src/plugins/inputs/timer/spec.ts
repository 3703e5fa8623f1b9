import { integer, lazily, number, optional, required } from '../../../schema/index.js';
import { inputPlugin } from '../../declare.js';
import { dateTimeShape } from '../shared/dateTimeField.js';

const fields = lazily(() => ({
  seconds: required(number({ min: 0.1 }), { help: 'Interval between ticks.', unit: 'seconds', example: 5 }),
  count: required(integer({ min: 1 }), {
    help: 'Timestamps per tick; all have the time of the tick.',
    example: 1,
  }),
  start: optional(dateTimeShape(), {
    help: 'Start of the timer; default now. The first tick comes one interval later.',
    example: '+10s',
  }),
  repeat: optional(integer({ min: 1 }), { help: 'Number of ticks; default unlimited.', example: 100 }),
}));

export const timerSpec = inputPlugin({
  name: 'timer',
  summary: 'Timestamps at a fixed interval.',
  fields,
  rules: [
    {
      fields: ['start'],
      check: ({ start }) =>
        start?.kind === 'never'
          ? { at: 'start', type: 'not_allowed', message: 'must not be never: the timer would not start' }
          : null,
    },
  ],
  notes: [
    'Tick n (from 1) is at start + n * seconds; the start itself is not a tick.',
    'A live patch that exchanges a timer keeps its phase: the next tick comes one interval after the last one, or at once when that time has passed. With `start`, it begins there.',
    '`skip_past` skips ticks before the start of generation; they count against `repeat`.',
  ],
  examples: [
    { title: 'Three events every half second', params: { seconds: 0.5, count: 3 } },
    {
      title: 'Ten ticks, a minute apart, from nine o’clock',
      params: { seconds: 60, count: 1, start: '09:00', repeat: 10 },
    },
  ],
});
