import {
  freeObject,
  integer,
  lazily,
  mapOf,
  number,
  oneOf,
  optional,
  record,
} from '../../../schema/index.js';
import type { ValueOf } from '../../../schema/shape.js';
import { imperfectionsShape } from './imperfections/shape.js';
import { whenShape } from './whenShape.js';

const MAX_ATTEMPTS = 1_000;
const MAX_PAUSE = 3_600;

const pause = number({ min: 0.001, max: MAX_PAUSE });

const retry = record(
  {
    attempts: optional(integer({ min: 1, max: MAX_ATTEMPTS }), {
      help: 'Maximum number of attempts, including the first.',
    }),
    base_delay: optional(pause, { help: 'Delay before the second attempt.', unit: 'seconds' }),
    max_delay: optional(pause, { help: 'Maximum delay between two attempts.', unit: 'seconds' }),
  },
  {
    rules: [
      {
        fields: ['base_delay', 'max_delay'],
        check: ({ base_delay, max_delay }) =>
          base_delay !== null && max_delay !== null && base_delay > max_delay
            ? { at: 'max_delay', type: 'out_of_range', message: 'must not be less than base_delay' }
            : null,
      },
    ],
  },
);

/** Fields of every output that the pipeline applies. */
export const DELIVERY_FIELDS = lazily(() => ({
  delivery: optional(oneOf(['at_least_once', 'best_effort']), {
    help: 'Guarantee; `best_effort`: one attempt, no dead letters. Default: `at_least_once`.',
    extension: true,
  }),
  retry: optional(retry, {
    help: 'Retries; absent parts are those of the generator.',
    extension: true,
    example: { attempts: 10 },
  }),
  write_timeout: optional(integer({ min: 1 }), {
    help: 'Maximum time of one attempt to write. Default: that of the generator.',
    unit: 'seconds',
    extension: true,
  }),
  when: optional(whenShape, {
    help: 'Condition on the events of this output. Default: all events.',
    extension: true,
    example: { pointer: '/event/action', equals: 'login' },
  }),
  sample: optional(number({ min: 0, max: 1 }), {
    help: 'Share of the events, chosen by the seed, after `when`. Default: 1.',
    extension: true,
    example: 0.01,
  }),
  ground_truth_of: optional(mapOf(freeObject()), {
    help: 'Writes ground truth in place of events: a JSON line for each event of a timestamp with one of these tags, with the members given here.',
    extension: true,
    example: { attack: { incident: 'theft' } },
  }),
  imperfections: optional(imperfectionsShape, {
    help: 'Errors made on purpose: shares of the events of this output that are dropped, doubled, truncated, malformed, late or out of order, a wrong clock, silences.',
    extension: true,
    example: { dropped: { share: 0.01 }, ground_truth: 'out/truth.jsonl' },
  }),
}));

export type DeliveryParams = ValueOf<typeof DELIVERY_FIELDS>;
