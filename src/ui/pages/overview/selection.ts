/** Ids of the chosen rows, and the row that a range begins at. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly last: string | null;
}

export const NONE: Selection = { ids: new Set(), last: null };

/** Chooses a row, or gives it up; with `isRange` also every row between it and the last one. */
export const toggled = (
  { ids, last }: Selection,
  shown: readonly string[],
  id: string,
  isRange: boolean,
): Selection => {
  const isOn = !ids.has(id);
  const [from, to] = [last === null ? -1 : shown.indexOf(last), shown.indexOf(id)];
  const changed = isRange && from >= 0 ? shown.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
  const next = new Set(ids);
  for (const one of changed) {
    if (isOn) next.add(one);
    else next.delete(one);
  }
  return { ids: next, last: id };
};

/** Chooses all shown rows, or none if all are chosen. */
export const toggledAll = ({ ids }: Selection, shown: readonly string[]): Selection =>
  shown.every((id) => ids.has(id)) ? NONE : { ids: new Set([...ids, ...shown]), last: null };
