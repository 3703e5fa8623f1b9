import { ERRORS, printed } from '../../domain/errors.js';
import { WAITING } from '../../domain/events/timestampBatch.js';

// Each function returns what is wrong with a result of a plugin, or null when nothing is.

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const isBatch = (value: unknown): value is { readonly count: number } =>
  isObject(value) &&
  isCount(value['count']) &&
  ['texts', 'bytes', 'encoded', 'heads', 'pick'].every((method) => typeof value[method] === 'function');

/** An error of a plugin: a code of the table and a message. */
export const errorFault = (value: unknown): string | null => {
  if (!isObject(value) || typeof value['message'] !== 'string') return 'returned an error without a message';
  const { code } = value;
  return typeof code === 'string' && Object.hasOwn(ERRORS, code)
    ? null
    : `returned an error with the unknown code ${printed(code)}`;
};

/** Timestamps of `fill`; `last`: the one before. */
export const takenFault = (count: unknown, out: Float64Array, last: number): string | null => {
  if (count === WAITING) return null;
  if (!isCount(count) || count > out.length)
    return `returned ${printed(count)}, not a number of timestamps from 0 to ${out.length}`;
  let before = last;
  for (let index = 0; index < count; index++) {
    const micros = out[index] as number;
    if (!Number.isSafeInteger(micros)) return `gave the timestamp ${micros}, which is not whole microseconds`;
    if (micros < before) return `gave the timestamp ${micros} after ${before}: they must ascend`;
    before = micros;
  }
  return null;
};

/** The result of `produce` for `count` timestamps. */
export const producedFault = (value: unknown, count: number): string | null => {
  if (!isObject(value)) return `returned ${printed(value)}, not an object`;
  const { consumed, events, failed, dropped, exhausted } = value;
  if (!isCount(consumed) || consumed > count)
    return `returned consumed ${printed(consumed)}, not a number from 0 to ${count}`;
  if (consumed === 0 && count > 0 && exhausted !== true) return 'consumed no timestamp';
  if (!isBatch(events)) return 'returned events that are not a batch. Make one with `textBatch`';
  if (!isCount(failed) || !isCount(dropped)) return 'returned failed or dropped that is not a count';
  return null;
};

/** The result of `format` for `count` events. */
export const formattedFault = (value: unknown, count: number): string | null => {
  if (!isObject(value)) return `returned ${printed(value)}, not an object`;
  const { batch, eventsPerItem, failures } = value;
  if (!isBatch(batch)) return 'returned a batch that is none. Make one with `textBatch`';
  if (!isCount(eventsPerItem) || !Array.isArray(failures))
    return 'returned no eventsPerItem or no list of failures';
  const isFailure = (one: unknown): boolean =>
    isObject(one) && typeof one['event'] === 'string' && typeof one['reason'] === 'string';
  if (!failures.every(isFailure)) return 'returned a failure without event and reason';
  return batch.count * eventsPerItem + failures.length === count
    ? null
    : `returned ${batch.count} items of ${eventsPerItem} events and ${failures.length} failures for ${count} events`;
};

const missedIn = (value: unknown, count: number): number | string => {
  if (value === undefined) return 0;
  if (!Array.isArray(value)) return 'returned missed that is not a list';
  let sum = 0;
  for (const one of value as readonly unknown[]) {
    if (!isObject(one) || !Array.isArray(one['items'])) return 'returned missed items without a list of them';
    const { items } = one;
    const wrong = errorFault(one['reason']);
    if (wrong !== null) return wrong;
    if (!(items as readonly unknown[]).every((item) => isCount(item) && item < count))
      return `returned missed items that are no positions of ${count} items`;
    sum += items.length;
  }
  return sum;
};

/** The result of `write` for `count` items. */
export const writtenFault = (value: unknown, count: number): string | null => {
  if (!isObject(value)) return `returned ${printed(value)}, not an object`;
  const { written, failed, bytes } = value;
  if (!isCount(written) || !isCount(failed) || !isCount(bytes))
    return 'returned written, failed or bytes that is not a count';
  const missed = missedIn(value['missed'], count);
  if (typeof missed === 'string') return missed;
  return written + failed + missed === count
    ? null
    : `returned written ${written}, failed ${failed} and missed ${missed} for ${count} items`;
};
