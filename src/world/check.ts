import { MICROS_PER_MINUTE } from '../domain/time/micros.js';
import { ACTIVITY_KINDS, type Activity, type ActivityKind } from './activity/kinds.js';
import { RULES } from './activity/rules/rules.js';

/** What is wrong with an activity: it has no cause, or it did not lead to what it must. */
export interface WorldProblem {
  readonly id: number;
  readonly kind: ActivityKind;
  readonly message: string;
}

const ACTS: ReadonlySet<string> = new Set(ACTIVITY_KINDS.acts);

/**
 * Checks that there is no effect without its cause and no cause without its effects, against the table of causes. It takes
 * the activities of minutes in a row; those of the first minute may have their causes before it, and those of the last
 * their effects after it.
 */
export const checkActivities = (activities: readonly Activity[]): readonly WorldProblem[] => {
  const first = activities[0]?.at ?? 0;
  const last = activities.at(-1)?.at ?? 0;
  const byId = new Map(activities.map((activity) => [activity.id, activity]));
  const effects = new Map<number, Map<ActivityKind, number>>();
  const problems: WorldProblem[] = [];
  for (const { id, kind, at, cause, truth } of activities) {
    const report = (message: string): void => void problems.push({ id, kind, message });
    if (byId.get(id)?.kind !== kind) report('its number exists twice');
    if (cause === null) {
      if (!ACTS.has(kind)) report('it has no cause');
      continue;
    }
    const found = byId.get(cause);
    if (found === undefined) {
      if (at > first + MICROS_PER_MINUTE) report(`its cause ${cause} did not happen`);
      continue;
    }
    if (found.at > at) report(`it comes before its cause ${found.kind}`);
    if (found.truth?.attack !== truth?.attack) report(`its cause ${found.kind} belongs to something else`);
    const those = effects.get(cause) ?? new Map<ActivityKind, number>();
    effects.set(cause, those.set(kind, (those.get(kind) ?? 0) + 1));
  }
  for (const cause of activities) {
    if (cause.at > last - MICROS_PER_MINUTE) continue;
    const those = effects.get(cause.id) ?? new Map<ActivityKind, number>();
    const wanted = new Map<ActivityKind, number>();
    for (const { effect, count } of RULES[cause.kind] ?? [])
      wanted.set(effect, (wanted.get(effect) ?? 0) + (count?.(cause) ?? 1));
    for (const [effect, expected] of wanted) {
      const got = those.get(effect) ?? 0;
      those.delete(effect);
      if (expected !== got) {
        const message = `it led to ${effect} ${got} times instead of ${expected}`;
        problems.push({ id: cause.id, kind: cause.kind, message });
      }
    }
    for (const [effect] of those)
      problems.push({ id: cause.id, kind: cause.kind, message: `no rule leads from it to ${effect}` });
  }
  return problems;
};
