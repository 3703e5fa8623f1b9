import type { GlobalsPatch } from '../../../messages/scenarios.js';
import type { AnswerOf } from '../../api/routes.js';
import type { TimeMark } from '../times.js';

const MAX_KEYS = 3;

const changedKeys = ({ keys, more_keys }: GlobalsPatch): string => {
  const named = keys.slice(0, MAX_KEYS).map(({ key }) => key);
  const rest = keys.length - named.length + more_keys;
  return rest === 0 ? named.join(', ') : `${named.join(', ')} and ${rest} more`;
};

/** Changes of globals over the API, in the order of their history: newest first. */
export const patchMarks = (patches: readonly GlobalsPatch[], color: string): readonly TimeMark[] =>
  patches.map((patch) => ({ at_ms: Date.parse(patch.at), color, text: `${changedKeys(patch)} changed` }));

/** Changes of files over the API: each former text is from before one. */
export const fileMarks = (versions: AnswerOf<'listFileVersions'>, color: string): readonly TimeMark[] =>
  versions.map(({ at, path, what }) => ({
    at_ms: Date.parse(at),
    color,
    text: `${path} ${what === 'deleted' ? 'deleted' : 'changed'}`,
  }));

/** An incident under way, as it was at a time of the browser. */
export interface WatchedIncident {
  readonly at_ms: number;
  readonly details: Pick<AnswerOf<'readIncident'>, 'name' | 'position' | 'timeline' | 'members' | 'run'>;
}

/** Phases that have begun since the start; a jump moves those before it to where the incident was not under way. */
export const phaseMarks = ({ at_ms, details }: WatchedIncident, color: string): readonly TimeMark[] => {
  const { name, position, timeline, run } = details;
  if (position === null || run === null) return [];
  const startedMs = Date.parse(run.started_at);
  return timeline
    .filter(({ from }) => from <= position)
    .map(({ phase, from }) => ({
      at_ms: at_ms - (position - from) * 1_000,
      color,
      text: `${name}: ${phase} begins`,
    }))
    .filter((mark) => mark.at_ms >= startedMs);
};
