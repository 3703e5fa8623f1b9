import { isInside, renamedPath } from '../paths.js';

/** What tabs and panes need of the storage of a browser. */
export interface LayoutStorage {
  readonly getItem: (key: string) => string | null;
  readonly setItem: (key: string, value: string) => void;
}

/** More open files leave no room for their names; the oldest is closed. */
export const MAX_TABS = 20;

const keyOf = (directory: string): string => `spate:tabs:${directory}`;

/** The open files of a directory, as this tab of the browser remembers them. */
export const readTabs = (storage: LayoutStorage, directory: string): readonly string[] => {
  try {
    const value: unknown = JSON.parse(storage.getItem(keyOf(directory)) ?? '[]');
    const paths = Array.isArray(value)
      ? value.filter((path): path is string => typeof path === 'string')
      : [];
    return [...new Set(paths)].slice(-MAX_TABS);
  } catch {
    return [];
  }
};

export const writeTabs = (storage: LayoutStorage, directory: string, tabs: readonly string[]): void => {
  try {
    storage.setItem(keyOf(directory), JSON.stringify(tabs));
  } catch {
    // A full storage forgets tabs, which costs a click.
  }
};

/** Opens a file. Returns the same list when it is open. */
export const withTab = (tabs: readonly string[], path: string): readonly string[] =>
  tabs.includes(path) ? tabs : [...tabs, path].slice(-MAX_TABS);

/** Closes files: one, or those below a folder. */
export const withoutTabs = (tabs: readonly string[], path: string): readonly string[] =>
  tabs.filter((tab) => !isInside(tab, path));

/** The file that is shown after a close: the right neighbor, else the left one. Null when none is open. */
export const neighborOf = (tabs: readonly string[], path: string): string | null => {
  const at = tabs.indexOf(path);
  return tabs[at + 1] ?? tabs[at - 1] ?? null;
};

/** Follows a move of a file or folder. */
export const movedTabs = (tabs: readonly string[], from: string, to: string): readonly string[] => [
  ...new Set(tabs.map((tab) => renamedPath(tab, from, to))),
];

/** The tab that a key leads to from another one, as the pattern of WAI-ARIA has it. Null for other keys. */
export const tabOfKey = (tabs: readonly string[], current: string, key: string): string | null => {
  const at = tabs.indexOf(current);
  switch (key) {
    case 'ArrowRight':
      return tabs[(at + 1) % tabs.length] ?? null;
    case 'ArrowLeft':
      return tabs.at(at - 1) ?? null;
    case 'Home':
      return tabs[0] ?? null;
    case 'End':
      return tabs.at(-1) ?? null;
    default:
      return null;
  }
};

/** Names on tabs: the last segment, or the path where two files have the same one. */
export const tabNames = (tabs: readonly string[]): ReadonlyMap<string, string> => {
  const last = (path: string): string => path.split('/').at(-1) ?? path;
  return new Map(
    tabs.map((path) => {
      const isShared = tabs.some((other) => other !== path && last(other) === last(path));
      return [path, isShared ? path : last(path)];
    }),
  );
};
