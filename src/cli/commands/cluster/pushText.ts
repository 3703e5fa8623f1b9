import { plural, showCount, showRough } from '../../arguments/numbers.js';
import { escapeControls } from '../../terminal/escape.js';
import type { DirectoryWrite, ListWrite, PushPlan } from './pushPlan.js';

/** Files named per directory. */
const MAX_NAMED = 5;
const KIB = 1_024;

const sizeText = (bytes: number): string =>
  bytes < KIB
    ? plural(bytes, 'byte')
    : bytes < KIB * KIB
      ? `${showRough(bytes / KIB)} KiB`
      : `${showRough(bytes / KIB / KIB)} MiB`;

const namesText = (paths: readonly string[]): string => {
  const rest = paths.length - MAX_NAMED;
  const named = paths.slice(0, MAX_NAMED).map(escapeControls).join(', ');
  return rest > 0 ? `${named} and ${showCount(rest)} more` : named;
};

/** `+ web-nginx (4 files, 12 KiB)` or `~ shop (orders.ts)` */
export const directoryLine = ({ name, replaces, files, bytes, changed }: DirectoryWrite): string =>
  replaces === 0
    ? `+ ${escapeControls(name)} (${plural(files, 'file')}, ${sizeText(bytes)})`
    : `~ ${escapeControls(name)} (${namesText(changed)})`;

/** `~ startup list (+2 entries, -1, 1 changed)` */
export const listLine = ({ replaces, entries, added, removed, changed }: ListWrite): string => {
  const noun = (count: number): string => (count === 1 ? 'entry' : 'entries');
  if (replaces === 0) return `+ startup list (${showCount(entries)} ${noun(entries)})`;
  const parts = [
    ...(added > 0 ? [`+${showCount(added)} ${noun(added)}`] : []),
    ...(removed > 0 ? [`-${showCount(removed)}${added > 0 ? '' : ` ${noun(removed)}`}`] : []),
    ...(changed > 0 ? [`${showCount(changed)} changed`] : []),
  ];
  return `~ startup list (${parts.length === 0 ? 'same entries, other text' : parts.join(', ')})`;
};

export const removalLine = (name: string): string => `- ${escapeControls(name)}`;

export const stayingLine = (name: string): string =>
  `  ${escapeControls(name)} stays: only the cluster has it. Use --delete to remove it.`;

/** Lines of all changes, in the order of the writes. */
export const planLines = ({ directories, list, extra, deletes }: PushPlan): readonly string[] => [
  ...directories.map(directoryLine),
  ...(list === null ? [] : [listLine(list)]),
  ...extra.map(({ name }) => (deletes ? removalLine(name) : stayingLine(name))),
];

export const isNothing = ({ directories, list, extra, deletes }: PushPlan): boolean =>
  directories.length === 0 && list === null && !(deletes && extra.length > 0);

export const sameText = ({ total }: PushPlan): string => {
  const entries = `${showCount(total.entries)} ${total.entries === 1 ? 'entry' : 'entries'}`;
  const directories = `${showCount(total.directories)} ${total.directories === 1 ? 'directory' : 'directories'}`;
  return `Nothing to push: the cluster has the same ${directories} and startup list (${entries}).`;
};
