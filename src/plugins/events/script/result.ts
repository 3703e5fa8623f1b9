export const typeName = (value: unknown): string => {
  if (value === null) return 'null';
  if (value === undefined) return 'undefined (is a return missing?)';
  if (typeof value !== 'object') return typeof value;
  if (Array.isArray(value)) return 'array';
  const name: unknown = (value as { readonly constructor?: { readonly name?: unknown } }).constructor?.name;
  return typeof name === 'string' && name !== '' ? name : 'object';
};

const MAX_NAMED = 5;

/**
 * Adds the events of one call, a string or an array of strings. Returns `null`, or the error; then nothing is added.
 */
export const addEvents = (result: unknown, events: string[]): string | null => {
  if (typeof result === 'string') {
    events.push(result);
    return null;
  }
  if (!Array.isArray(result))
    return `produce returned ${typeName(result)}, not a string or an array of strings`;
  const items: readonly unknown[] = result;
  const before = events.length;
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (typeof item === 'string') events.push(item);
    else {
      events.length = before;
      return `produce returned an array with ${othersIn(items)} among its items, not only strings`;
    }
  }
  return null;
};

const othersIn = (items: readonly unknown[]): string => {
  const names = new Set<string>();
  for (const item of items) {
    if (typeof item !== 'string') names.add(item === undefined ? 'undefined' : typeName(item));
    if (names.size === MAX_NAMED) break;
  }
  return [...names].join(', ');
};
