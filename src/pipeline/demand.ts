import { Observable } from 'rxjs';

/**
 * A bounded number of batches in flight. RxJS has no back-pressure of its own; these credits are the
 * only one a pipeline has: a stage takes a credit before it makes a batch, the stage that is done with
 * the batch gives it back.
 */
export interface Credits {
  /**
   * True when a credit is taken, false when the signal has ended; a promise of either when none is free.
   */
  readonly take: () => Promise<boolean> | boolean;
  readonly give: () => void;
}

export const makeCredits = (limit: number, signal: AbortSignal): Credits => {
  let free = limit;
  const waiting: ((taken: boolean) => void)[] = [];
  signal.addEventListener('abort', () => {
    for (const resume of waiting.splice(0)) resume(false);
  });
  return {
    take: () => {
      if (signal.aborted) return false;
      if (free > 0) {
        free--;
        return true;
      }
      return new Promise((resolve) => waiting.push(resolve));
    },
    give: () => {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next(true);
    },
  };
};

/** A value that occupies a credit until `release` is called, once. */
export interface Held<A> {
  readonly value: A;
  readonly release: () => void;
}

/** Where values are pulled from; `give` takes back one that is used up. */
export interface Source<A> {
  /** The next value, or `null` where there is none. A throw is the stream's error. */
  readonly next: () => A | null;
  /** After a `null`: true when there are values again, false at the end. */
  readonly hasMore: () => Promise<boolean>;
  readonly give: (value: A) => void;
}

const held = <A>(value: A, source: Source<A>, credits: Credits): Held<A> => ({
  value,
  release: () => {
    source.give(value);
    credits.give();
  },
});

/**
 * Pulls values only while there are credits: never more than their limit are in flight downstream.
 * Ends with the source or with the credits' signal.
 */
export const demand = <A>(credits: Credits, source: Source<A>): Observable<Held<A>> =>
  new Observable((subscriber) => {
    const pump = async (): Promise<void> => {
      while (!subscriber.closed && (await credits.take())) {
        let value = source.next();
        while (value === null && (await source.hasMore())) value = source.next();
        if (value === null) break;
        subscriber.next(held(value, source, credits));
      }
      subscriber.complete();
    };
    pump().catch((thrown: unknown) => subscriber.error(thrown));
  });
