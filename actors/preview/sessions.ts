import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, type SpateError } from '../../src/domain/errors.js';
import type { OpenTask, ProduceTask, StateTask } from '../../src/domain/preview.js';
import type { PreviewAnswer, PreviewHost } from '../../src/host/previewHost.js';
import type { PreviewRequests } from '../../src/messages/preview.js';
import type { Request } from '../../src/messages/request.js';
import { type Lane, type LanesOptions, previewLanes } from './lanes.js';

/** Event plugins in preview at a time. */
const MAX_SESSIONS = 8;

type Of<K extends keyof PreviewRequests> = Extract<Request<PreviewRequests>, { readonly type: K }>;

/** Event plugins in preview, one per generator directory. */
export interface Sessions {
  /** Builds a plugin, then replaces an earlier one of the directory. */
  readonly open: (request: Of<'preview.open'>, task: OpenTask) => void;
  readonly run: (request: Of<'preview.produce' | 'preview.state'>, task: ProduceTask | StateTask) => void;
  /** Ends the plugin of a directory. Returns an error when there is none. */
  readonly release: (name: string, why: SpateError) => Result<null>;
  readonly endAll: (why: SpateError) => void;
}

const REPLACED = failure('wrong_state', 'the event plugin in preview was replaced by another one');

const FULL = failure(
  'too_many_requests',
  `${MAX_SESSIONS} event plugins are in preview, the limit: release one with DELETE; each ends after 15 minutes without a request`,
);

const noPlugin = (name: string): SpateError =>
  failure(
    'not_ready',
    `"${name}" has no event plugin in preview: post one to /preview/${name}/event-plugin; it ends after 15 minutes without a request`,
  );

async function* inOrder(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

export const asBytes: (answer: PreviewAnswer) => Result<AsyncIterable<Uint8Array>> = E.map(inOrder);

const isLive = ({ thread, next }: Lane): boolean => thread?.isAlive() === true || next !== null;

export const previewSessions = (host: PreviewHost, options: Omit<LanesOptions, 'isOver'>): Sessions => {
  const lanes = previewLanes({ ...options, isOver: (lane) => !isLive(lane) });
  const liveOthers = (name: string): number =>
    lanes.names().filter((other) => {
      const lane = lanes.find(other);
      return other !== name && lane !== undefined && isLive(lane);
    }).length;

  return {
    open: (request, task) => {
      const { name } = request.payload;
      if (liveOthers(name) >= MAX_SESSIONS) return request.reply(E.left(FULL));
      const lane = lanes.open(name);
      lanes.queue(lane, request, async () => {
        const next = host(`preview:${name}`);
        lane.next = next;
        const built = await next.run(task);
        lane.next = null;
        if (E.isLeft(built)) {
          next.end(built.left);
          return request.reply(built);
        }
        lane.thread?.end(REPLACED);
        lane.thread = next;
        request.reply(E.right(null));
      });
    },
    run: (request, task) => {
      const { name } = request.payload;
      const lane = lanes.find(name);
      if (lane === undefined) return request.reply(E.left(noPlugin(name)));
      lanes.queue(lane, request, async () => {
        const { thread } = lane;
        request.reply(thread === null ? E.left(noPlugin(name)) : asBytes(await thread.run(task)));
      });
    },
    release: (name, why) => {
      const lane = lanes.find(name);
      const wasLive = lane !== undefined && isLive(lane);
      if (lane !== undefined) lanes.end(lane, why);
      return wasLive ? E.right(null) : E.left(noPlugin(name));
    },
    endAll: lanes.endAll,
  };
};
