import type { EventBatch } from '../../../domain/events/eventBatch.js';
import { parsedJson, pointerReader, valueText } from '../../../domain/json.js';
import type { Random } from '../../../domain/random.js';
import { compileRegex } from '../../../regex/regex.js';
import type { OutputRoute } from '../../kit.js';
import type { When } from './delivery.js';

/** An event to judge. */
interface Candidate {
  tags: readonly string[];
  /** The event as JSON. Undefined when it is not JSON. */
  document: unknown;
}

type Judge = (candidate: Candidate) => boolean;

const matcher = (source: string): ((text: string) => boolean) => {
  const regex = compileRegex(source);
  if (typeof regex === 'string') throw new Error(`a condition was not checked: ${regex}`);
  return (text) => regex.search(text) !== null;
};

const judgeOf = (when: When): Judge => {
  if ('tag' in when) {
    const { tag } = when;
    return ({ tags }) => tags.includes(tag);
  }
  if ('any' in when) {
    const judges = when.any.map(judgeOf);
    return (candidate) => judges.some((judge) => judge(candidate));
  }
  if ('all' in when) {
    const judges = when.all.map(judgeOf);
    return (candidate) => judges.every((judge) => judge(candidate));
  }
  if ('not' in when) {
    const judge = judgeOf(when.not);
    return (candidate) => !judge(candidate);
  }
  const read = pointerReader(when.pointer);
  if ('equals' in when) {
    const { equals } = when;
    return ({ document }) => read(document) === equals;
  }
  if ('in' in when) {
    const values = new Set<unknown>(when.in);
    return ({ document }) => values.has(read(document));
  }
  if ('matches' in when) {
    const matches = matcher(when.matches);
    return ({ document }) => {
      const value = read(document);
      return value !== undefined && matches(valueText(value));
    };
  }
  const { exists } = when;
  return ({ document }) => (read(document) !== undefined) === exists;
};

/** Whether a condition, or one in it, is of the kind with this key. */
const has = (when: When, key: 'tag' | 'pointer'): boolean => {
  if (key in when) return true;
  if ('any' in when) return when.any.some((one) => has(one, key));
  if ('all' in when) return when.all.some((one) => has(one, key));
  return 'not' in when && has(when.not, key);
};

/** Chooses the ascending positions that satisfy the condition. Null when all do. */
const chooserOf = (when: When): OutputRoute['choose'] => {
  const judge = judgeOf(when);
  const candidate: Candidate = { tags: [], document: undefined };
  const readsEvents = has(when, 'pointer');
  return (events: EventBatch, tags) => {
    candidate.tags = tags;
    if (!readsEvents) return judge(candidate) ? null : [];
    const chosen: number[] = [];
    const texts = events.texts();
    for (let index = 0; index < texts.length; index++) {
      candidate.document = parsedJson(texts[index] as string);
      if (judge(candidate)) chosen.push(index);
    }
    return chosen.length === events.count ? null : chosen;
  };
};

/** One draw for each event that the condition lets through. */
const sampled = (choose: OutputRoute['choose'], share: number, random: Random): OutputRoute['choose'] => {
  if (share === 1) return choose;
  return (events, tags) => {
    const before = choose(events, tags);
    const count = before === null ? events.count : before.length;
    const chosen: number[] = [];
    for (let index = 0; index < count; index++) {
      if (random.next() < share) chosen.push(before === null ? index : (before[index] as number));
    }
    return chosen.length === events.count ? null : chosen;
  };
};

/** The route of an output with `when`, `sample` or both. `random`: only for this output. */
export const routeOf = (when: When | null, sample: number | null, random: Random): OutputRoute => ({
  needsTags: when !== null && has(when, 'tag'),
  choose: sampled(when === null ? () => null : chooserOf(when), sample ?? 1, random),
});
