import type { EventHead } from '../domain/events/eventHead.js';
import { type TailLimits, widest } from '../domain/events/tail.js';
import type { Tails } from '../ports/tails.js';
import type { PipelineEvent, PipelineHandle, PipelineHost } from './port.js';

interface Watcher {
  readonly limits: TailLimits;
  readonly onHeads: (heads: readonly EventHead[]) => void;
}

/** Looking on at pipelines: the port for those who do, and what must stand around the host that runs them. */
export interface TailHub {
  readonly tails: Tails;
  readonly around: (host: PipelineHost) => PipelineHost;
}

/** A pipeline is told only while somebody looks on. */
export const tailHub = (): TailHub => {
  const watchers = new Map<string, Set<Watcher>>();
  /** The run of each generator that was started last and has not ended. */
  const handles = new Map<string, PipelineHandle>();

  const tell = (id: string): void => {
    const all = [...(watchers.get(id) ?? [])];
    handles.get(id)?.tail(widest(all.map(({ limits }) => limits)), (heads) => {
      for (const { onHeads } of watchers.get(id) ?? []) onHeads(heads);
    });
  };

  const startOn =
    (host: PipelineHost): PipelineHost['start'] =>
    (order, listener) => {
      const { id } = order.definition.params;
      const run: { handle: PipelineHandle | null; isOver: boolean } = { handle: null, isOver: false };
      const forget = (): void => {
        run.isOver = true;
        if (run.handle !== null && handles.get(id) === run.handle) handles.delete(id);
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
      // A host may tell the end before it has given the handle.
      if (run.isOver) return handle;
      handles.set(id, handle);
      if (watchers.has(id)) tell(id);
      return handle;
    };

  const open: Tails['open'] = (id, limits, onHeads) => {
    const watcher: Watcher = { limits, onHeads };
    watchers.set(id, (watchers.get(id) ?? new Set()).add(watcher));
    tell(id);
    return () => {
      const all = watchers.get(id);
      if (all?.delete(watcher) !== true) return;
      if (all.size === 0) watchers.delete(id);
      tell(id);
    };
  };
  return { tails: { open }, around: (host) => ({ start: startOn(host) }) };
};
