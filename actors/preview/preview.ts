import * as E from 'fp-ts/lib/Either.js';
import { fromCallback } from 'xstate';
import { failure, type Result, type SpateError, thrownError } from '../../src/domain/errors.js';
import type { TemplateLimits } from '../../src/domain/generator.js';
import type { OpenTask, PreviewTask, ProduceTask, StateTask } from '../../src/domain/preview.js';
import type { PreviewAnswer, PreviewHost } from '../../src/host/previewHost.js';
import type { PreviewRequests } from '../../src/messages/preview.js';
import type { Request } from '../../src/messages/request.js';
import type { Clock } from '../../src/ports/clock.js';
import type { GeneratorDirectories } from '../../src/ports/files.js';
import type { Log } from '../../src/ports/log.js';
import { type Lane, type LanesOptions, previewLanes } from './lanes.js';

/** Event plugins in preview at a time. */
const MAX_SESSIONS = 8;

type Of<K extends keyof PreviewRequests> = Extract<Request<PreviewRequests>, { readonly type: K }>;

/** Event plugins in preview, one per generator directory. */
interface Sessions {
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

const asBytes: (answer: PreviewAnswer) => Result<AsyncIterable<Uint8Array>> = E.map(inOrder);

const isLive = ({ thread, next }: Lane): boolean => thread?.isAlive() === true || next !== null;

const previewSessions = (host: PreviewHost, options: Omit<LanesOptions, 'isOver'>): Sessions => {
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

/** Messages of the daemon, next to the requests of the API. */
export interface PreviewCommands {
  /** Ends the preview of a deleted directory. */
  'preview.forget': { payload: { readonly name: string }; answer: null };
  /** Ends all previews before the daemon stops. */
  'preview.end_all': { payload: null; answer: null };
}

export type PreviewMessage = Request<PreviewRequests> | Request<PreviewCommands>;

export interface PreviewInput {
  readonly directories: Pick<GeneratorDirectories, 'readConfig' | 'configPath'>;
  readonly host: PreviewHost;
  /** Default of requests without a time zone. */
  readonly timezone: () => string;
  /** Read for each plugin: a reload may change them. */
  readonly template_limits: () => TemplateLimits;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly log: Log;
}

type Api = Request<PreviewRequests>;
type LogTimesRequest = Extract<Api, { type: 'preview.log_times' }>;
type LearnRequest = Extract<Api, { type: 'preview.learn' }>;
type InDirectory = Exclude<Api, LogTimesRequest | LearnRequest>;
type Shared =
  | Extract<Api, { type: 'preview.timestamps' | 'preview.format' | 'preview.normalize' }>
  | LogTimesRequest;

const STOPPING = failure('unavailable', 'the service is stopping');
const DONE = failure('wrong_state', 'the preview has ended');
const LEFT = failure('unavailable', 'the client has left');
const RELEASED = failure('wrong_state', 'the event plugin in preview was released');

const rest = <P extends { readonly name: string }>({ name: _name, ...task }: P): Omit<P, 'name'> => task;

type SharedLane = 'timestamps' | 'texts' | 'logs';

/** Stateless previews take turns on three threads, which are reopened when they have ended; learning has processes. */
const sharedThreads = ({ host, clock, log }: PreviewInput) => {
  const lanes = previewLanes({ clock, log, isOver: () => false });
  return {
    run: (name: SharedLane, request: Shared, task: PreviewTask): void => {
      const lane = lanes.open(name);
      lanes.queue(lane, request, async () => {
        if (lane.thread?.isAlive() !== true) lane.thread = host(`preview:${name}`);
        request.reply(asBytes(await lane.thread.run(task)));
      });
    },
    /** Its process ends with the answer, which frees its memory, and when its client leaves: others wait. */
    learn: (request: LearnRequest, task: PreviewTask): void => {
      const { gone } = request.payload.upload;
      const lane = lanes.open('learn');
      lanes.queue(lane, request, async () => {
        if (gone?.aborted === true) return request.reply(E.left(LEFT));
        const thread = host('preview:learn', 'learn');
        lane.thread = thread;
        const leave = (): void => thread.end(LEFT);
        gone?.addEventListener('abort', leave, { once: true });
        const answer = await thread.run(task);
        gone?.removeEventListener('abort', leave);
        thread.end(DONE);
        request.reply(asBytes(answer));
      });
    },
    endAll: lanes.endAll,
  };
};

const learnTask = (
  { payload: { upload, timezone, ...task } }: LearnRequest,
  input: Pick<PreviewInput, 'directories' | 'timezone'>,
): PreviewTask => {
  const path = input.directories.configPath(task.name);
  return {
    kind: 'learn',
    ...task,
    file: upload.file,
    timezone: timezone ?? input.timezone(),
    config_file: path.slice(path.lastIndexOf('/') + 1),
  };
};

/** Dispatches a request; `context`: its directory and the settings in force. */
const dispatchTo = (
  shared: ReturnType<typeof sharedThreads>,
  sessions: Sessions,
  request: InDirectory,
  context: Pick<OpenTask, 'directory' | 'timezone' | 'template_limits'>,
): void => {
  const { directory, timezone } = context;
  switch (request.type) {
    case 'preview.timestamps':
      return shared.run('timestamps', request, { kind: 'timestamps', directory, ...rest(request.payload) });
    case 'preview.format':
      return shared.run('texts', request, { kind: 'format', ...context, ...rest(request.payload) });
    case 'preview.normalize':
      return shared.run('texts', request, { kind: 'normalize', ...rest(request.payload) });
    case 'preview.open': {
      const { event, files, inputs, timezone: wanted } = request.payload;
      return sessions.open(request, {
        ...{ kind: 'open', ...context, event, files, inputs },
        timezone: wanted ?? timezone,
      });
    }
    case 'preview.produce':
      return sessions.run(request, { kind: 'produce', timestamps: request.payload.timestamps });
    case 'preview.state':
      return sessions.run(request, { kind: 'state', ...rest(request.payload) });
    case 'preview.release':
      return request.reply(sessions.release(request.payload.name, RELEASED));
  }
};

/** Threads: one for timestamps, one for texts, one for samples of logs, one per event plugin, so that a bad plugin harms no other. Learning has a process. */
export const previewLogic = fromCallback<PreviewMessage, PreviewInput>(({ input, receive }) => {
  const { directories } = input;
  const shared = sharedThreads(input);
  const sessions = previewSessions(input.host, input);

  const endAll = (): void => {
    shared.endAll(STOPPING);
    sessions.endAll(STOPPING);
  };
  const dispatch = async (message: PreviewMessage): Promise<void> => {
    if (message.type === 'preview.end_all') {
      endAll();
      return message.reply(E.right(null));
    }
    if (message.type === 'preview.log_times')
      return shared.run('logs', message, { kind: 'log_times', ...message.payload });
    if (message.type === 'preview.learn') return shared.learn(message, learnTask(message, input));
    const { name } = message.payload;
    if (message.type === 'preview.forget') {
      sessions.release(name, RELEASED);
      return message.reply(E.right(null));
    }
    const config = await directories.readConfig(name);
    if (E.isLeft(config)) {
      // It may have been removed by hand.
      if (config.left.code === 'not_found') sessions.release(name, config.left);
      return (message.reply as (answer: Result<never>) => void)(config);
    }
    const path = directories.configPath(name);
    const directory = path.slice(0, path.lastIndexOf('/'));
    dispatchTo(shared, sessions, message, {
      directory,
      timezone: input.timezone(),
      template_limits: input.template_limits(),
    });
  };
  receive((message) => {
    dispatch(message).catch((thrown: unknown) => {
      const refuse = message.reply as (answer: Result<never>) => void;
      refuse(E.left(thrownError(message.type, thrown)));
    });
  });
  return endAll;
});
