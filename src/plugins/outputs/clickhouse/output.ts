import * as E from 'fp-ts/lib/Either.js';
import type { Log } from '../../../ports/log.js';
import type { Output } from '../../kit.js';
import type { ErrorReporter } from '../shared/requestErrors.js';
import { closedFailure } from '../shared/streamOutput.js';
import { NOTHING } from '../shared/written.js';
import type { Client } from './client.js';
import type { ClickhouseParams, Endpoint } from './endpoint.js';
import { bodyMaker, insertStatement } from './statement.js';

/** Formats that read the whole body: their row count says nothing about events. */
const WHOLE_BODY: ReadonlySet<string> = new Set(['RawBLOB', 'One', 'Form']);

/**
 * Events delivered, from the reported rows. More rows (several per event, copies in views), none (old versions) or 0
 * (asynchronous inserts) mean all events.
 */
const arrived = (count: number, rows: number | null, format: string): number =>
  rows === null || rows === 0 || WHOLE_BODY.has(format) ? count : Math.min(rows, count);

export const clickhouseOutput = ({
  client,
  endpoint,
  params,
  report,
  log,
}: {
  readonly client: Client;
  readonly endpoint: Endpoint;
  readonly params: ClickhouseParams;
  readonly report: ErrorReporter;
  readonly log: Log;
}): Output => {
  const { header, separator, footer, input_format, request_timeout } = params;
  const statement = insertStatement(endpoint.database, endpoint.table, input_format);
  const bodyOf = bodyMaker(header, separator, footer);
  let isClosed = false;
  return {
    isBulk: true,
    isOrdered: false,
    write: async (batch, signal) => {
      if (isClosed) return E.left(closedFailure(endpoint.name));
      if (batch.count === 0) return E.right(NOTHING);
      const body = bodyOf(batch);
      const answer = await client.send(statement, {
        signal,
        limit_ms: request_timeout * 1000,
        limit_name: 'request_timeout',
        body,
      });
      if (E.isLeft(answer)) return E.left(report('cannot insert into', answer.left));
      const written = arrived(batch.count, answer.right.rows, input_format);
      const failed = batch.count - written;
      if (failed > 0) {
        log.write('warning', 'the server made fewer rows than events', { count: failed });
      }
      return E.right({ written, failed, bytes: body.bytes });
    },
    flush: async () => E.right(undefined),
    close: async () => {
      isClosed = true;
      await client.close();
      return E.right(undefined);
    },
  };
};
