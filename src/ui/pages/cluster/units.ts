import type { ClusterUnit } from '../../../messages/cluster.js';

export interface ViewOfUnits {
  readonly filter: string;
  /** Only units without a node, and those that move. */
  readonly isTroubled: boolean;
}

/** What people call a unit: its scenarios, or its generator or partition. */
export const titleOf = ({ name, scenarios, generator_ids: [id] }: ClusterUnit): string =>
  scenarios.length > 0 ? scenarios.join(', ') : (id ?? name);

const isMoving = ({ node, owner }: ClusterUnit): boolean => node !== null && owner !== null && node !== owner;

/** Returns why the place of a unit is not final, or null when it is. */
export const troubleOf = (unit: ClusterUnit): string | null => {
  if (unit.problem !== null) return unit.problem;
  return isMoving(unit) ? `moves to ${unit.owner ?? ''}` : null;
};

const textsOf = ({ name, node, problem, generator_ids, scenarios }: ClusterUnit): readonly string[] => [
  name,
  node ?? '',
  problem ?? '',
  ...generator_ids,
  ...scenarios,
];

/** The units of a view: those in trouble first, then by title. */
export const shownUnits = (
  units: readonly ClusterUnit[],
  { filter, isTroubled }: ViewOfUnits,
): readonly ClusterUnit[] => {
  const wanted = filter.trim().toLowerCase();
  return units
    .filter(
      (unit) =>
        (!isTroubled || troubleOf(unit) !== null) &&
        textsOf(unit).some((text) => text.toLowerCase().includes(wanted)),
    )
    .toSorted(
      (a, b) =>
        Number(troubleOf(a) === null) - Number(troubleOf(b) === null) || titleOf(a).localeCompare(titleOf(b)),
    );
};

/** Links that a row has room for. */
const SHOWN_MEMBERS = 3;

/** The first members of a unit, and how many more it has. */
export const membersOf = ({
  generator_ids,
}: ClusterUnit): { readonly ids: readonly string[]; readonly more: number } => {
  const count = generator_ids.length > SHOWN_MEMBERS + 1 ? SHOWN_MEMBERS : generator_ids.length;
  return { ids: generator_ids.slice(0, count), more: generator_ids.length - count };
};

export interface UnitCounts {
  readonly held: number;
  readonly troubled: number;
}

export const countsOf = (units: readonly ClusterUnit[]): UnitCounts => ({
  held: units.filter(({ node }) => node !== null).length,
  troubled: units.filter((unit) => troubleOf(unit) !== null).length,
});
