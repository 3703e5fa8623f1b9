import type { JsonObject } from '../../domain/json.js';
import { type AnyShape, maskSecrets } from '../../schema/index.js';
import { type Difference, valueAt } from './document.js';

interface Versions {
  readonly base: JsonObject;
  readonly value: JsonObject;
}

/** Differences between two documents, without the values of secrets. */
export const masked = (
  shape: AnyShape,
  differences: readonly Difference[],
  { base, value }: Versions,
): readonly Difference[] => {
  const [before, after] = [maskSecrets(shape, base), maskSecrets(shape, value)];
  return differences.map(({ place }) => ({
    place,
    before: valueAt(before, place),
    after: valueAt(after, place),
  }));
};
