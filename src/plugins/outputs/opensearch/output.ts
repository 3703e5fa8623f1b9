import * as E from 'fp-ts/lib/Either.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { Missed, Output, PluginContext } from '../../kit.js';
import { compileDatedText, compileText } from '../../shared/text/compile.js';
import { generatorName } from '../../shared/text/generatorName.js';
import { routeName } from '../../shared/text/routing.js';
import { headersOf } from '../shared/http/open.js';
import { makePause } from '../shared/http/retryAfter.js';
import { statusError } from '../shared/http/statusErrors.js';
import { type RequestError, unroutableError } from '../shared/requestErrors.js';
import { closedFailure } from '../shared/streamOutput.js';
import { NOTHING, writtenResult } from '../shared/written.js';
import { actionMaker } from './actions.js';
import { bulkBody } from './bulkBody.js';
import { missedOf, readBulkReply } from './bulkReply.js';
import { errorOf } from './errorReply.js';
import type { Host, Hosts } from './hosts.js';
import type { opensearchFields } from './spec.js';

export type OpensearchParams = ValueOf<typeof opensearchFields>;

/** What is needed of a reply: results of all events of a large batch are about a megabyte then. */
const FILTER = 'filter_path=errors,items.*.status,items.*.error.type,items.*.error.reason';
/** 100,000 events with an error of 600 characters each. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;

export const opensearchHeaders = (params: OpensearchParams): Readonly<Record<string, string>> => ({
  Accept: 'application/json',
  ...(params.api_key === null ? {} : { Authorization: `ApiKey ${params.api_key}` }),
  ...headersOf(params),
});

const BROKEN: RequestError = unroutableError(
  'the event is empty or has a line break',
  'Set `formatter: {format: json}` without `indent`.',
);

export const opensearchOutput = (
  params: OpensearchParams,
  hosts: Hosts,
  /** Its reporter names what concerns no host. */
  first: Host,
  { clock, zone, directory }: Pick<PluginContext, 'clock' | 'zone' | 'directory'>,
): Output => {
  const { op_type, pipeline, compression, request_timeout, document_id } = params;
  const generator = generatorName({ directory });
  const actionsOf = actionMaker({
    op_type,
    index: compileDatedText(params.index, { generator, zone, spell: routeName }),
    document_id: document_id === null ? null : compileText(document_id, { generator, spell: routeName }),
  });
  const headers = { 'Content-Type': 'application/x-ndjson', ...opensearchHeaders(params) };
  const query = pipeline === null ? FILTER : `pipeline=${encodeURIComponent(pipeline)}&${FILTER}`;
  const pause = makePause(clock);
  let isClosed = false;
  const rejection = (items: readonly number[], error: RequestError): Missed => ({
    items,
    reason: first.report('cannot index into', error),
  });

  return {
    isBulk: true,
    isOrdered: false,
    write: async (batch, signal) => {
      if (isClosed) return E.left(closedFailure(first.address));
      if (batch.count === 0) return E.right(NOTHING);
      await pause.over(signal);
      const actions = actionsOf(batch, clock.now());
      const { bytes, items, broken } = bulkBody(batch, actions);
      const rejected: readonly Missed[] = [
        ...(broken.length === 0 ? [] : [rejection(broken, BROKEN)]),
        ...[...actions.unrouted].map(([reason, unrouted]) =>
          rejection(unrouted, unroutableError(reason, 'Correct the template, or `index` and `document_id`.')),
        ),
      ];
      if (items.length === 0) return writtenResult(NOTHING, rejected);
      const answer = await hosts.send(`${actions.path}?${query}`, {
        method: 'POST',
        headers,
        body: [bytes],
        isGzip: compression === 'gzip',
        signal,
        limit_ms: request_timeout * 1_000,
        limit_name: 'request_timeout',
        max_reply_bytes: MAX_REPLY_BYTES,
      });
      if (E.isLeft(answer)) return E.left(answer.left.host.report('cannot index into', answer.left.error));
      const { host, reply } = answer.right;
      const isDone = reply.status >= 200 && reply.status < 300;
      if (!isDone) pause.note(reply.headers['retry-after']);
      const results = isDone
        ? readBulkReply(reply.text, op_type, items.length)
        : E.left(errorOf(reply, statusError(reply)));
      if (E.isLeft(results)) return E.left(host.report('cannot index into', results.left));
      const missed = [
        ...rejected,
        ...(results.right === 'all indexed' ? [] : missedOf(results.right, items, host.report)),
      ];
      const lost = missed.reduce((sum, one) => sum + one.items.length, 0);
      return writtenResult({ written: batch.count - lost, failed: 0, bytes: reply.sent_bytes }, missed);
    },
    flush: async () => E.right(undefined),
    close: async () => {
      isClosed = true;
      hosts.close();
      return E.right(undefined);
    },
  };
};
