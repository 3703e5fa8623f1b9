import { createHash } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import type { Bases } from '../../../actors/generators/generators.js';
import { encodeToken } from '../../cluster/keys.js';
import { failure, type Result } from '../../domain/errors.js';
import type { GeneratorDefinition } from '../../domain/generator.js';
import { isJsonObject, parsedJson } from '../../domain/json.js';
import { generatorIdOf, type PartitionBase } from '../../domain/partitions.js';
import type { Micros } from '../../domain/time/micros.js';
import type { Bucket } from '../../ports/cluster.js';

/** Where all partitions of a generator begin, in bucket `checkpoints`. */
interface StoredBase {
  readonly now: Micros;
  readonly seed: string;
  /** Hash of what determines the stream: another config begins anew. */
  readonly stream: string;
  /** Partitions that have started on it. */
  readonly used: readonly number[];
}

/** Other nodes start other partitions at the same time. */
const MAX_TRIES = 100;

const baseKey = (id: string): string => `b.${encodeToken(id)}`;

const streamOf = ({ config, params }: GeneratorDefinition): string => {
  const { timezone, seed, partition } = params;
  const { input } = isJsonObject(config) ? config : { input: null };
  return createHash('sha256')
    .update(JSON.stringify([input, timezone, seed, partition?.count]))
    .digest('hex');
};

const parse = (bytes: Uint8Array): StoredBase | null => {
  const value = parsedJson(new TextDecoder().decode(bytes));
  if (!isJsonObject(value)) return null;
  const { now, seed, stream, used } = value;
  const isBase =
    typeof now === 'number' && typeof seed === 'string' && typeof stream === 'string' && Array.isArray(used);
  return isBase ? { now, seed, stream, used: used.filter((index) => typeof index === 'number') } : null;
};

/**
 * Bases that all nodes share: the first partition that starts draws one, the others join it. Partitions with a checkpoint
 * resume it; they need no base.
 */
export const basesInCluster = (
  bucket: Bucket,
  given: { readonly now: () => Micros; readonly drawSeed: () => string },
): Bases => {
  const join = async (
    id: string,
    stream: string,
    index: number,
    startsOver: boolean,
    tries = MAX_TRIES,
  ): Promise<Result<PartitionBase>> => {
    const key = baseKey(id);
    const entry = await bucket.read(key);
    if (E.isLeft(entry)) return entry;
    const known = entry.right === null ? null : parse(entry.right.value);
    const isUsed = known?.used.includes(index) === true;
    const isJoined = known !== null && known.stream === stream && !(startsOver && isUsed);
    if (isJoined && isUsed) return E.right({ now: known.now, seed: known.seed, rejoins: true });
    const base: StoredBase = isJoined
      ? { ...known, used: [...known.used, index] }
      : { now: given.now(), seed: given.drawSeed(), stream, used: [index] };
    const value = new TextEncoder().encode(JSON.stringify(base));
    const written = await bucket.write(key, value, entry.right?.revision ?? 0);
    if (E.isRight(written)) return E.right({ now: base.now, seed: base.seed, rejoins: false });
    if (written.left.code !== 'precondition_failed') return written;
    return tries > 1
      ? join(id, stream, index, startsOver, tries - 1)
      : E.left(failure('unavailable', `the partitions of "${id}" cannot agree where to begin`));
  };

  return {
    of: (id, { index }, { definition, startsOver }) =>
      join(generatorIdOf(id), streamOf(definition), index, startsOver),
    left: () => {},
  };
};
