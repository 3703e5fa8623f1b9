import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import type { Letter, LetterBox } from '../../ports/deadLetters.js';

/** A page ends behind this many bytes; it has at least one letter. */
const MAX_PAGE_BYTES = 2 * 1024 * 1024;

export interface Page {
  readonly letters: readonly Letter[];
  /** Offset of the next page. Null when there are no more letters. */
  readonly next_offset: number | null;
}

/** Letters from an offset on, oldest first. */
export const readPage = async (
  box: Pick<LetterBox, 'read'>,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<Result<Page>> => {
  const letters: Letter[] = [];
  let [seen, bytes] = [0, 0];
  for await (const run of box.read()) {
    if (E.isLeft(run)) return run;
    for (const { at, code, reason, event, line } of run.right.letters) {
      if (seen++ < offset) continue;
      bytes += line.length;
      if (letters.length === limit || (letters.length > 0 && bytes > MAX_PAGE_BYTES))
        return E.right({ letters, next_offset: offset + letters.length });
      letters.push({ at, code, reason, event });
    }
  }
  return E.right({ letters, next_offset: null });
};
