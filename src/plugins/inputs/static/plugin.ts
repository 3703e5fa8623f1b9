import * as E from 'fp-ts/lib/Either.js';
import type { InputPlugin } from '../../kit.js';
import { indexedInput } from '../shared/indexed.js';
import { staticSpec } from './spec.js';

export const staticPlugin: InputPlugin<typeof staticSpec.fields> = {
  spec: staticSpec,
  build: async ({ count }, { now }) =>
    E.right(indexedInput({ at: () => now, first: 0, end: 1, copies: count })),
};
