import * as E from 'fp-ts/lib/Either.js';
import { emptyBatch, textBatch } from '../../../domain/events/eventBatch.js';
import type { Formatter, FormatterPlugin } from '../../kit.js';
import { type httpInputFields, httpInputSpec } from './spec.js';

const counting: Formatter = {
  joins: true,
  format: ({ count }) => ({
    batch: count === 0 ? emptyBatch : textBatch([`{"count": ${count}}`]),
    eventsPerItem: count,
    failures: [],
  }),
};

export const httpInputPlugin: FormatterPlugin<typeof httpInputFields> = {
  spec: httpInputSpec,
  build: async () => E.right(counting),
};
