import * as E from 'fp-ts/lib/Either.js';
import type { FormatterPlugin } from '../../kit.js';
import { namedValues } from '../shared/namedValues.js';
import { objectFormatter } from '../shared/objectFormatter.js';
import { type ndjsonFields, ndjsonSpec } from './spec.js';

export const ndjsonPlugin: FormatterPlugin<typeof ndjsonFields> = {
  spec: ndjsonSpec,
  build: async ({ fields }) => {
    const read = namedValues(fields);
    return E.right(objectFormatter((event) => JSON.stringify(Object.fromEntries(read(event)))));
  },
};
