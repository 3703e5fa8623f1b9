import type { FileVersion } from '../../../../domain/directory.js';
import { shownDuration } from '../../../parts/times.js';

/** Clients of a service without credentials have this name, which tells nothing. */
const NO_USER = 'local';

const MINUTE_MS = 60_000;
/** From this age on, seconds tell nothing. */
const COARSE_MS = 3_600_000;

/** `5 min ago`; the clock of the service may be ahead of that of the browser. */
export const shownAge = (iso: string, now_ms: number): string => {
  const age = now_ms - Date.parse(iso);
  if (Number.isNaN(age)) return iso;
  if (age < MINUTE_MS) return 'just now';
  const unit = age < COARSE_MS ? MINUTE_MS : age < 24 * COARSE_MS ? COARSE_MS : 24 * COARSE_MS;
  return `${shownDuration((Math.floor(age / unit) * unit) / 1_000)} ago`;
};

/** `Replaced by ada`. */
export const shownChange = ({ what, user }: Pick<FileVersion, 'what' | 'user'>): string =>
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
