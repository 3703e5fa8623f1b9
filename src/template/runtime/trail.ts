/**
 * Which lines of which templates did something since the trail was taken last: printed, set, called. Only
 * templates of a traced environment leave one. Rendering is synchronous, so there is one per thread.
 */
const lines = new Map<string, Set<number>>();

/** Called by the code of traced templates. */
export const mark = (template: { readonly name: string }, first: number, last: number): void => {
  const known = lines.get(template.name) ?? new Set();
  lines.set(template.name, known);
  for (let line = first; line <= last; line++) known.add(line);
};

/** `1-3,7` */
const ranges = (numbers: Iterable<number>): string => {
  const runs: [first: number, last: number][] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
};

/** The trail as text, templates in the order in which they were reached: `web.jinja:1-3,7 macros.jinja:2`. It begins anew. */
export const takeTrail = (): string => {
  const text = [...lines].map(([name, numbers]) => `${name}:${ranges(numbers)}`).join(' ');
  lines.clear();
  return text;
};
