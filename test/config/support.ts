export { left, right } from '../support/either.js';

import * as E from 'fp-ts/lib/Either.js';
import { failure } from '../../src/domain/errors.js';
import { DEFAULT_TEMPLATE_LIMITS, type GeneratorParams } from '../../src/domain/generator.js';
import type { Files, Secrets } from '../../src/ports/files.js';
import {
  boolean,
  defaulted,
  freeObject,
  integer,
  listOf,
  mapOf,
  oneKeyOf,
  oneOf,
  optional,
  record,
  required,
  taggedBy,
  text,
} from '../../src/schema/index.js';

const help = 'x';

const formatter = taggedBy('format', {
  plain: record({}),
  json: record({ indent: defaulted(integer({ min: 0 }), 0, { help }) }),
});
const plain = { kind: 'plain' as const, alias: 'plain', params: {} };

const cron = record({
  expression: required(text(), { help }),
  count: required(integer({ min: 1 }), { help }),
  tags: defaulted(listOf(text()), [], { help }),
  start: optional(text(), { help }),
});

const sink = record({
  formatter: defaulted(formatter, plain, { help }),
  mode: defaulted(oneOf(['append', 'overwrite']), 'append', { help }),
  headers: defaulted(mapOf(text()), {}, { help }),
  password: defaulted(text(), '', { help, secret: true }),
  isOn: defaulted(boolean(), false, { help }),
});

/** A config shape with every kind of thing that plugins declare. */
export const shape = record({
  input: required(
    listOf(
      oneKeyOf({
        cron: { shape: cron, aliases: ['schedule'] },
        static: record({ count: required(integer(), { help }) }),
      }),
      {
        min: 1,
      },
    ),
    { help },
  ),
  event: required(
    oneKeyOf({
      replay: record({ path: required(text(), { help }), repeat: defaulted(boolean(), false, { help }) }),
      script: record({ params: defaulted(freeObject(), {}, { help }) }),
    }),
    { help },
  ),
  output: required(
    listOf(oneKeyOf({ file: sink, stdout: record({ formatter: defaulted(formatter, plain, { help }) }) })),
    {
      help,
    },
  ),
});

export const secretsOf = (values: Readonly<Record<string, string>>): Secrets => ({
  read: (name) =>
    Promise.resolve(
      Object.hasOwn(values, name)
        ? E.right(values[name] ?? '')
        : E.left(failure('not_found', `no secret ${name}`)),
    ),
});

export const filesOf = (texts: Readonly<Record<string, string>>): Pick<Files, 'readText'> => ({
  readText: (path) =>
    Promise.resolve(
      path in texts ? E.right(texts[path] ?? '') : E.left(failure('not_found', `cannot read ${path}`)),
    ),
});

export const paramsOf = (params: GeneratorParams['params'] = {}): GeneratorParams => ({
  id: 'web',
  path: '/g/web/generator.yml',
  live_mode: true,
  skip_past: true,
  from: null,
  params,
  seed: null,
  timezone: 'UTC',
  batch: { size: 10_000, delay: 1 },
  queue: { max_timestamp_batches: 10, max_event_batches: 10 },
  keep_order: false,
  max_concurrency: 100,
  write_timeout: 10,
  retry: { attempts: 5, base_delay: 0.2, max_delay: 5 },
  template_limits: DEFAULT_TEMPLATE_LIMITS,
  checkpoint: false,
  isolation: 'thread',
});
