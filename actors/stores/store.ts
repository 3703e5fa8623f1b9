import * as E from 'fp-ts/lib/Either.js';
import { assign, fromPromise, setup } from 'xstate';
import { failure, type Result, thrownError } from '../../src/domain/errors.js';

const MAX_QUEUE = 1_000;
/** Reads answered out of turn at a time; more wait for their turn. */
const MAX_OUT_OF_TURN = 64;

export interface StoreRequest {
  readonly type: string;
  readonly reply: (answer: Result<never>) => void;
}

/**
 * Single writer of a file or a state: requests queue and are handled one at a time, so edits never interleave.
 * `handle` must reply; a throw becomes a `bug` answer. `readNow` answers a read without its turn, or returns `null`;
 * it must not throw synchronously. False: the read takes its turn after all.
 */
export const storeLogic = <R extends StoreRequest>(
  handle: (request: R) => Promise<void>,
  readNow: (request: R) => Promise<boolean> | null = () => null,
) => {
  const returned = new WeakSet<StoreRequest>();
  let reading = 0;

  /** Starts a read out of turn; `again` queues it if that fails. */
  const isReadNow = (request: StoreRequest, again: (request: StoreRequest) => void): boolean => {
    if (reading >= MAX_OUT_OF_TURN || returned.has(request)) return false;
    const answer = readNow(request as R);
    if (answer === null) return false;
    reading++;
    const finish = (isAnswered: boolean): void => {
      reading--;
      if (isAnswered) return;
      returned.add(request);
      again(request);
    };
    answer.then(finish, (thrown: unknown) => {
      request.reply(E.left(thrownError(request.type, thrown)));
      finish(true);
    });
    return true;
  };

  return setup({
    types: {
      context: {} as { readonly queue: readonly StoreRequest[] },
      events: {} as StoreRequest,
    },
    actors: {
      handle: fromPromise(async ({ input }: { input: StoreRequest | undefined }) => {
        if (input === undefined) return;
        try {
          await handle(input as R);
        } catch (thrown) {
          input.reply(E.left(thrownError(input.type, thrown)));
        }
      }),
    },
    actions: {
      enqueue: assign(({ context, event, self }) => {
        if (isReadNow(event, (request) => self.send(request))) return context;
        if (context.queue.length < MAX_QUEUE) return { queue: [...context.queue, event] };
        event.reply(
          E.left(failure('too_many_requests', `${event.type}: ${MAX_QUEUE} requests are already waiting`)),
        );
        return context;
      }),
      dequeue: assign(({ context }) => ({ queue: context.queue.slice(1) })),
    },
    guards: {
      hasWork: ({ context }) => context.queue.length > 0,
    },
  }).createMachine({
    context: { queue: [] },
    on: { '*': { actions: 'enqueue' } },
    initial: 'idle',
    states: {
      idle: { always: { guard: 'hasWork', target: 'handling' } },
      handling: {
        invoke: {
          src: 'handle',
          input: ({ context }) => context.queue[0],
          onDone: { target: 'idle', actions: 'dequeue' },
          onError: { target: 'idle', actions: 'dequeue' },
        },
      },
    },
  });
};
