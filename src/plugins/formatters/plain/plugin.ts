import * as E from 'fp-ts/lib/Either.js';
import type { Formatter, FormatterPlugin } from '../../kit.js';
import { type plainFields, plainSpec } from './spec.js';

const identity: Formatter = {
  joins: false,
  format: (events) => ({ batch: events, eventsPerItem: 1, failures: [] }),
};

export const plainPlugin: FormatterPlugin<typeof plainFields> = {
  spec: plainSpec,
  build: async () => E.right(identity),
};
