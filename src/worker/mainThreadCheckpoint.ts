import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../domain/errors.js';
import type { FromWorker, RunJob, ToWorker } from '../host/protocol.js';
import type { CheckpointSlot } from './checkpoint.js';

/** The checkpoint of a run that the main thread stores: in a cluster, where another node may read it. */
export const mainThreadCheckpoint = (
  { run, definition }: Pick<RunJob, 'run' | 'definition'>,
  post: (message: FromWorker) => void,
): {
  readonly slot: CheckpointSlot;
  readonly onAnswer: (message: Extract<ToWorker, { type: 'checkpoint.answer' }>) => void;
} => {
  const waiting = new Map<number, (answer: Result<string | null>) => void>();
  let requests = 0;
  const ask = (text: string | null): Promise<Result<string | null>> =>
    new Promise((resolve) => {
      const request = ++requests;
      waiting.set(request, resolve);
      post({ type: 'checkpoint', run, request, text });
    });
  return {
    slot: {
      name: `of generator "${definition.params.id}" in the cluster`,
      read: () => ask(null),
      write: async (text) => E.map(() => undefined)(await ask(text)),
    },
    onAnswer: ({ request, answer }) => {
      waiting.get(request)?.(answer);
      waiting.delete(request);
    },
  };
};
