import { MAX_REFUSED_UNITS, type Refusals } from './documents.js';
import { generatorKey } from './keys.js';
import { sameTexts } from './placement.js';
import { NO_UNITS, type UnitTable } from './unitTable.js';

/** What one node cannot run. */
export interface OwnRefusals {
  readonly setTable: (table: UnitTable) => void;
  /** Returns whether it is news. */
  readonly add: (unit: string, reason: string) => boolean;
  readonly remove: (unit: string) => void;
  /** Generators by key that this node lacks, whatever its units say. Returns whether they changed. */
  readonly setLacking: (generators: ReadonlyMap<string, string>) => boolean;
  readonly has: (unit: string) => boolean;
  /** Units that were refused by name. */
  readonly units: () => Iterable<string>;
  /** Reasons by unit or key of a generator. */
  readonly all: () => ReadonlyMap<string, string>;
  /** For the node's document. */
  readonly grouped: () => readonly Refusals[];
  /** Rises with each change. */
  readonly version: () => number;
}

const grouped = (refused: ReadonlyMap<string, string>): readonly Refusals[] => {
  const units = new Map<string, string[]>();
  for (const [unit, reason] of refused) {
    const found = units.get(reason);
    if (found === undefined) units.set(reason, [unit]);
    else found.push(unit);
  }
  return [...units].map(([reason, names]) => ({ reason, units: names }));
};

export const makeRefusals = (): OwnRefusals => {
  const refused = new Map<string, string>();
  let lacking: ReadonlyMap<string, string> = new Map();
  /** Units with a generator that is lacking. */
  let incomplete: ReadonlySet<string> = new Set();
  let table = NO_UNITS;
  let groups: readonly Refusals[] = [];
  let version = 0;

  const change = (): void => {
    // A node with more takes none: the rest would only make its document too large to be read.
    groups = grouped(new Map([...lacking, ...refused].slice(0, MAX_REFUSED_UNITS + 1)));
    version += 1;
  };

  const findIncomplete = (): void => {
    const found =
      lacking.size === 0
        ? []
        : table.units.filter(({ generators }) => generators.some(({ id }) => lacking.has(generatorKey(id))));
    incomplete = new Set(found.map(({ name }) => name));
  };

  return {
    setTable: (next) => {
      table = next;
      findIncomplete();
      const gone = [...refused.keys()].filter((unit) => !next.numberOfUnit.has(unit));
      for (const unit of gone) refused.delete(unit);
      if (gone.length > 0) change();
    },
    add: (unit, reason) => {
      if (!table.numberOfUnit.has(unit) || refused.get(unit) === reason) return false;
      refused.set(unit, reason);
      change();
      return true;
    },
    remove: (unit) => {
      if (refused.delete(unit)) change();
    },
    setLacking: (generators) => {
      if (sameTexts([...lacking].flat(), [...generators].flat())) return false;
      lacking = generators;
      findIncomplete();
      change();
      return true;
    },
    has: (unit) => refused.has(unit) || incomplete.has(unit),
    units: () => refused.keys(),
    all: () => new Map([...lacking, ...refused]),
    grouped: () => groups,
    version: () => version,
  };
};
