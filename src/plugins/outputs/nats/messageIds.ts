import { createHash } from 'node:crypto';

/** Ids by which a stream drops duplicates. */
export interface MessageIds {
  /** Id of an event; an event in doubt gets the id of its last attempt. */
  readonly idOf: (event: () => string) => string;
  /** Keeps ids of events whose fate is unknown, for their retries. */
  readonly keep: (event: string, id: string) => void;
}

/** Limits of ids that are kept; the oldest are forgotten, and their events may be duplicated. */
const MAX_KEPT = 100_000;
const MAX_KEPT_CHARS = 64 * 1024 * 1024;

/**
 * A new id per event: `prefix` must be unique. Retries are found by their content. Equal events in doubt may swap ids,
 * which makes no difference: one of each is stored.
 */
export const freshIds = (prefix: string): MessageIds => {
  const kept = new Map<string, string[]>();
  let count = 0;
  let chars = 0;
  let next = 0;
  const forget = (event: string): string | undefined => {
    const ids = kept.get(event);
    const id = ids?.shift();
    if (ids === undefined || id === undefined) return undefined;
    if (ids.length === 0) kept.delete(event);
    count -= 1;
    chars -= event.length;
    return id;
  };
  return {
    idOf: (event) => (count === 0 ? undefined : forget(event())) ?? `${prefix}-${(next++).toString(36)}`,
    keep: (event, id) => {
      const ids = kept.get(event);
      if (ids === undefined) kept.set(event, [id]);
      else ids.push(id);
      count += 1;
      chars += event.length;
      while (count > MAX_KEPT || chars > MAX_KEPT_CHARS) {
        const [oldest] = kept.keys();
        if (oldest === undefined) return;
        forget(oldest);
      }
    },
  };
};

/** The same id for equal events, also after a restart. */
export const contentIds: MessageIds = {
  idOf: (event) => createHash('sha256').update(event(), 'utf8').digest('base64url').slice(0, 27),
  keep: () => {},
};
