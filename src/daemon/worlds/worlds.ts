import { dirname, join, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { AskActor } from '../../../actors/ask.js';
import type { WorldHandlers } from '../../../actors/stores/configs.js';
import type { Settings } from '../../config/settings/settings.js';
import { failure, type Result } from '../../domain/errors.js';
import { isJsonObject, type Json } from '../../domain/json.js';
import { ENDED } from '../../domain/waiting.js';
import type { WorldItem, WorldQuestion } from '../../domain/worlds/reports.js';
import type { PreviewHost, PreviewThread } from '../../host/previewHost.js';
import type { UsedWorld } from '../../messages/configs.js';
import type { Clock } from '../../ports/clock.js';
import { generatorsBy } from './usedFiles.js';

/** Questions that the thread works on at a time. */
const MAX_ASKED = 16;
/** The thread ends when nobody has asked for so long; until then it keeps the people that it has made. */
const IDLE_MS = 60_000;

const IDLE = failure('wrong_state', 'nobody has asked for a world');
const BUSY = failure(
  'too_many_requests',
  `${MAX_ASKED} questions about worlds are being answered: try again`,
);

type Asks = (question: WorldQuestion) => Promise<Result<readonly Uint8Array[]>>;

/** Answers questions on a thread of its own: an hour of a large world takes seconds. */
const onThread = (folder: string, host: PreviewHost, clock: Pick<Clock, 'sleepMs'>): Asks => {
  let thread: PreviewThread | null = null;
  let asked = 0;
  let idle = new AbortController();
  const endWhenIdle = async (over: AbortSignal): Promise<void> => {
    await clock.sleepMs(IDLE_MS, over);
    if (!over.aborted) thread?.end(IDLE);
  };
  return async (question) => {
    if (asked >= MAX_ASKED) return E.left(BUSY);
    asked++;
    idle.abort(ENDED);
    if (thread?.isAlive() !== true) thread = host('worlds');
    try {
      return await thread.run({ kind: 'world', folder, question });
    } finally {
      asked--;
      idle = new AbortController();
      if (asked === 0) void endWhenIdle(idle.signal);
    }
  };
};

async function* inOrder(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** Absolute paths of the world files that the inputs of a config name. */
const worldFilesIn = (config: Json, file: string): readonly string[] => {
  const inputs = isJsonObject(config) ? config['input'] : null;
  return (Array.isArray(inputs) ? (inputs as readonly Json[]) : []).flatMap((input) => {
    const world = isJsonObject(input) ? input['world'] : null;
    const path = isJsonObject(world ?? null) ? (world as Record<string, Json>)['path'] : null;
    return typeof path === 'string' ? [resolve(dirname(file), path)] : [];
  });
};

/** Worlds of the service: files in the folder beside the generators. */
export const worldHandlers = (options: {
  readonly generators_dir: string;
  readonly ask: AskActor;
  readonly settings: { readonly path: Pick<Settings['path'], 'worlds'> };
  /** Starts the thread that makes worlds. */
  readonly host: PreviewHost;
  readonly clock: Pick<Clock, 'sleepMs'>;
}): WorldHandlers => {
  const folder = options.settings.path.worlds;
  const asks = onThread(folder, options.host, options.clock);
  return {
    'worlds.list': async () => {
      const listed = await asks({ kind: 'list' });
      if (E.isLeft(listed)) return listed;
      const items = JSON.parse(Buffer.concat(listed.right).toString('utf8')) as readonly WorldItem[];
      const users = await generatorsBy(options, /\bworld\b/, worldFilesIn);
      return E.right(
        items.map(
          (item): UsedWorld => ({ ...item, used_by: users.get(join(folder, `${item.name}.yml`)) ?? [] }),
        ),
      );
    },
    'worlds.ask': async (question) => E.map(inOrder)(await asks(question)),
  };
};
