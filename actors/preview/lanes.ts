import { type Actor, createActor } from 'xstate';
import { failure, type Result, reasonOf, type SpateError } from '../../src/domain/errors.js';
import type { PreviewThread } from '../../src/host/previewHost.js';

import type { Clock } from '../../src/ports/clock.js';
import type { Log } from '../../src/ports/log.js';
import { laneMachine } from './lane.js';

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
