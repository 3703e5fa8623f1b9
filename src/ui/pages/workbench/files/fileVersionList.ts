import type { FileVersion } from '../../../../domain/directory.js';
import { shownDuration } from '../../../parts/times.js';

/** Clients of a service without credentials have this name, which tells nothing. */
const NO_USER = 'local';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Younger ones are new. */
const NOW_MS = 5 * SECOND_MS;

/** `5 min ago`; the clock of the service may be ahead of that of the browser. */
export const shownAge = (iso: string, now_ms: number): string => {
  const age = now_ms - Date.parse(iso);
  if (Number.isNaN(age)) return iso;
  if (age < NOW_MS) return 'just now';
  const unit = [DAY_MS, HOUR_MS, MINUTE_MS].find((one) => age >= one) ?? SECOND_MS;
  return `${shownDuration((Math.floor(age / unit) * unit) / SECOND_MS)} ago`;
};

/** `Replaced by ada`. */
export const changeWords = ({ what, user }: Pick<FileVersion, 'what' | 'user'>): string =>
  `${what === 'deleted' ? 'Deleted' : 'Replaced'}${user === null || user === NO_USER ? '' : ` by ${user}`}`;

/** The last version of each file that is not there any more; newest first, as the versions are. */
export const deletedFiles = (
  versions: readonly FileVersion[],
  paths: readonly string[],
): readonly FileVersion[] => {
  const seen = new Set(paths);
  return versions.filter(({ path }) => {
    if (seen.has(path)) return false;
    seen.add(path);
    return true;
  });
};
