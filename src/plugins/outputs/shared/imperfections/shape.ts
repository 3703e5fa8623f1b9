import { MALFORMED_KINDS } from '../../../../domain/imperfections/imperfections.js';
import {
  defaulted,
  listOf,
  number,
  oneOf,
  optional,
  path,
  record,
  refined,
  required,
} from '../../../../schema/index.js';
import type { ValueOf } from '../../../../schema/shape.js';
import { placeholderDefect } from '../../../shared/text/field.js';

const share = required(number({ min: 0, max: 1 }), { help: 'Share of the events.', example: 0.01 });

const shareOnly = record({ share });

const malformed = record({
  share,
  kinds: defaulted(listOf(oneOf(MALFORMED_KINDS), { min: 1 }), [...MALFORMED_KINDS], {
    help: 'Kinds of damage, drawn evenly. `broken_json` gives events that are not JSON control bytes.',
  }),
});

const fields = {
  dropped: optional(shareOnly, { help: 'Events that are not written.', example: { share: 0.01 } }),
  doubled: optional(shareOnly, {
    help: 'Events that are written twice, one behind the other.',
    example: { share: 0.01 },
  }),
  truncated: optional(shareOnly, { help: 'Events that lose their end.', example: { share: 0.01 } }),
  malformed: optional(malformed, { help: 'Events with damage inside.', example: { share: 0.01 } }),
  ground_truth: optional(
    refined(path(), (written) => placeholderDefect(written, ['generator', 'partition', 'date'])),
    {
      help: 'File for a JSON line about each imperfection; `spate verify --ground-truth` reads it. Relative to the folder of the generator.',
      example: 'out/truth.jsonl',
    },
  ),
};

const SHARED = ['dropped', 'doubled', 'truncated', 'malformed'] as const;

/** Errors that an output makes on purpose. */
export const imperfectionsShape = record(fields, {
  rules: [
    {
      fields: SHARED,
      check: (value) => {
        const sum = SHARED.reduce((total, name) => total + (value[name]?.share ?? 0), 0);
        const last = SHARED.findLast((name) => value[name] !== null) ?? 'dropped';
        return sum > 1 + Number.EPSILON
          ? {
              at: last,
              type: 'out_of_range',
              message: `the shares add up to ${Number(sum.toFixed(6))}, and an event gets one imperfection at most: they must not exceed 1`,
            }
          : null;
      },
    },
  ],
});

export type ImperfectionsParams = ValueOf<typeof fields>;
