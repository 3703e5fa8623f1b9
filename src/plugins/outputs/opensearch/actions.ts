import type { EventBatch } from '../../../domain/events/eventBatch.js';
import { parsedJson } from '../../../domain/json.js';
import type { Micros } from '../../../domain/time/micros.js';
import type { DatedText, EventText } from '../../shared/text/compile.js';
import { LIMITS } from '../../shared/text/limits.js';
import { limitOf, unroutable } from '../../shared/text/routing.js';
import { itemsByReason } from '../shared/written.js';

/** The line before each event of a request, and the path of the request. */
export interface Actions {
  readonly path: string;
  /** Returns the line of an event, or null when the event has no index. */
  readonly lineOf: (item: number) => Uint8Array | null;
  /** Length of all lines. */
  readonly bytes: number;
  /** Positions of events without an index, by reason. */
  readonly unrouted: ReadonlyMap<string, readonly number[]>;
}

export interface ActionOptions {
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
export const actionMaker = (options: ActionOptions): ((batch: EventBatch, now: Micros) => Actions) => {
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
