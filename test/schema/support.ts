import * as E from 'fp-ts/lib/Either.js';
import {
  anyJson,
  boolean,
  decode,
  decodeStored,
  defaulted,
  freeObject,
  integer,
  listOf,
  mapOf,
  number,
  oneKeyOf,
  oneOf,
  optional,
  path,
  record,
  required,
  type Shape,
  taggedBy,
  text,
  url,
} from '../../src/schema/index.js';

const help = 'x';

/** Problems as `path type`, the way tests like to compare them; 'ok' when there are none. */
export const verdict = <A>(shape: Shape<A>, value: unknown): string => {
  const result = decode(shape, value);
  return E.isRight(result)
    ? 'ok'
    : result.left.map(({ path: at, type }) => [...at, type].join(' ')).join('; ');
};

export const storedVerdict = <A>(shape: Shape<A>, value: unknown): string => {
  const result = decodeStored(shape, value);
  return E.isRight(result)
    ? 'ok'
    : result.left.map(({ path: at, type }) => [...at, type].join(' ')).join('; ');
};

export const decoded = <A>(shape: Shape<A>, value: unknown): A => {
  const result = decode(shape, value);
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left));
  return result.right;
};

export const firstIssue = <A>(shape: Shape<A>, value: unknown) => {
  const result = decode(shape, value);
  if (E.isRight(result)) throw new Error('decodes');
  return result.left[0];
};

const formatter = taggedBy('format', {
  plain: record({}),
  json: record({ indent: defaulted(integer({ min: 0 }), 0, { help }) }),
  relay: { shape: record({}), aliases: ['old-relay'] },
});

const period = {
  count: required(integer({ min: 1 }), { help: 'How many.', example: 3 }),
  tags: defaulted(listOf(text({ minLength: 1 })), [], { help: 'Tags.' }),
  start: optional(text(), { help: 'From when.' }),
  end: optional(text(), { help: 'Until when.' }),
};

/** A small config that uses every kind of shape. */
export const config = record({
  input: required(
    listOf(
      oneKeyOf({
        cron: {
          shape: record(
            { expression: required(text(), { help }), ...period },
            {
              rules: [
                {
                  fields: ['start', 'end'],
                  check: ({ start, end }) =>
                    start !== null && end !== null && start > end
                      ? { at: 'start', type: 'start_after_end', message: 'must not be later than end' }
                      : null,
                },
              ],
            },
          ),
          aliases: ['schedule'],
        },
        static: record(period),
      }),
      { min: 1 },
    ),
    { help },
  ),
  output: defaulted(
    record({
      formatter: defaulted(formatter, { kind: 'plain', alias: 'plain', params: {} }, { help }),
      mode: defaulted(oneOf(['append', 'overwrite']), 'append', { help: 'How to open.' }),
      headers: defaulted(mapOf(text()), {}, { help }),
      targets: defaulted(mapOf(record({ level: optional(integer(), { help }) })), {}, { help }),
      url: optional(url(), { help }),
      path: optional(path(), { help }),
      password: defaulted(text(), '', { help: 'Password.', secret: true }),
      delay: defaulted(number({ exclusiveMin: 0 }), 0.5, { help: 'Wait.', unit: 'seconds' }),
      isOn: defaulted(boolean(), false, { help }),
    }),
    {
      formatter: { kind: 'plain', alias: 'plain', params: {} },
      mode: 'append',
      headers: {},
      targets: {},
      url: null,
      path: null,
      password: '',
      delay: 0.5,
      isOn: false,
    },
    { help },
  ),
  params: defaulted(freeObject(), {}, { help }),
  extra: optional(anyJson(), { help }),
});
