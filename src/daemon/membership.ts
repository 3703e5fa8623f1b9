import type { Members } from '../../actors/generators/generators.js';
import { formerEntries } from '../config/startup/entry.js';
import type { StartupList } from '../messages/startup.js';

/** Members of scenarios, by the startup list and by running generators. */
export interface Membership extends Members {
  readonly noteEntries: (list: Pick<StartupList, 'entries' | 'rejected'>) => void;
  /** Scenarios named in the list or joined by a running generator. */
  readonly names: () => ReadonlySet<string>;
  /** Running generators with the scenarios they joined. */
  readonly running: () => ReadonlyMap<string, readonly string[]>;
}

/** A generator outside the list joins nothing. */
export const membership = (): Membership => {
  let listed: ReadonlyMap<string, readonly string[]> = new Map();
  const running = new Map<string, readonly string[]>();
  /** Read by each request about globals, so it is computed once per change. */
  let names: ReadonlySet<string> | null = null;
  return {
    noteEntries: (list) => {
      const former = [...listed].map(([id, scenarios]) => ({ id, scenarios }));
      const entries = [...list.entries, ...formerEntries(former, list)];
      listed = new Map(entries.map(({ id, scenarios }) => [id, scenarios]));
      names = null;
    },
    atStart: (id) => listed.get(id) ?? [],
    joined: (id, scenarios) => {
      running.set(id, scenarios);
      names = null;
    },
    left: (id) => {
      if (running.delete(id)) names = null;
    },
    names: () => {
      names ??= new Set([...listed.values(), ...running.values()].flat());
      return names;
    },
    running: () => running,
  };
};

/** A single run keeps the scenarios of its registration. */
export const NO_MEMBERSHIP: Members = {
  atStart: (_id, registered) => registered,
  joined: () => {},
  left: () => {},
};
