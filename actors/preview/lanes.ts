import * as E from 'fp-ts/lib/Either.js';
import { type Actor, assign, createActor, fromPromise, setup } from 'xstate';
import { failure, type Result, reasonOf, type SpateError, thrownError } from '../../src/domain/errors.js';
import type { PreviewThread } from '../../src/host/previewHost.js';
import type { Clock } from '../../src/ports/clock.js';
import type { Log } from '../../src/ports/log.js';

const IDLE = failure('wrong_state', 'the preview ended after 15 minutes without a request');

/** A queue of previews and their thread. */
export interface Lane {
  readonly actor: Actor<typeof laneMachine>;
  /** `null` before the first preview. */
  thread: PreviewThread | null;
  /** Replaces `thread` once its plugin is built. */
  next: PreviewThread | null;
}

interface LaneRequest {
  readonly type: string;
  readonly reply: unknown;
}

export interface LanesOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly log: Log;
  /** Called when a lane is idle; true ends it. Total. */
  readonly isOver: (lane: Lane) => boolean;
}

interface Lanes {
  readonly find: (name: string) => Lane | undefined;
  readonly open: (name: string) => Lane;
  readonly names: () => readonly string[];
  /** `run` must reply. */
  readonly queue: (lane: Lane, request: LaneRequest, run: () => Promise<void>) => void;
  /** Ends a lane at once; its previews are answered with the error. */
  readonly end: (lane: Lane, why: SpateError) => void;
  readonly endAll: (why: SpateError) => void;
}

const endThreads = ({ thread, next }: Lane, why: SpateError): void => {
  thread?.end(why);
  next?.end(why);
};

export const previewLanes = ({ clock, log, isOver }: LanesOptions): Lanes => {
  const lanes = new Map<string, Lane>();

  const open = (name: string): Lane => {
    const known = lanes.get(name);
    if (known !== undefined) return known;
    const actor = createActor(laneMachine, {
      input: { isOver: () => isOver(lane), monotonicMs: clock.monotonicMs },
    });
    const lane: Lane = { actor, thread: null, next: null };
    const forget = (): void => {
      lanes.delete(name);
      endThreads(lane, IDLE);
    };
    actor.subscribe({
      complete: forget,
      // Without an error listener a failing top-level actor would end the daemon.
      error: (thrown) => {
        forget();
        log.write('critical', 'a preview actor failed', { preview: name, reason: reasonOf(thrown) });
      },
    });
    lanes.set(name, lane);
    actor.start();
    return lane;
  };
  const end = (lane: Lane, why: SpateError): void => {
    endThreads(lane, why);
    lane.actor.send({ type: 'end', why });
  };
  return {
    find: (name) => lanes.get(name),
    open,
    names: () => [...lanes.keys()],
    queue: ({ actor }, { type, reply }, run) =>
      actor.send({
        type: 'work',
        what: type,
        run,
        reply: reply as (answer: Result<never>) => void,
        arrivedMs: clock.monotonicMs(),
      }),
    end,
    endAll: (why) => {
      for (const lane of [...lanes.values()]) end(lane, why);
    },
  };
};

const MAX_WAITING = 100;
/** With the deadline of a preview, below the timeout of the request. */
const MAX_WAIT_MS = 45_000;
/** A lane without requests ends after this. */
export const IDLE_MS = 15 * 60_000;

export interface PreviewWork {
  readonly type: 'work';
  readonly what: string;
  /** Must reply; a throw becomes a `bug` answer. */
  readonly run: () => Promise<void>;
  readonly reply: (answer: Result<never>) => void;
  readonly arrivedMs: number;
}

/** `why`: answer to the waiting previews. */
type LaneEvent = PreviewWork | { readonly type: 'end'; readonly why: SpateError };

interface LaneInput {
  /** Called when the lane is idle; true ends it. Total. */
  readonly isOver: () => boolean;
  readonly monotonicMs: () => number;
}

const OVER = failure('wrong_state', 'the preview ended before its turn');

interface LaneContext {
  readonly input: LaneInput;
  readonly waiting: readonly PreviewWork[];
  readonly current: PreviewWork | null;
}

const handle = async (work: PreviewWork, waited_ms: number): Promise<void> => {
  if (waited_ms > MAX_WAIT_MS) {
    const why = `${work.what}: the previews before it took longer than ${MAX_WAIT_MS / 1000} s; try again later`;
    return work.reply(E.left(failure('too_many_requests', why)));
  }
  try {
    await work.run();
  } catch (thrown) {
    work.reply(E.left(thrownError(work.what, thrown)));
  }
};

/** Previews of one thread, one at a time. */
export const laneMachine = setup({
  types: {
    input: {} as LaneInput,
    context: {} as LaneContext,
    events: {} as LaneEvent,
  },
  actors: {
    handle: fromPromise(async ({ input }: { input: LaneContext }) => {
      if (input.current === null) return;
      await handle(input.current, input.input.monotonicMs() - input.current.arrivedMs);
    }),
  },
  actions: {
    enqueue: assign(({ context, event }) => {
      if (event.type !== 'work') return {};
      if (context.waiting.length < MAX_WAITING) return { waiting: [...context.waiting, event] };
      event.reply(
        E.left(failure('too_many_requests', `${event.what}: ${MAX_WAITING} previews are already waiting`)),
      );
      return {};
    }),
    takeNext: assign(({ context }) => ({
      current: context.waiting[0] ?? null,
      waiting: context.waiting.slice(1),
    })),
    refuseAll: assign(({ context, event }) => {
      for (const { reply } of context.waiting) reply(E.left(event.type === 'end' ? event.why : OVER));
      return { waiting: [] };
    }),
  },
  guards: {
    isOver: ({ context }) => context.current !== null && context.input.isOver(),
    hasWork: ({ context }) => context.waiting.length > 0,
  },
  delays: { idle: IDLE_MS },
}).createMachine({
  context: ({ input }) => ({ input, waiting: [], current: null }),
  on: { work: { actions: 'enqueue' }, end: '.ended' },
  initial: 'idle',
  states: {
    idle: {
      always: [
        { guard: 'hasWork', target: 'handling', actions: 'takeNext' },
        { guard: 'isOver', target: 'ended' },
      ],
      after: { idle: 'ended' },
    },
    handling: {
      invoke: {
        src: 'handle',
        input: ({ context }) => context,
        onDone: 'idle',
        onError: 'idle',
      },
    },
    ended: { type: 'final', entry: 'refuseAll' },
  },
});
