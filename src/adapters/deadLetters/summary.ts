import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import { parseIso } from '../../domain/time/iso.js';
import { utc } from '../../domain/time/zone.js';
import type { LetterBox, StoredLetter } from '../../ports/deadLetters.js';

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
    add: ({ code, reason }: StoredLetter): void => {
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
  const add = ({ at: text }: StoredLetter): void => {
    // Letters of one write share their time.
    if (text !== known.text) known = { text, at: parseIso(text, utc) ?? Number.NaN };
    if (known.at < range.first) [range.first, texts.oldest] = [known.at, text];
    if (known.at > range.last) [range.last, texts.newest] = [known.at, text];
  };
  return { add, texts };
};

/** Reads a whole box in constant memory. */
export const summarize = async (box: LetterBox): Promise<Result<Summary>> => {
  const reasons = reasonCounter();
  const times = timeRange();
  let [letters, torn] = [0, 0];
  for await (const run of box.read()) {
    if (E.isLeft(run)) return run;
    for (const letter of run.right.letters) {
      letters++;
      reasons.add(letter);
      times.add(letter);
    }
    torn += run.right.torn;
  }
  return E.map(
    (bytes: number): Summary => ({ letters, bytes, torn, ...times.texts, reasons: reasons.list() }),
  )(await box.bytes());
};
