import type { GeneratorParams, GeneratorPhase } from '../../domain/generator.js';
import type { BulkStart } from '../../messages/generators.js';
import { call } from '../api/client.js';
import { counted } from './numbers.js';

/** The id of one generator, or the number of several. */
export const startedNameOf = (ids: readonly string[]): string =>
  ids.length === 1 ? String(ids[0]) : counted(ids.length, 'generator');

const MAX_REASONS = 3;

/** What a start of several did, in words. */
export const startedText = (
  verb: 'started' | 'restarted',
  { running_generator_ids: up, non_running_generator_ids: down, reasons }: BulkStart,
): string => {
  const done = up.length === 0 ? '' : `${startedNameOf(up)} ${verb}. `;
  if (down.length === 0) return done.trim();
  const shown = down.slice(0, MAX_REASONS).map((id) => `${id}: ${reasons[id] ?? 'it does not run'}`);
  const more = down.length > MAX_REASONS ? [`${down.length - MAX_REASONS} more`] : [];
  return `${done}${counted(down.length, 'generator')} did not start.\n${[...shown, ...more].join('\n')}`;
};

export interface Named {
  readonly id: string;
  readonly phase: GeneratorPhase;
}

/** A removed generator: enough to register it again. */
export interface Removed {
  readonly params: GeneratorParams;
  readonly wasUp: boolean;
}

const UP: ReadonlySet<GeneratorPhase> = new Set(['loading', 'running', 'backing_off']);

/** Removes generators; their files and startup entries stay. */
export const remove = async (generators: readonly Named[]): Promise<readonly Removed[]> => {
  const removed = await inTurns(generators, async ({ id, phase }) => ({
    params: await call('readGenerator', { path: { id } }),
    wasUp: UP.has(phase),
  }));
  await call('removeGenerators', { body: generators.map(({ id }) => id) });
  return removed;
};

/** Registers removed generators again and starts those that ran. */
export const restore = async (removed: readonly Removed[]): Promise<void> => {
  await inTurns(removed, ({ params }) => call('createGenerator', { path: { id: params.id }, body: params }));
  const ids = removed.filter(({ wasUp }) => wasUp).map(({ params }) => params.id);
  if (ids.length > 0) await call('startGenerators', { body: ids });
};

/** Requests at once. */
const WIDTH = 6;

/** Runs `work` for each item, a few at a time; the results have the order of the items. */
export const inTurns = async <A, B>(
  items: readonly A[],
  work: (item: A) => Promise<B>,
): Promise<readonly B[]> => {
  const results: B[] = [];
  for (let from = 0; from < items.length; from += WIDTH)
    results.push(...(await Promise.all(items.slice(from, from + WIDTH).map(work))));
  return results;
};
