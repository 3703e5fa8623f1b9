import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.js';
import type { ProduceRequest } from '../../../kit.js';

/**
 * Frames between Spate and `child/main.py`: a kind, then its content. Numbers in the order of bytes of the machine.
 *
 * | kind | from | content |
 * | --- | --- | --- |
 * | `I` | Spate | JSON: the script and its surroundings; answered by `R` (ready) or `X` (refused) |
 * | `S` | Spate | text: a new seed of `random` |
 * | `P` | Spate | timestamps; answered by `E` |
 * | `Q` | script | JSON: an operation on globals while it produces; answered by `G` |
 * | `E` | script | events of the first timestamps |
 * | `X`, `D` | script | JSON: why it cannot load, or why it ends |
 */
export type FromScript = 'R' | 'X' | 'D' | 'E' | 'Q';

const HEAD_BYTES = 8;
const NUMBER_BYTES = 4;
const LINE_FEED = 0x0a;

export const jsonFrame = (kind: 'I' | 'G', value: JsonObject): Uint8Array =>
  Buffer.from(kind + JSON.stringify(value), 'utf8');

export const seedFrame = (seed: string): Uint8Array => Buffer.from(`S${seed}`, 'latin1');

/**
 * JSON of what each timestamp observes: people, hosts and the like once, then the activities, which name them by
 * number. Empty without an input that observes a world.
 */
const activitiesText = ({ from, activityOf }: ProduceRequest, to: number): string => {
  if (activityOf === undefined) return '';
  const entities: object[] = [];
  const numbers = new Map<object, number>();
  const named = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const number = numbers.get(value) ?? entities.push(value) - 1;
    numbers.set(value, number);
    return { entity: number };
  };
  const activities = Array.from({ length: to - from }, (_, index) => {
    const activity = activityOf(from + index);
    if (activity === null) return null;
    const facts = Object.fromEntries(
      Object.entries(activity.facts).map(([name, fact]) => [name, named(fact)]),
    );
    const { person, host, truth } = activity;
    return { ...activity, person: named(person), host: named(host), truth: named(truth), facts };
  });
  return JSON.stringify([entities, activities]);
};

/**
 * Content: number of timestamps, lengths of the two texts, JSON of the lists of tags, JSON of the activities,
 * timestamps, and the list of each.
 */
export const produceFrame = (request: ProduceRequest, to: number): Uint8Array => {
  const { micros, from, tagsOf } = request;
  const lists: (readonly string[])[] = [];
  const indexes = new Uint16Array(to - from);
  for (let at = from; at < to; at++) {
    const tags = tagsOf(at);
    let index = lists.lastIndexOf(tags);
    if (index < 0) index = lists.push(tags) - 1;
    indexes[at - from] = index;
  }
  const text = Buffer.from(JSON.stringify(lists), 'utf8');
  const activities = Buffer.from(activitiesText(request, to), 'utf8');
  const head = Buffer.from(Uint32Array.of(to - from, text.length, activities.length).buffer);
  const times = micros.slice(from, to);
  return Buffer.concat([
    KIND_PRODUCE,
    head,
    text,
    activities,
    Buffer.from(times.buffer),
    ...(lists.length > 1 ? [Buffer.from(indexes.buffer)] : []),
  ]);
};

const KIND_PRODUCE = Buffer.from('P');

export interface PythonAnswer {
  readonly consumed: number;
  readonly dropped: number;
  readonly isExhausted: boolean;
  /** Position of each failed timestamp, and its reason. */
  readonly failed: readonly (readonly [at: number, reason: string])[];
  readonly count: number;
  /** Number of events of each timestamp, if asked for. */
  readonly calls: Uint32Array;
  /** Events as UTF-8, each with a line end. */
  readonly bytes: Uint8Array;
  /** Index after the line end of each event. Null when no event contains a line end. */
  readonly ends: Uint32Array | null;
}

export const wireKindOf = (frame: Uint8Array): string => String.fromCharCode(frame[0] ?? 0);

export const wireJsonOf = (frame: Uint8Array): Json =>
  JSON.parse(Buffer.from(frame.buffer, frame.byteOffset + 1, frame.length - 1).toString('utf8')) as Json;

const numbersAt = (content: Uint8Array, at: number, count: number): Uint32Array => {
  const numbers = new Uint32Array(count);
  // Throws where the frame is too short.
  new Uint8Array(numbers.buffer).set(content.subarray(at, at + count * NUMBER_BYTES));
  if (at + count * NUMBER_BYTES > content.length) throw new Error('a frame is too short');
  return numbers;
};

const areEnds = (ends: Uint32Array, length: number): boolean =>
  ends.at(-1) === length && ends.every((end, index) => end > (ends[index - 1] ?? 0));

const wholeNumber = (value: unknown): number => {
  if (!Number.isSafeInteger(value) || Number(value) < 0) throw new Error('a frame has an invalid number');
  return Number(value);
};

const failuresIn = (head: JsonObject): readonly (readonly [number, string])[] => {
  const { failed = [], reasons = [] } = head;
  if (!Array.isArray(failed) || !Array.isArray(reasons)) throw new Error('a frame has invalid failures');
  return failed.map((entry) => {
    const [at, reason] = Array.isArray(entry) ? entry : [];
    const text: unknown = reasons[wholeNumber(reason)];
    if (typeof text !== 'string') throw new Error('a frame has a failure without a reason');
    return [wholeNumber(at), text] as const;
  });
};

/** Reads a frame `E`. Throws where it is malformed: the script can write to the channel. */
export const readEvents = (frame: Uint8Array): PythonAnswer => {
  const content = frame.subarray(1);
  const [headLength = 0, callCount = 0] = numbersAt(content, 0, 2);
  const head: Json = JSON.parse(
    Buffer.from(content.subarray(HEAD_BYTES, HEAD_BYTES + headLength)).toString('latin1'),
  ) as Json;
  if (!isJsonObject(head)) throw new Error('a frame has no head');
  const count = wholeNumber(head['events']);
  let at = HEAD_BYTES + headLength;
  const calls = numbersAt(content, at, callCount);
  at += callCount * NUMBER_BYTES;
  const ends = head['has_ends'] === true ? numbersAt(content, at, count) : null;
  if (ends !== null) at += count * NUMBER_BYTES;
  const bytes = content.subarray(at);
  const isWhole = count === 0 ? bytes.length === 0 : bytes.at(-1) === LINE_FEED;
  if (!isWhole || (ends !== null && !areEnds(ends, bytes.length)))
    throw new Error('a frame has invalid events');
  return {
    consumed: wholeNumber(head['consumed']),
    dropped: wholeNumber(head['dropped']),
    isExhausted: head['exhausted'] === true,
    failed: failuresIn(head),
    count,
    calls,
    bytes,
    ends,
  };
};
