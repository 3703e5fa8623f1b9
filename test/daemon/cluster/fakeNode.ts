import * as E from 'fp-ts/lib/Either.js';
import type { NodeDocument } from '../../../src/cluster/documents.js';
import { tasksOf } from '../../../src/cluster/tasks.js';
import type { NodeSight } from '../../../src/cluster/watchedNodes.js';
import type { ClusterNode } from '../../../src/daemon/cluster/node.js';
import { emptyView } from '../../../src/daemon/cluster/view.js';
import { failure, type Result } from '../../../src/domain/errors.js';
import type { StartupEntry } from '../../../src/domain/generator.js';
import type { CallAnswer } from '../../../src/ports/cluster.js';
import { fakeClock } from '../../support/clocks/fakeClock.js';

export const SIGHT: NodeSight = { revision: 1, seenMs: 0, silentMs: 0, isLost: false, isSteady: true };

const DOCUMENT: NodeDocument = {
  ...{
    format: 2,
    session: 's',
    follows: null,
    previous: null,
    since: 0,
    generation: {},
    version: '1',
    api: null,
  },
  ...{ capacity: 1, labels: {}, beat: 1 },
  ...{ load: { generators: 0, events_per_second: 0, cpu: 0 }, local: [], draining: false, refused: [] },
  problems: [],
};

/** Answer of a node to a request; null when it never answers. */
export type FakeAnswer = (type: string) => unknown;

/** A node named `a` with what it would see of others, all of it settable. */
export const fakeNode = () => {
  const clock = fakeClock();
  const view = emptyView('a');
  const sights = new Map<string, Partial<NodeSight>>();
  const holders = new Map<string, string>();
  const owners = new Map<string, string>();
  const answers = new Map<string, FakeAnswer>();
  const asked: string[] = [];
  const removed: (readonly [key: string, replaces: number | null])[] = [];
  const state = { isNameTaken: false, phase: 'member', denied: [] as readonly string[], isConflict: false };

  const call = (name: string, request: Uint8Array, timeout_ms: number): Promise<Result<CallAnswer>> => {
    const { type } = JSON.parse(new TextDecoder().decode(request)) as { type: string };
    asked.push(`${name} ${type}`);
    const answer = answers.get(name)?.(type) ?? null;
    if (answer === null)
      return new Promise((resolve) =>
        clock.after(timeout_ms, () => resolve(E.left(failure('timed_out', `node ${name}: no answer`)))),
      );
    const head = new TextEncoder().encode(JSON.stringify({ right: answer }));
    return Promise.resolve(E.right({ head, stream: null }));
  };
  const remove = async (key: string, replaces: number | null): Promise<Result<null>> => {
    removed.push([key, replaces]);
    return state.isConflict ? E.left(failure('precondition_failed', 'changed')) : E.right(null);
  };
  const node = {
    view,
    link: {
      calls: { call },
      isConnected: () => true,
      operations: () => ({ reads: 0, writes: 0 }),
      denied: () => state.denied,
      nodes: { remove },
      startup: { remove },
    },
    member: {
      sightOf: (name: string): NodeSight => ({ ...SIGHT, ...sights.get(name) }),
      holderOf: (key: string) => holders.get(key) ?? null,
      ownerOf: (task: string) => owners.get(task) ?? null,
      report: () => ({
        ...{ phase: state.phase, isNameTaken: state.isNameTaken, isolations: 0, moves: 0, takeovers: 0 },
        takeover_ms: { last: 0, max: 0 },
      }),
    },
    wanted: { note: () => {} },
  } as unknown as ClusterNode;

  return {
    ...{ clock, node, view, sights, holders, owners, answers, asked, removed, state },
    addNode: (name: string, more: Partial<NodeDocument> = {}): void =>
      void view.nodes.set(name, { ...DOCUMENT, ...more }),
    addEntries: (...entries: readonly (Pick<StartupEntry, 'id'> & Partial<StartupEntry>)[]): void => {
      const base = {
        path: '/g/web/generator.yml',
        scenarios: [],
        partitions: 1,
        runs_on: {},
        autostart: true,
      };
      const all = entries.map((entry) => ({ ...base, ...entry }) as unknown as StartupEntry);
      view.entries = new Map(all.map((entry) => [entry.id, entry]));
      view.tasks = tasksOf(all);
    },
  };
};
