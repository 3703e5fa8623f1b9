import * as E from 'fp-ts/lib/Either.js';
import { fromCallback } from 'xstate';
import { failure, type Result } from '../../src/domain/errors.js';
import type { PipelineEvent, PipelineHost, PipelineOrder, PipelinePatch } from '../../src/host/port.js';

type PipelineCommand =
  | { readonly type: 'drain' }
  | { readonly type: 'giveUp' }
  | { readonly type: 'patch'; readonly patch: PipelinePatch; readonly reply: PatchReply };

type PatchReply = (answer: Result<null>) => void;

/** Exactly one end, and nothing after it. */
export type PipelineNews =
  | { readonly type: 'pipeline.running' }
  | { readonly type: 'pipeline.completed' }
  | { readonly type: 'pipeline.drained' }
  /** The machine replies once it has the new definition. */
  | { readonly type: 'pipeline.patched'; readonly patch: PipelinePatch; readonly reply: PatchReply }
  | ({ readonly type: 'pipeline.failed' } & Omit<Extract<PipelineEvent, { type: 'failed' }>, 'type'>);

export interface PipelineInput {
  readonly host: PipelineHost;
  readonly order: PipelineOrder;
  /** Aborted by the next start. A machine that dies of a throw does not stop its pipeline; the lease does. */
  readonly lease: AbortSignal;
}

const ENDED = failure('wrong_state', 'the generator ended before the patch was in force');

const newsOf = (event: PipelineEvent): PipelineNews => {
  switch (event.type) {
    case 'running':
      return { type: 'pipeline.running' };
    case 'completed':
      return { type: 'pipeline.completed' };
    case 'drained':
      return { type: 'pipeline.drained' };
    case 'failed':
      return { type: 'pipeline.failed', error: event.error, isDisplaced: event.isDisplaced };
  }
};

/** Runs one pipeline while its state is active. */
export const pipelineLogic = fromCallback<PipelineCommand, PipelineInput, PipelineNews>(
  ({ input, sendBack, receive }) => {
    const handle = input.host.start(input.order, (event) => {
      if (!input.lease.aborted) sendBack(newsOf(event));
    });
    const abort = (): void => handle.abort();
    input.lease.addEventListener('abort', abort, { once: true });
    let isOver = false;
    receive((command) => {
      if (command.type === 'drain') return handle.drain();
      if (command.type === 'giveUp') return handle.giveUp();
      const { patch, reply } = command;
      // `patch` of a host never rejects.
      void handle.patch(patch).then((patched) => {
        if (E.isLeft(patched)) reply(patched);
        else if (isOver) reply(E.left(ENDED));
        else sendBack({ type: 'pipeline.patched', patch, reply });
      });
    });
    return () => {
      isOver = true;
      input.lease.removeEventListener('abort', abort);
      handle.abort();
    };
  },
);
