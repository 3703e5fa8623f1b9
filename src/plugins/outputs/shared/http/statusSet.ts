import * as E from 'fp-ts/lib/Either.js';
import type { Json } from '../../../../domain/json.js';
import { anyJson, custom } from '../../../../schema/index.js';
import type { Shape } from '../../../../schema/shape.js';

/** Status codes and classes such as `2xx`. */
export type StatusSet = readonly (number | string)[];

const MAX_ENTRIES = 100;
const CLASS = /^[1-5]xx$/;

const entryOf = (value: Json): number | string | null => {
  if (typeof value === 'string' && CLASS.test(value.toLowerCase())) return value.toLowerCase();
  const code = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof code === 'number' && Number.isInteger(code) && code >= 100 && code <= 599 ? code : null;
};

const one = {
  anyOf: [
    { type: 'integer', minimum: 100, maximum: 599 },
    { type: 'string', pattern: '^[1-5]xx$', maxLength: 3 },
  ],
};

/** A status code from 100 to 599, a class such as `2xx`, or a list of both. */
export const statusSet = (): Shape<StatusSet> =>
  custom<Json, StatusSet>({
    base: anyJson(),
    label: 'status code, class such as 2xx, or list of both',
    schema: { anyOf: [...one.anyOf, { type: 'array', items: one, maxItems: MAX_ENTRIES }] },
    is: (value): value is StatusSet =>
      Array.isArray(value) && value.every((entry) => entryOf(entry) === entry),
    decode: (value) => {
      const given: readonly Json[] = Array.isArray(value) ? value : [value];
      const entries = given.map(entryOf).filter((entry) => entry !== null);
      return entries.length === given.length && given.length <= MAX_ENTRIES
        ? E.right(entries)
        : E.left({
            type: 'bad_format',
            message: 'must be a status code from 100 to 599, a class such as 2xx, or a list of both',
          });
    },
    encode: (entries) => (entries.length === 1 ? (entries[0] as Json) : entries),
  });

export const isIn = (set: StatusSet, status: number): boolean =>
  set.includes(status) || set.includes(`${Math.floor(status / 100)}xx`);
