import { type TailLimits, type TailSample, widest } from '../domain/events/tail.js';
import { generatorIdOf } from '../domain/partitions.js';
import type { Tails } from '../ports/tails.js';
import type { PipelineEvent, PipelineHandle, PipelineHost } from './port.js';

interface Viewer {
  readonly limits: TailLimits;
  readonly onSample: (sample: TailSample) => void;
}

export interface TailHub {
  readonly tails: Tails;
  /** Wraps the host that runs the pipelines. */
  readonly wrap: (host: PipelineHost) => PipelineHost;
}

export const tailHub = (): TailHub => {
  const viewers = new Map<string, Set<Viewer>>();
  /** The last started run of each generator and partition, until it ends, by generator. */
  const handles = new Map<string, Map<string, PipelineHandle>>();

  const tell = (id: string): void => {
    const all = [...(viewers.get(id) ?? [])];
    for (const handle of handles.get(id)?.values() ?? []) {
      handle.tail(widest(all.map(({ limits }) => limits)), (sample) => {
        for (const { limits, onSample } of viewers.get(id) ?? [])
          if (limits.find === sample.find) onSample(sample);
      });
    }
  };

  const startOn =
    (host: PipelineHost): PipelineHost['start'] =>
    (order, listener) => {
      const { id: run_id } = order.definition.params;
      const id = generatorIdOf(run_id);
      const run: { handle: PipelineHandle | null; isOver: boolean } = { handle: null, isOver: false };
      const forget = (): void => {
        run.isOver = true;
        const own = handles.get(id);
        if (run.handle === null || own?.get(run_id) !== run.handle) return;
        own.delete(run_id);
        if (own.size === 0) handles.delete(id);
      };
      const inner = host.start(order, (event: PipelineEvent) => {
        if (event.type !== 'running') forget();
        listener(event);
      });
      const handle: PipelineHandle = {
        ...inner,
        abort: () => {
          forget();
          inner.abort();
        },
      };
      run.handle = handle;
      // The host may report the end before it returns the handle.
      if (run.isOver) return handle;
      handles.set(id, (handles.get(id) ?? new Map<string, PipelineHandle>()).set(run_id, handle));
      if (viewers.has(id)) tell(id);
      return handle;
    };

  const open: Tails['open'] = (id, limits, onSample) => {
    const viewer: Viewer = { limits, onSample };
    viewers.set(id, (viewers.get(id) ?? new Set()).add(viewer));
    tell(id);
    return () => {
      const all = viewers.get(id);
      if (all?.delete(viewer) !== true) return;
      if (all.size === 0) viewers.delete(id);
      tell(id);
    };
  };
  return { tails: { open }, wrap: (host) => ({ start: startOn(host) }) };
};
