import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../src/domain/errors.js';
import { noSuchGenerator } from '../../src/domain/generator.js';
import { partitionOf } from '../../src/domain/partitions.js';
import { mergeParts } from '../../src/domain/stats/series.js';
import type { Ask, Requests } from '../../src/messages/ask.js';
import type { DeadLetterRequests } from '../../src/messages/deadLetters.js';
import type { BulkStart, GeneratorRequests } from '../../src/messages/generators.js';
import type { ObserveRequests } from '../../src/messages/observe.js';
import {
  fromAll,
  indexOf,
  inTurn,
  isAbsentPart,
  mergeDeadLetters,
  mergeItems,
  mergePurged,
  mergeResent,
  mergeRunning,
  mergeStats,
  mergeStatus,
  mergeTurns,
  named,
  type OfPart,
  startable,
} from './parts.js';

/** Ids of the partitions of a generator; empty: it has none. */
export type PartsOf = (id: string) => readonly string[];

type Answered = GeneratorRequests & DeadLetterRequests & Pick<ObserveRequests, 'observe.series'>;

/** Answers of generators with partitions. A function returns null when no such generator is concerned. */
export type PartAnswers = {
  readonly [K in keyof Answered]: (
    payload: Answered[K]['payload'],
  ) => Promise<Result<Answered[K]['answer']>> | null;
};

const values = <A>(parts: readonly OfPart<A>[]): readonly A[] => parts.map(({ value }) => value);

const NOT_REPLACEABLE = failure(
  'wrong_state',
  'a generator with partitions cannot be replaced here: change its entry in the startup list and reload',
);

const READABLE: ReadonlySet<string> = new Set<keyof Requests | 'generators.end'>([
  'generators.read',
  'generators.status',
  'generators.stats',
  'generators.history',
  'generators.check_outputs',
  'generators.end',
  'observe.series',
]);

/** Partitions belong to their generator: by themselves, they can only be read. */
export const refusedPart = (type: string, payload: unknown): Result<never> | null => {
  const id: unknown = typeof payload === 'object' && payload !== null ? Reflect.get(payload, 'id') : null;
  if (typeof id !== 'string' || partitionOf(id) === null || READABLE.has(type)) return null;
  return E.left(noSuchGenerator(id));
};

/** Sends requests about a generator with partitions to all of them, and merges their answers. */
export const partAnswers = (next: Ask, partsOf: PartsOf): PartAnswers => {
  const act = partActions(next);
  const deadLetters = deadLettersOfParts(next);

  /** For a request about one generator. */
  const toParts =
    <P extends { readonly id: string }, A>(
      answer: (parts: readonly string[], payload: P) => Promise<Result<A>>,
    ) =>
    (payload: P): Promise<Result<A>> | null => {
      const parts = partsOf(payload.id);
      return parts.length === 0 ? null : answer(parts, payload);
    };

  const spread = (ids: readonly string[]): readonly string[] =>
    ids.flatMap((id) => {
      const parts = partsOf(id);
      return parts.length === 0 ? [id] : parts;
    });

  const bulkStart =
    (
      bulk: (ids: readonly string[]) => Promise<Result<BulkStart>>,
      one: (id: string, parts: readonly string[]) => Promise<Result<true>>,
    ) =>
    ({ ids }: { readonly ids: readonly string[] }): Promise<Result<BulkStart>> | null => {
      const dealt = [...new Set(ids)].filter((id) => partsOf(id).length > 0);
      if (dealt.length === 0) return null;
      return bulkOf(ids, dealt, bulk, (id) => one(id, partsOf(id)));
    };

  return {
    'generators.list': async () => E.map(mergeItems)(await next('generators.list', null)),
    'generators.stats_running': async () => E.map(mergeRunning)(await next('generators.stats_running', null)),
    'generators.read': toParts(async ([first = ''], { id }) =>
      E.map(({ partition: _partition, ...params }: Requests['generators.read']['answer']) => ({
        ...params,
        id,
      }))(await next('generators.read', { id: first })),
    ),
    'generators.status': toParts(async (parts) =>
      E.map(mergeStatus)(await fromAll(parts, (id) => next('generators.status', { id }))),
    ),
    'generators.stats': toParts(async (parts, { id: whole }) =>
      E.map((all: readonly OfPart<Requests['generators.stats']['answer']>[]) =>
        mergeStats(whole, values(all)),
      )(await fromAll(parts, (id) => next('generators.stats', { id }))),
    ),
    'generators.history': toParts(async (parts) =>
      E.map(mergeTurns)(await fromAll(parts, (id) => next('generators.history', { id }))),
    ),
    'generators.check_outputs': toParts(([first = '']) => next('generators.check_outputs', { id: first })),
    'generators.start': toParts((parts) => act.start(parts)),
    'generators.stop': toParts((parts, { id }) => act.stop(id, parts)),
    'generators.restart': toParts((parts, { id }) => act.restart(id, parts)),
    'generators.patch': toParts(act.patch),
    'generators.create': toParts(async (_parts, { id }) =>
      E.left(failure('already_exists', `generator "${id}" already exists`)),
    ),
    'generators.replace': toParts(async () => E.left(NOT_REPLACEABLE)),
    'generators.delete': toParts((parts) => next('generators.bulk_delete', { ids: parts })),
    // The supervisor renames all partitions together.
    'generators.rename': () => null,
    'generators.bulk_start': bulkStart(
      (ids) => next('generators.bulk_start', { ids }),
      (_id, parts) => act.start(parts),
    ),
    'generators.bulk_restart': bulkStart((ids) => next('generators.bulk_restart', { ids }), act.restart),
    'generators.bulk_stop': ({ ids }) => next('generators.bulk_stop', { ids: spread(ids) }),
    'generators.bulk_delete': ({ ids }) => next('generators.bulk_delete', { ids: spread(ids) }),
    'observe.series': ({ id, ...span }) => {
      const parts = id === null ? [] : partsOf(id);
      if (parts.length === 0) return null;
      return fromAll(parts, (part) => next('observe.series', { id: part, ...span })).then(
        E.map((all) => mergeParts(values(all))),
      );
    },
    'dead_letters.list': toParts(async (parts) =>
      E.map((all: readonly OfPart<Requests['dead_letters.list']['answer']>[]) =>
        mergeDeadLetters(values(all)),
      )(await fromAll(parts, (id) => next('dead_letters.list', { id }))),
    ),
    'dead_letters.read': toParts(deadLetters.read),
    'dead_letters.resend': toParts(deadLetters.resend),
    'dead_letters.purge': toParts(async (parts, { output, until }) =>
      E.map(mergePurged)(await inTurn(parts, (id) => next('dead_letters.purge', { id, output, until }))),
    ),
  };
};

