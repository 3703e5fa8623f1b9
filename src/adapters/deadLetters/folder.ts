import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import { parseIso } from '../../domain/time/iso.js';
import type { Micros } from '../../domain/time/micros.js';
import { utc } from '../../domain/time/zone.js';
import type { DeadLetter, DeadLetterFolder, StoredDeadLetter, Sweep } from '../../ports/deadLetters.js';

/** Distinct reasons; further ones are counted together. */
const MAX_REASONS = 10_000;

interface ReasonCount {
  /** Error code; empty for `other reasons`, which sums up all beyond the limit. */
  readonly code: string;
  readonly reason: string;
  readonly letters: number;
}

export interface Summary {
  readonly letters: number;
  readonly bytes: number;
  readonly torn: number;
  /** Times as stored; `null` without letters. */
  readonly oldest: string | null;
  readonly newest: string | null;
  /** Most frequent first. */
  readonly reasons: readonly ReasonCount[];
}

const reasonCounter = () => {
  const counts = new Map<string, { readonly code: string; readonly reason: string; letters: number }>();
  const rest = { code: '', reason: 'other reasons', letters: 0 };
  return {
    add: ({ code, reason }: StoredDeadLetter): void => {
      const key = `${code}: ${reason}`;
      const found = counts.get(key);
      if (found !== undefined) found.letters++;
      else if (counts.size < MAX_REASONS) counts.set(key, { code, reason, letters: 1 });
      else rest.letters++;
    },
    list: (): readonly ReasonCount[] =>
      [...counts.values(), ...(rest.letters > 0 ? [rest] : [])].sort((a, b) => b.letters - a.letters),
  };
};

const timeRange = () => {
  const range = { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY };
  const texts: { oldest: string | null; newest: string | null } = { oldest: null, newest: null };
  let known = { text: '', at: Number.NaN };
  const add = ({ at: text }: StoredDeadLetter): void => {
    // Letters of one write share their time.
    if (text !== known.text) known = { text, at: parseIso(text, utc) ?? Number.NaN };
    if (known.at < range.first) [range.first, texts.oldest] = [known.at, text];
    if (known.at > range.last) [range.last, texts.newest] = [known.at, text];
  };
  return { add, texts };
};

/** Reads a whole folder in constant memory. */
export const summarize = async (folder: DeadLetterFolder): Promise<Result<Summary>> => {
  const reasons = reasonCounter();
  const times = timeRange();
  let [deadLetters, torn] = [0, 0];
  for await (const run of folder.read()) {
    if (E.isLeft(run)) return run;
    for (const deadLetter of run.right.deadLetters) {
      deadLetters++;
      reasons.add(deadLetter);
      times.add(deadLetter);
    }
    torn += run.right.torn;
  }
  return E.map(
    (bytes: number): Summary => ({
      letters: deadLetters,
      bytes,
      torn,
      ...times.texts,
      reasons: reasons.list(),
    }),
  )(await folder.bytes());
};

/** A page ends behind this many bytes; it has at least one letter. */
const MAX_PAGE_BYTES = 2 * 1024 * 1024;

interface DeadLetterPage {
  readonly letters: readonly DeadLetter[];
  /** Offset of the next page. Null when there are no more letters. */
  readonly next_offset: number | null;
}

/** Letters from an offset on, oldest first. */
export const readPage = async (
  folder: Pick<DeadLetterFolder, 'read'>,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<Result<DeadLetterPage>> => {
  const deadLetters: DeadLetter[] = [];
  let [seen, bytes] = [0, 0];
  for await (const run of folder.read()) {
    if (E.isLeft(run)) return run;
    for (const { at, code, reason, event, line } of run.right.deadLetters) {
      if (seen++ < offset) continue;
      bytes += line.length;
      if (deadLetters.length === limit || (deadLetters.length > 0 && bytes > MAX_PAGE_BYTES))
        return E.right({ letters: deadLetters, next_offset: offset + deadLetters.length });
      deadLetters.push({ at, code, reason, event });
    }
  }
  return E.right({ letters: deadLetters, next_offset: null });
};

const RUN = { count: 1_000, bytes: 4 * 1024 * 1024 } as const;

export type IsMatch = (deadLetter: {
  readonly at: string;
  readonly code: string;
  readonly reason: string;
}) => boolean;

/** Matches letters older than `end`; a letter with an unreadable time never matches. */
export const olderThan = (end: Micros | null) => {
  let known = { text: '', isOld: false };
  return ({ at }: { readonly at: string }): boolean => {
    if (end === null) return true;
    if (at !== known.text) known = { text: at, isOld: (parseIso(at, utc) ?? Number.NaN) < end };
    return known.isOld;
  };
};

/** Removes the letters that match; those that are added meanwhile stay. */
export const purgeFolder = async (
  folder: DeadLetterFolder,
  isMatch: IsMatch,
): Promise<Result<{ readonly removed: number; readonly left: number; readonly torn: number }>> => {
  let [removed, left] = [0, 0];
  const sweep: Sweep = {
    next: () => RUN,
    judge: async (deadLetters) => {
      const keep = deadLetters.filter((deadLetter) => !isMatch(deadLetter)).map(({ line }) => line);
      removed += deadLetters.length - keep.length;
      left += keep.length;
      return { keep, goesOn: true };
    },
  };
  const swept = await folder.sweep(sweep);
  return E.map(({ torn }: { readonly torn: number }) => ({ removed, left, torn }))(swept);
};
