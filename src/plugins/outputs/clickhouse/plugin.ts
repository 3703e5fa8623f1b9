import * as E from 'fp-ts/lib/Either.js';
import { failure } from '../../../domain/errors.js';
import type { OutputPlugin } from '../../kit.js';
import { type clickhouseFields, clickhouseSpec } from './spec.js';

const NOT_YET =
  'output clickhouse: this version checks and reads back its configuration, but cannot deliver into ' +
  'ClickHouse yet; use a file or stdout output until it can';

export const clickhousePlugin: OutputPlugin<typeof clickhouseFields> = {
  spec: clickhouseSpec,
  open: async () => E.left(failure('plugin_failed', NOT_YET)),
};
