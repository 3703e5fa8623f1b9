import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../src/domain/errors.js';
import type { Ask, Requests } from '../../src/messages/ask.js';
import { inTurn, isAbsent, named } from './each.js';
import { mergeReplayed } from './parts.js';

/** Dead letters of all partitions, those of the first one first. */
export const partLetters = (next: Ask) => {
  type Page = Requests['letters.read']['answer'];

  const countIn = async (id: string, output: string): Promise<Result<number>> =>
    E.map((boxes: Requests['letters.list']['answer']) => {
      const number = output.split('-')[0];
      return boxes.find((box) => box.output === output || box.output.split('-')[0] === number)?.letters ?? 0;
    })(await next('letters.list', { id }));

  const read = async (
    parts: readonly string[],
    { output, offset, limit }: Requests['letters.read']['payload'],
  ): Promise<Result<Page>> => {
    const found: Page['letters'][number][] = [];
    let isThere = false;
    let missing: Result<Page> = E.right({ letters: [], next_offset: null });
    let passed = 0;
    for (const id of parts) {
      if (found.length === limit) return E.right({ letters: found, next_offset: passed });
      const from = Math.max(0, offset - passed);
      const page = await next('letters.read', { id, output, offset: from, limit: limit - found.length });
      if (E.isLeft(page)) {
        if (!isAbsent(page.left)) return E.left(named(id, page.left));
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

  const replay = async (
    parts: readonly string[],
    { output, limit }: Requests['letters.replay']['payload'],
  ): Promise<Result<Requests['letters.replay']['answer']>> => {
    let left = limit;
    const sent = await inTurn(parts, async (id) => {
      const answer = await next('letters.replay', { id, output, limit: left });
      if (E.isRight(answer)) for (const row of answer.right) left -= row.sent + row.refused;
      return answer;
    });
    return E.map(mergeReplayed)(sent);
  };
  return { read, replay };
};
