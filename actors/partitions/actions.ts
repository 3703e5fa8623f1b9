import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../src/domain/errors.js';
import type { Ask, Requests } from '../../src/messages/ask.js';
import { fromAll, indexOf, inTurn } from './each.js';
import { startable } from './parts.js';

const DEALT = failure(
  'wrong_state',
  'the inputs of a generator with partitions cannot be exchanged while it runs: change its config and restart it',
);

/** Starts, stops and patches of all partitions. */
export const partActions = (next: Ask) => {
  /** Stops per generator, so that a restart under way notices a later one. */
  const stops = new Map<string, number>();

  const start = async (parts: readonly string[]): Promise<Result<true>> => {
    const statuses = await fromAll(parts, (id) => next('generators.status', { id }));
    if (E.isLeft(statuses)) return statuses;
    const params = await next('generators.read', { id: parts[0] as string });
    if (E.isLeft(params)) return params;
    const chosen = new Set(startable(statuses.right, params.right.checkpoint));
    const started = await fromAll(
      parts.filter((part) => chosen.has(indexOf(part))),
      (id) => next('generators.start', { id }),
    );
    return E.isLeft(started) ? started : E.right(true);
  };

  const stopParts = async (parts: readonly string[]): Promise<Result<null>> => {
    const stopped = await fromAll(parts, (id) => next('generators.stop', { id }));
    return E.isLeft(stopped) ? stopped : E.right(null);
  };

  const countOf = (id: string): number => stops.get(id) ?? 0;

  return {
    start,
    stop: (id: string, parts: readonly string[]): Promise<Result<null>> => {
      stops.set(id, countOf(id) + 1);
      return stopParts(parts);
    },
    /** All stop before the first starts: they begin a new stream together. A stop that comes meanwhile wins. */
    restart: async (id: string, parts: readonly string[]): Promise<Result<true>> => {
      const before = countOf(id);
      const stopped = await stopParts(parts);
      if (E.isLeft(stopped)) return stopped;
      if (countOf(id) === before) return start(parts);
      return E.left(failure('wrong_state', 'the generator was stopped before it ran'));
    },
    /** The config is written once, when all partitions have the change. */
    patch: async (
      parts: readonly string[],
      { sections, persist }: Requests['generators.patch']['payload'],
    ): Promise<Result<null>> => {
      if ('input' in sections) return E.left(DEALT);
      const [first = ''] = parts;
      const patched = await inTurn(parts, (id) => next('generators.patch', { id, sections, persist: false }));
      if (E.isLeft(patched)) return patched;
      return persist ? next('generators.patch', { id: first, sections, persist }) : E.right(null);
    },
  };
};
