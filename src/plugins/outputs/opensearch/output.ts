import * as E from 'fp-ts/lib/Either.js';
import type { EventBatch } from '../../../domain/events/eventBatch.js';
import { parsedJson } from '../../../domain/json.js';
import type { Micros } from '../../../domain/time/micros.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { Missed, Output, PluginContext } from '../../kit.js';
import { compileDatedText, compileText, type DatedText, type EventText } from '../../shared/text/compile.js';
import { LIMITS } from '../../shared/text/limits.js';
import { generatorName, limitOf, routeName, unroutable } from '../../shared/text/routing.js';
import { makeMovedBody } from '../shared/batchBytes.js';
import { type RequestError, unroutableError } from '../shared/errors.js';
import { headersOf } from '../shared/http/open.js';
import { makePause, statusError } from '../shared/http/replies.js';
import { closedFailure, itemsByReason, NOTHING, writtenResult } from '../shared/written.js';
import type { Host, Hosts } from './hosts.js';
import { missedOf, readBulkReply, replyErrorOf } from './replies.js';
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
        : E.left(replyErrorOf(reply, statusError(reply)));
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

interface BulkBody {
  readonly bytes: Uint8Array;
  /** Positions in the batch of the events in `bytes`, in order. */
  readonly items: readonly number[];
  /** Positions of empty events and of those with a line break: the server would read other lines. */
  readonly broken: readonly number[];
}

const LINE_FEED = 0x0a;

/** A line of the action, then the line of the event, for each event that has an action. */
const bulkBody = (
  batch: EventBatch,
  { lineOf, bytes: action_bytes }: Pick<Actions, 'lineOf' | 'bytes'>,
): BulkBody => {
  const { bytes, ends, areLines } = batch.encoded();
  const body = makeMovedBody(bytes.length + action_bytes, bytes);
  const items: number[] = [];
  const broken: number[] = [];
  let start = 0;
  for (let item = 0; item < batch.count; item++) {
    const end = ends[item] as number;
    const action = lineOf(item);
    if (action !== null && isBroken(bytes, start, end - 1, areLines === true)) broken.push(item);
    else if (action !== null) {
      body.put(action);
      body.move(start, end);
      items.push(item);
    }
    start = end;
  }
  return { bytes: body.take(), items, broken };
};

/** `end` is the position of the line end after the event. An empty line would be an event without a body. */
const isBroken = (bytes: Uint8Array, start: number, end: number, isLine: boolean): boolean =>
  start === end || (!isLine && bytes.indexOf(LINE_FEED, start) < end);

/** The line before each event of a request, and the path of the request. */
interface Actions {
  readonly path: string;
  /** Returns the line of an event, or null when the event has no index. */
  readonly lineOf: (item: number) => Uint8Array | null;
  /** Length of all lines. */
  readonly bytes: number;
  /** Positions of events without an index, by reason. */
  readonly unrouted: ReadonlyMap<string, readonly number[]>;
}

interface ActionOptions {
  readonly op_type: 'index' | 'create';
  readonly index: DatedText;
  readonly document_id: EventText | null;
}

const NONE: Actions['unrouted'] = new Map();
const BULK = '/_bulk';

const lineOf = (op_type: string, target: Readonly<Record<string, string>>): Uint8Array =>
  Buffer.from(`${JSON.stringify({ [op_type]: target })}\n`, 'utf8');

const pathOf = (index: string | null): string =>
  index === null ? BULK : `/${encodeURIComponent(index)}${BULK}`;

/** Lines of events that differ. */
const ownLines = (batch: EventBatch, index: EventText, { op_type, document_id }: ActionOptions): Actions => {
  const lines: (Uint8Array | null)[] = [];
  const unrouted = itemsByReason();
  const indexMisfit = limitOf(index, LIMITS['opensearch.index']);
  const idMisfit = document_id === null ? null : limitOf(document_id, LIMITS['opensearch.document_id']);
  let bytes = 0;
  for (const [item, event] of batch.texts().entries()) {
    const document = parsedJson(event);
    const name = index.text(document);
    const id = document_id?.text(document) ?? null;
    const problem =
      name === null
        ? unroutable(index, document)
        : (indexMisfit(name) ?? (id === null ? null : (idMisfit?.(id) ?? null)));
    if (problem !== null) {
      unrouted.add(problem, item);
      lines.push(null);
      continue;
    }
    const line = lineOf(op_type, {
      ...(name === null || index.constant !== null ? {} : { _index: name }),
      ...(id === null ? {} : { _id: id }),
    });
    bytes += line.byteLength;
    lines.push(line);
  }
  return {
    path: pathOf(index.constant),
    lineOf: (item) => lines[item] ?? null,
    bytes,
    unrouted: unrouted.groups,
  };
};

/** Makes the actions of a batch. Events of equal lines are not parsed. */
const actionMaker = (options: ActionOptions): ((batch: EventBatch, now: Micros) => Actions) => {
  const common = lineOf(options.op_type, {});
  return (batch, now) => {
    const index = options.index(now);
    return index.constant !== null && options.document_id === null
      ? {
          path: pathOf(index.constant),
          lineOf: () => common,
          bytes: common.byteLength * batch.count,
          unrouted: NONE,
        }
      : ownLines(batch, index, options);
  };
};
