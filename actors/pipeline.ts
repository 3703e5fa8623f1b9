import { fromCallback } from 'xstate';
import type { PipelineEvent, PipelineHost, PipelineOrder } from '../src/host/port.js';

/** What the generator machine tells its running pipeline. */
export type PipelineCommand = { readonly type: 'drain' };

/** What the generator machine hears; exactly one end, and nothing after it. */
export type PipelineNews =
  | { readonly type: 'pipeline.running' }
  | { readonly type: 'pipeline.completed' }
  | { readonly type: 'pipeline.drained' }
  | ({ readonly type: 'pipeline.failed' } & Omit<Extract<PipelineEvent, { type: 'failed' }>, 'type'>);

export interface PipelineInput {
  readonly host: PipelineHost;
  readonly order: PipelineOrder;
  /**
   * The lease of this generator: taking it ends whatever pipeline of the same generator still runs. An
   * xstate machine that dies of a throw does not stop what it invoked; the lease does.
   */
  readonly lease: AbortSignal;
}

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

/** Owns one running pipeline: started when invoked, gone when the machine leaves its state. */
export const pipelineLogic = fromCallback<PipelineCommand, PipelineInput, PipelineNews>(
  ({ input, sendBack, receive }) => {
    const handle = input.host.start(input.order, (event) => {
      if (!input.lease.aborted) sendBack(newsOf(event));
    });
    const abort = (): void => handle.abort();
    input.lease.addEventListener('abort', abort, { once: true });
    // Draining is the only command there is.
    receive(() => handle.drain());
    return () => {
      input.lease.removeEventListener('abort', abort);
      handle.abort();
    };
  },
);
