/** Lines executed since `takeTrail`, in traced environments. One per thread: rendering is synchronous. */
const lines = new Map<string, Set<number>>();

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

/** Returns and clears the trail: `web.jinja:1-3,7 macros.jinja:2`, in order of execution. */
export const takeTrail = (): string => {
  const text = [...lines].map(([name, numbers]) => `${name}:${ranges(numbers)}`).join(' ');
  lines.clear();
  return text;
};
