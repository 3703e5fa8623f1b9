/**
 * JSON text of a value, with two spellings that `JSON.stringify` does not have: infinite numbers are written
 * as `1e999`, which is JSON and is read as infinite again, and `undefined` members are left out.
 */
export const jsonText = (value: unknown): string => {
  if (value === Number.POSITIVE_INFINITY) return '1e999';
  if (value === Number.NEGATIVE_INFINITY) return '-1e999';
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value !== 'object' || value === null)
    return value === undefined ? 'null' : JSON.stringify(value);
  const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${members.map(([key, inner]) => `${JSON.stringify(key)}:${jsonText(inner)}`).join(',')}}`;
};

/** An object with one more key, own whatever its name (`__proto__` too). */
export const withKey = <A>(
  given: Readonly<Record<string, A>>,
  key: string,
  value: A,
): Readonly<Record<string, A>> =>
  Object.fromEntries([...Object.entries(given).filter(([name]) => name !== key), [key, value]]);

/** An object without a key. */
export const withoutKey = <A>(given: Readonly<Record<string, A>>, key: string): Readonly<Record<string, A>> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => name !== key));
