import type { Verdict } from './trial.js';
import type { Excuse, Need } from './values/beyondSchema.js';

const WIDTH = 28;

const row = (id: string, valid: number | string, broken: number | string, rest: string): string =>
  `${id.padEnd(WIDTH)} ${String(valid).padStart(6)} ${String(broken).padStart(7)}  ${rest}`.trimEnd();

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** How many requests each operation got, and with which statuses it answered. */
export const table = (verdicts: readonly Verdict[]): string =>
  [
    row('operation', 'valid', 'broken', 'answers by status'),
    ...[...verdicts]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ id, valid, broken, statuses }) => {
        const counts = [...statuses]
          .sort(([a], [b]) => a - b)
          .map(([status, count]) => `${status}: ${count}`);
        return row(id, valid, broken, counts.join(', '));
      }),
    row(
      `${verdicts.length} operations`,
      sum(verdicts.map(({ valid }) => valid)),
      sum(verdicts.map(({ broken }) => broken)),
      `${(sum(verdicts.map(({ took_ms }) => took_ms)) / 1_000).toFixed(0)} s`,
    ),
  ].join('\n');

/** Everything that the judge was told beside the document, with the reason and how often it counted. */
export const allowances = (
  needs: readonly Need[],
  excuses: readonly Excuse[],
  verdicts: readonly Verdict[],
): string => {
  const times = (why: string): number => sum(verdicts.map(({ excused }) => excused.get(why) ?? 0));
  return [
    'allowed beside what the document says:',
    ...needs.map(({ needs: keys, why }) => `  every object has \`${keys.join('`, `')}\`: ${why}`),
    ...excuses.map(({ status, why }) => `  ${status}, ${times(why)} times: ${why}`),
  ].join('\n');
};
