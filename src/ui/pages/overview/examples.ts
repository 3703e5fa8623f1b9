import { call } from '../../api/client.js';
import type { AnswerOf } from '../../api/routes.js';

export type ExampleCard = AnswerOf<'listLibrary'>[number];

const SHOWN = 3;
/** Examples that most people know. */
const KNOWN = ['web-nginx', 'payments-api', 'windows-security'];

/** Three examples, the known ones first. */
export const firstExamples = (items: readonly ExampleCard[]): readonly ExampleCard[] =>
  items.toSorted((a, b) => Number(KNOWN.includes(b.name)) - Number(KNOWN.includes(a.name))).slice(0, SHOWN);

/** The name, or the first of `name-2`, `name-3`, ... that is free. */
export const freeName = (name: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) {
    const next = `${name}-${number}`;
    if (!taken.has(next)) return next;
  }
};

/** Copies a generator of the library under a free name and starts the copy. Its id. */
export const startExample = async (library: string): Promise<string> => {
  const [directories, generators] = await Promise.all([
    call('listGeneratorConfigs', { query: { extended: false } }),
    call('listGenerators'),
  ]);
  const taken = new Set([...directories.map(({ name }) => name), ...generators.map(({ id }) => id)]);
  const made = await call('copyLibraryGenerator', {
    path: { name: library },
    body: { name: freeName(library, taken) },
  });
  await call('createGenerator', { path: { id: made.name }, body: { path: made.path } });
  await call('startGenerator', { path: { id: made.name } });
  return made.name;
};
