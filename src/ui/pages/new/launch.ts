import type { Json } from '../../../domain/json.js';
import type { LearnedLog } from '../../../learn/report.js';
import { call } from '../../api/client.js';
import type { Draft } from './drafts.js';

export type Goal = 'start' | 'open';

/** Where a new generator is shown. */
export const addressOf = (name: string, goal: Goal): string =>
  `${goal === 'start' ? '/r/' : '/g/'}${encodeURIComponent(name)}`;

/** A failure after the directory was created; what is there stays. */
export class HalfDone extends Error {
  constructor(
    readonly directory: string,
    readonly reason: unknown,
  ) {
    super(`the generator directory "${directory}" was created`);
  }
}

/** `null`, or why the generator was created but does not run. */
export type Launched = Error | null;

const afterwards = async (name: string, steps: () => Promise<Launched>): Promise<Launched> => {
  try {
    return await steps();
  } catch (reason) {
    throw new HalfDone(name, reason);
  }
};

interface GivenParams {
  readonly timezone?: string;
  readonly params?: Readonly<Record<string, Json>>;
}

const run = async (name: string, given: GivenParams): Promise<Launched> => {
  const path = await call('readGeneratorPath', { path: { name } });
  await call('createGenerator', { path: { id: name }, body: { path, ...given } });
  return call('startGenerator', { path: { id: name } }).then(
    () => null,
    (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason))),
  );
};

/** Stores a draft and starts it if wanted. Rejects with `ApiError`, or with `HalfDone`. */
export const createDraft = async (
  { name, config, files, secrets, timezone }: Draft,
  goal: Goal,
): Promise<Launched> => {
  for (const secret of secrets) await call('setSecret', { path: { name: secret.name }, body: secret.value });
  await call('createGeneratorConfig', { path: { name }, body: config });
  return afterwards(name, async () => {
    for (const { path, content } of files)
      await call('createGeneratorFile', { path: { name, filepath: path }, content });
    return goal === 'start' ? run(name, timezone === null ? {} : { timezone }) : null;
  });
};

/** Creates a learned generator with all its files, or nothing. Rejects with `ApiError`. */
export const importLearned = async (
  name: string,
  { config, files }: Pick<LearnedLog, 'config' | 'files'>,
  goal: Goal,
): Promise<Launched> => {
  await call('importGenerator', { path: { name }, content: JSON.stringify({ config, files }) });
  return goal === 'start' ? afterwards(name, () => run(name, {})) : null;
};

/** Copies a library generator and starts it if wanted. Rejects with `ApiError`, or with `HalfDone`. */
export const copyFromLibrary = async (
  library: string,
  name: string,
  goal: Goal,
  params: Readonly<Record<string, Json>>,
): Promise<Launched> => {
  await call('copyLibraryGenerator', { path: { name: library }, body: { name } });
  return goal === 'start' ? afterwards(name, () => run(name, { params })) : null;
};