/** A bulk start with generators that have partitions: each id once, in the order of the request. */
const bulkOf = async (
  ids: readonly string[],
  dealt: readonly string[],
  bulk: (ids: readonly string[]) => Promise<Result<BulkStart>>,
  one: (id: string) => Promise<Result<true>>,
): Promise<Result<BulkStart>> => {
  const plain = ids.filter((id) => !dealt.includes(id));
  const [others, ...answers] = await Promise.all([
    bulk(plain),
    ...dealt.map(async (id) => [id, await one(id)] as const),
  ]);
  if (E.isLeft(others)) return others;
  const failed = answers.flatMap(([id, answer]) =>
    E.isLeft(answer) ? [[id, answer.left.message] as const] : [],
  );
  const reasons = { ...others.right.reasons, ...Object.fromEntries(failed) };
  const unique = [...new Set(ids)];
  return E.right({
    running_generator_ids: unique.filter((id) => !(id in reasons)),
    non_running_generator_ids: unique.filter((id) => id in reasons),
    reasons,
  });
};

/** Dead letters of all partitions, those of the first one first. */
const deadLettersOfParts = (next: Ask) => {
  type Page = Requests['dead_letters.read']['answer'];

  const countIn = async (id: string, output: string): Promise<Result<number>> =>
    E.map((summaries: Requests['dead_letters.list']['answer']) => {
      const number = output.split('-')[0];
      return (
        summaries.find((summary) => summary.output === output || summary.output.split('-')[0] === number)
          ?.letters ?? 0
      );
    })(await next('dead_letters.list', { id }));

  const read = async (
    parts: readonly string[],
    { output, offset, limit }: Requests['dead_letters.read']['payload'],
  ): Promise<Result<Page>> => {
    const found: Page['letters'][number][] = [];
    let isThere = false;
    let missing: Result<Page> = E.right({ letters: [], next_offset: null });
    let passed = 0;
    for (const id of parts) {
      if (found.length === limit) return E.right({ letters: found, next_offset: passed });
      const from = Math.max(0, offset - passed);
      const page = await next('dead_letters.read', { id, output, offset: from, limit: limit - found.length });
      if (E.isLeft(page)) {
        if (!isAbsentPart(page.left)) return E.left(named(id, page.left));
        missing = page;
        continue;
      }
      isThere = true;
      found.push(...page.right.letters);
      if (page.right.next_offset !== null)
        return E.right({ letters: found, next_offset: passed + page.right.next_offset });
      const count = await countIn(id, output);
      if (E.isLeft(count)) return count;
      passed += count.right;
    }
    return isThere ? E.right({ letters: found, next_offset: null }) : missing;
  };

  const resend = async (
    parts: readonly string[],
    { output, limit }: Requests['dead_letters.resend']['payload'],
  ): Promise<Result<Requests['dead_letters.resend']['answer']>> => {
    let left = limit;
    const sent = await inTurn(parts, async (id) => {
      const answer = await next('dead_letters.resend', { id, output, limit: left });
      if (E.isRight(answer)) for (const row of answer.right) left -= row.sent + row.refused;
      return answer;
    });
    return E.map(mergeResent)(sent);
  };
  return { read, resend };
};

const DEALT = failure(
  'wrong_state',
  'the inputs of a generator with partitions cannot be exchanged while it runs: change its config and restart it',
);

/** Starts, stops and patches of all partitions. */
const partActions = (next: Ask) => {
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
