import { failure, type SpateError } from '../../domain/errors.js';
import type { Health } from './attempts.js';
import { isOfEvents, type Suspects, type Tried, type TryOptions, tryUnits, type Units } from './items.js';

/** Closings in a row on the same batch, after which its parts are tried. */
const MOST_CLOSINGS = 3;
/** Parts of one batch that are tried; the rest is given up. */
const MAX_PARTS = 1_000;

/** How the events at fault are found in a batch that fails as a whole. */
export interface Search {
  /** Failed parts in a row, before any was written, after which the output is down. More than the halvings of a batch. */
  readonly max_fruitless: number;
  /** Whether parts of a rejected batch are tried now. */
  readonly findsRejected: () => boolean;
  /**
   * Runs while no other write of the output is under way: it could be the one that the destination closes. Returns null,
   * and does not run, when a search before it has found the output down.
   */
  readonly alone: (work: () => Promise<Attempted>) => Promise<Attempted | null>;
  /** Whether another write has worked since this one began. */
  readonly othersWork: () => boolean;
  /** Parts of the batch are tried from now on. */
  readonly onStart: (suspects: Suspects) => void;
}

export interface WriteOptions extends Omit<TryOptions, 'most_suspect' | 'suspects'> {
  /** Null when a failed batch is given up as a whole. */
  readonly isolation: Search | null;
}

export type Attempted = Pick<Tried, 'unanswered' | 'health' | 'failure' | 'hasWritten'>;

/**
 * Writes all units, with retries. A batch on which the destination closes the connection, with which the output throws,
 * or which is rejected as a whole is tried in halves, in order, until the units at fault are alone: these are given up
 * with the reason, the others are written.
 */
export const writeUnits = async (units: Units, options: WriteOptions): Promise<Attempted> => {
  const { isolation } = options;
  const tried = await tryUnits(units, null, {
    ...options,
    most_suspect: MOST_CLOSINGS,
    suspects: (reason, isWhole) =>
      isolation !== null &&
      (reason.isSuspect === true ||
        (isWhole && units.count > 1 && reason.code === 'rejected' && isolation.findsRejected())),
  });
  if (tried.suspects === null || isolation === null) return tried;
  const { suspects } = tried;
  isolation.onStart(suspects);
  const found = await isolation.alone(() => isolate(units, { ...tried, suspects }, options, isolation));
  if (found === null) await options.onGivenUp(suspects.units, suspects.reason);
  return found ?? { ...tried, health: 'unknown' };
};

/** Whether another attempt at the same units may end otherwise: another write may have closed the connection. */
const mayPass = ({ reason }: Suspects): boolean => !isOfEvents(reason) && reason.code !== 'bug';

const proven = (reason: SpateError): SpateError =>
  reason.code === 'output_failed'
    ? failure('rejected', `each write with this event alone fails, and others work: ${reason.message}`)
    : reason;

interface Part {
  readonly units: readonly number[];
  readonly reason: SpateError;
}

const halvesOf = ({ units, reason }: Part): readonly [Part, Part] => {
  const middle = Math.ceil(units.length / 2);
  return [
    { units: units.slice(0, middle), reason },
    { units: units.slice(middle), reason },
  ];
};

const isolate = async (
  units: Units,
  first: Tried & { readonly suspects: Suspects },
  options: WriteOptions,
  isolation: Search,
): Promise<Attempted> => {
  const { signal, clock, policy } = options;
  let { hasWritten, unanswered, failure: last } = first;
  let works = hasWritten || isolation.othersWork();
  let [fruitless, parts] = [0, 0];
  /** The next part is the last one. */
  const waiting: Part[] = [];
  const alone: Part[] = [];
  const split = (part: Part): void => {
    const [before, after] = halvesOf(part);
    if (after.units.length === 0) alone.push(part);
    else waiting.push(after, before);
  };
  if (mayPass(first.suspects)) waiting.push(first.suspects);
  else split(first.suspects);

  /** Why the rest is given up; null while parts are tried. */
  let outage: SpateError | null = null;
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (signal.aborted || fruitless >= isolation.max_fruitless || parts >= MAX_PARTS) {
      outage = part.reason;
      waiting.push(part);
      break;
    }
    // Until something works, this may be an outage.
    if (!works && parts > 0 && mayPass(part)) await clock.sleepMs(policy.base_ms * options.random(), signal);
    parts++;
    const tried = await tryUnits(units, part.units, {
      ...options,
      most_suspect: 1,
      suspects: (reason, isWhole) => reason.isSuspect === true || (isWhole && reason.code === 'rejected'),
    });
    unanswered += tried.unanswered;
    last = tried.failure;
    if (tried.hasWritten) {
      hasWritten = true;
      works = true;
      fruitless = 0;
    }
    if (tried.suspects !== null) {
      if (!tried.hasWritten) fruitless++;
      split(tried.suspects);
    } else if (tried.health === 'down') {
      outage = tried.failure ?? part.reason;
      break;
    }
  }
  const reason = outage;
  const atFault =
    works && reason === null ? alone.map((part) => ({ ...part, reason: proven(part.reason) })) : alone;
  const rest = reason === null ? [] : waiting.map((part) => ({ ...part, reason }));
  await giveUp([...atFault, ...rest], options);
  const isDown = outage !== null && parts < MAX_PARTS && !isOfEvents(outage);
  const isTheirs = works || isOfEvents(outage ?? first.suspects.reason);
  const health: Health = isDown ? 'down' : hasWritten ? 'up' : isTheirs ? 'unknown' : 'suspect';
  return { unanswered, failure: last, hasWritten, health };
};

/** One call for each reason. */
const giveUp = async (
  parts: readonly Part[],
  { onGivenUp }: Pick<WriteOptions, 'onGivenUp'>,
): Promise<void> => {
  const groups = new Map<string, { readonly units: number[]; readonly reason: SpateError }>();
  for (const { units, reason } of parts) {
    const key = `${reason.code} ${reason.message}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { units: [...units], reason });
    else for (const unit of units) group.units.push(unit);
  }
  for (const { units, reason } of groups.values()) {
    await onGivenUp(
      units.sort((one, other) => one - other),
      reason,
    );
  }
};
