import type { Members } from '../../actors/generators/generators.js';
import type { StartupEntry } from '../domain/generator.js';

/** Who is in which scenario: by the startup list as it was last read or changed, and by what runs. */
export interface Membership extends Members {
  readonly noteEntries: (entries: readonly StartupEntry[]) => void;
  /** Scenarios that exist: an entry of the list names them, or a generator that runs joined them. */
  readonly names: () => ReadonlySet<string>;
  /** Generators that run, with the scenarios that each joined when it started. */
  readonly running: () => ReadonlyMap<string, readonly string[]>;
}

/** Membership of an instance; a generator that the list does not have joins nothing. */
export const membership = (): Membership => {
  let listed: ReadonlyMap<string, readonly string[]> = new Map();
  const running = new Map<string, readonly string[]>();
  /** Asked for with every request about globals, so it is made once per change. */
  let names: ReadonlySet<string> | null = null;
  return {
    noteEntries: (entries) => {
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

/** Outside of an instance a generator has the scenarios that it was registered with. */
export const NO_MEMBERSHIP: Members = {
  atStart: (_id, registered) => registered,
  joined: () => {},
  left: () => {},
};
