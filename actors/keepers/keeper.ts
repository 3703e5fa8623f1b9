import * as E from 'fp-ts/lib/Either.js';
import { assign, fromPromise, setup } from 'xstate';
import { failure, type Result, reasonOf } from '../../src/domain/errors.js';

/** Requests that may wait for their turn at one keeper. */
const MAX_QUEUE = 1_000;
/** Requests that may be answered beside the one whose turn it is; more wait for their turn. */
const MAX_BESIDE = 64;

/** A request of any table; each keeper knows its own. */
export interface Waiting {
  readonly type: string;
  readonly reply: (answer: Result<never>) => void;
}

/**
 * A keeper owns something that must have a single writer (a file, a state). Its requests queue in this
 * actor and are handled one at a time, each to its end, so no two edits ever interleave.
 *
 * `handle` must answer through `reply`; whatever it throws becomes a `bug` answer and the keeper goes on.
 *
 * `beside` is for what only reads and need not wait for edits that are under way: it begins to answer at once,
 * or gives `null`. Its promise is false when the request has to wait for its turn after all. It must not throw
 * before its promise is there.
 */
export const keeper = <R extends Waiting>(
  handle: (request: R) => Promise<void>,
  beside: (request: R) => Promise<boolean> | null = () => null,
) => {
  const left = new WeakSet<Waiting>();
  let answering = 0;

  /** Whether a request is answered without its turn; `again` sends it once more if that comes to nothing. */
  const isBeside = (request: Waiting, again: (request: Waiting) => void): boolean => {
    if (answering >= MAX_BESIDE || left.has(request)) return false;
    // Only requests of its own table are sent to a keeper.
    const answer = beside(request as R);
    if (answer === null) return false;
    answering++;
    const finish = (isAnswered: boolean): void => {
      answering--;
      if (isAnswered) return;
      left.add(request);
      again(request);
    };
    answer.then(finish, (thrown: unknown) => {
      request.reply(E.left(failure('bug', `${request.type}: ${reasonOf(thrown)}`)));
      finish(true);
    });
    return true;
  };

  return setup({
    types: {
      context: {} as { readonly queue: readonly Waiting[] },
      events: {} as Waiting,
    },
    actors: {
      handle: fromPromise(async ({ input }: { input: Waiting | undefined }) => {
        if (input === undefined) return;
        try {
          // Only requests of its own table are sent to a keeper.
          await handle(input as R);
        } catch (thrown) {
          input.reply(E.left(failure('bug', `${input.type}: ${reasonOf(thrown)}`)));
        }
      }),
    },
    actions: {
      enqueue: assign(({ context, event, self }) => {
        if (isBeside(event, (request) => self.send(request))) return context;
        if (context.queue.length < MAX_QUEUE) return { queue: [...context.queue, event] };
        event.reply(
          E.left(failure('too_many_requests', `${event.type}: ${MAX_QUEUE} requests wait already`)),
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
          // `handle` catches everything; this is only what a thrown `reply` could leave.
          onError: { target: 'idle', actions: 'dequeue' },
        },
      },
    },
  });
};
