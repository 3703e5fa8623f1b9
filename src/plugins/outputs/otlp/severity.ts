/** First number of each range of the data model, by the names that loggers use, syslog included. */
const NUMBERS: ReadonlyMap<string, number> = new Map([
  ...['trace', 'verbose', 'finest', 'finer'].map((name) => [name, 1] as const),
  ...['debug', 'fine', 'config'].map((name) => [name, 5] as const),
  ...['info', 'information', 'informational', 'log'].map((name) => [name, 9] as const),
  ['notice', 10],
  ...['warn', 'warning'].map((name) => [name, 13] as const),
  ...['error', 'err', 'severe', 'failure'].map((name) => [name, 17] as const),
  ...['critical', 'crit'].map((name) => [name, 18] as const),
  ['alert', 19],
  ...['fatal', 'emergency', 'emerg', 'panic'].map((name) => [name, 21] as const),
]);

const MAX_SEVERITY = 24;

/** Severity number of a name such as `warn` or `INFO2`, or of a number from 1 to 24; 0: unknown. */
export const severityOf = (text: string | null): number => {
  if (text === null) return 0;
  const name = text.trim().toLowerCase();
  const known = NUMBERS.get(name);
  if (known !== undefined) return known;
  const step = /^(trace|debug|info|warn|error|fatal)([2-4])$/.exec(name);
  if (step !== null) return (NUMBERS.get(step[1] as string) ?? 0) + Number(step[2]) - 1;
  const number = /^\d{1,2}$/.test(name) ? Number(name) : 0;
  return number <= MAX_SEVERITY ? number : 0;
};
