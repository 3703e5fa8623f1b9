import { failure, type SpateError } from '../../domain/errors.js';
import { backoffMs } from '../../domain/waiting.js';
import { isRetryableError, type OutputHealth } from './attempts.js';
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
  readonly alone: (suspects: Suspects, work: () => Promise<Attempted>) => Promise<Attempted | null>;
  /** A failed attempt of this write is followed by another one. */
  readonly onFailure: (reason: SpateError) => void;
  /** Whether another write has worked between the suspect failures in a row of this one. */
  readonly othersWork: () => boolean;
  /** Whether attempts that are left follow a search that found only an outage. */
  readonly retriesAfter: boolean;
}

export interface WriteOptions extends Omit<TryOptions, 'most_suspect' | 'suspects'> {
  /** Null when a failed batch is given up as a whole. */
  readonly isolation: Search | null;
}

export type Attempted = Pick<Tried, 'unanswered' | 'health' | 'failure' | 'hasWritten'> & {
  /** Units of a search that found only an outage: attempts are left for them. Null when every unit has a fate. */
  readonly left: Suspects | null;
};

/**
 * Writes all units, with retries. A batch on which the destination closes the connection, with which the output throws,
 * or which is rejected as a whole is tried in halves, in order, until the units at fault are alone: these are given up
 * with the reason, the others are written. In an outage, the attempts that are left follow.
 */
export const writeUnits = async (units: Units, options: WriteOptions): Promise<Attempted> => {
  const { isolation, policy, clock, signal } = options;
  let places: readonly number[] | null = null;
  let [made, unanswered] = [0, 0];
  let [hasWritten, health]: [boolean, OutputHealth] = [false, 'unknown'];
  for (;;) {
    const tried = await tryUnits(units, places, {
      ...options,
      made,
      onRetry: (reason) => {
        isolation?.onFailure(reason);
        options.onRetry(reason);
      },
      most_suspect: isolation === null ? Number.POSITIVE_INFINITY : MOST_CLOSINGS,
      suspects: (reason, isWhole) =>
        isolation !== null &&
        (reason.isSuspect === true ||
          (isWhole && units.count > 1 && reason.code === 'rejected' && isolation.findsRejected())),
    });
    unanswered += tried.unanswered;
    hasWritten ||= tried.hasWritten;
    const { suspects } = tried;
    if (suspects === null || isolation === null) return { ...tried, unanswered, hasWritten, left: null };
    made += tried.attempts;
    const canGoOn = isolation.retriesAfter && made < policy.attempts;
    const found = await isolation.alone(suspects, () =>
      isolate(units, { ...tried, suspects }, { ...options, isolation }, canGoOn),
    );
    if (found !== null) {
      unanswered += found.unanswered;
      hasWritten ||= found.hasWritten;
      health = found.health;
    } else if (health === 'unknown' && isRetryableError(suspects.reason)) health = 'suspect';
    const left = found === null ? suspects : found.left;
    if (left === null) return { ...tried, ...found, unanswered, hasWritten, left };
    const goesOn = canGoOn && isRetryableError(left.reason);
    if (goesOn) {
      options.onRetry(left.reason);
      await clock.sleepMs(backoffMs(policy, made, options.random()), signal);
    }
    if (!goesOn || signal.aborted) {
      await options.onGivenUp(left.units, left.reason);
      return { ...tried, unanswered, hasWritten, health, left: null };
    }
    places = left.units;
  }
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
  /** It failed alone before, and others worked. */
  readonly isConfirming?: boolean;
}

/** Whether the event of a part that failed alone is at fault, as long as others work. */
const isAtFault = (part: Part): boolean => part.isConfirming === true || !mayPass(part);

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
  options: WriteOptions & { readonly isolation: Search },
  canGoOn: boolean,
): Promise<Attempted> => {
  const { isolation, signal, clock, policy } = options;
  let { hasWritten, failure: last } = first;
  let unanswered = 0;
  // What was written before the closings says nothing: this may be an outage.
  let works = first.hasWrittenBetween || isolation.othersWork();
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

  /** What failed alone may have met an outage that is over: it has to fail once more while others work. */
  const confirming = (): Part | undefined => {
    if (!works) return undefined;
    const open = alone.filter((part) => !isAtFault(part));
    alone.splice(0, alone.length, ...alone.filter(isAtFault));
    waiting.push(...open.map((part) => ({ ...part, isConfirming: true })).reverse());
    return waiting.pop();
  };

  /** Why the rest is given up; null while parts are tried. */
  let outage: SpateError | null = null;
  /** A part has had all attempts. */
  let isRefused = false;
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop() ?? confirming()) {
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
      fruitless = 0;
      works = true;
    }
    if (tried.suspects !== null) {
      if (!tried.hasWritten) fruitless++;
      split({ ...tried.suspects, isConfirming: part.isConfirming === true });
    } else if (tried.health === 'down') {
      outage = tried.failure ?? part.reason;
      isRefused = true;
      break;
    }
  }
  const reason = outage;
  const atFault =
    works && reason === null ? alone.map((part) => ({ ...part, reason: proven(part.reason) })) : alone;
  const rest = reason === null ? [] : waiting.map((part) => ({ ...part, reason }));
  const isDown = outage !== null && parts < MAX_PARTS && !isOfEvents(outage);
  const isTheirs = works || isOfEvents(outage ?? first.suspects.reason);
  const health: OutputHealth = isDown ? 'down' : hasWritten ? 'up' : isTheirs ? 'unknown' : 'suspect';
  const result = { unanswered, failure: last, hasWritten, health };
  const mayArrive = canGoOn && !isRefused && !signal.aborted && (isDown || !works);
  const again = mayArrive ? [...alone, ...rest].filter((part) => isRetryableError(part.reason)) : [];
  await giveUp(
    mayArrive ? [...alone, ...rest].filter((part) => !isRetryableError(part.reason)) : [...atFault, ...rest],
    options,
  );
  const [one] = again;
  if (one === undefined) return { ...result, left: null };
  const positions = again.flatMap((part) => part.units).sort((before, after) => before - after);
  return { ...result, left: { units: positions, reason: one.reason } };
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
