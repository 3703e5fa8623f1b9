import * as E from 'fp-ts/lib/Either.js';
import type { AskActor } from '../../actors/ask.js';
import { systemClock } from '../adapters/systemClock.js';
import type { Settings } from '../config/settings/settings.js';
import { formerEntries } from '../config/startup/entry.js';
import { jsonEqual } from '../config/values.js';
import type { Result } from '../domain/errors.js';
import { NO_TWEAKS, type SkippedEntry, type StartupEntry, type StartupList } from '../domain/generator.js';
import type { Json } from '../domain/json.js';
import { registrationsOf } from '../domain/partitions.js';
import { pacer } from '../domain/waiting.js';

import type { Log } from '../ports/log.js';

/** Settings in force; a reload replaces both. */
export interface CurrentSettings {
  settings: Settings;
  /** With secrets masked. */
  inForce: Json;
}

/** What the startup list asks for. */
export interface Applied {
  entries: readonly StartupEntry[];
  /** Invalid entries without a generator. */
  broken: readonly SkippedEntry[];
}

/** A list as it is applied over the former one: an invalid entry leaves its generator as it is. */
export const appliedOver = (former: readonly StartupEntry[], list: StartupList): Applied => {
  const stay = formerEntries(former, list);
  const ids = new Set(stay.map(({ id }) => id));
  return {
    entries: [...list.entries, ...stay],
    broken: list.rejected.filter(({ id }) => id === null || !ids.has(id)),
  };
};

/** `needs_restart`: only a new instance can apply the changes. */
export type Reloaded = 'applied' | 'needs_restart';

interface ReloadContext {
  readonly current: CurrentSettings;
  /** Reads the settings file. */
  readonly read: () => Promise<Result<CurrentSettings>>;
  /** Entries applied last, and the invalid ones that no former entry stands for. */
  readonly applied: Applied;
  readonly ask: AskActor;
  /** Listens with the settings in force. After an error the former listener stays. */
  readonly reopen: () => Promise<Result<null>>;
  /** Applies the list of a cluster. Null when the service runs alone. */
  readonly apply: (() => Promise<void>) | null;
  readonly report: (list: StartupList, stay: readonly StartupEntry[]) => void;
  readonly log: Log;
}

/** Settings that only a new instance can apply. */
const fixedParts = ({ path, log, threads, plugins, server }: Settings) => ({
  path,
  log,
  threads,
  plugins,
  api: server.api_enabled,
});

const isSame = (a: unknown, b: unknown): boolean => jsonEqual(a as Json, b as Json);

/** Stops removed generators, starts new ones and restarts changed ones. After an error nothing has changed. */
export const reloadInstance = async (context: ReloadContext): Promise<Result<Reloaded>> => {
  const { current, applied, log } = context;
  const read = await context.read();
  if (E.isLeft(read)) return read;
  const former = { ...current };
  const { settings } = read.right;
  if (!isSame(fixedParts(former.settings), fixedParts(settings))) {
    log.write('info', 'some changed settings apply only after a restart of the instance');
    return E.right('needs_restart');
  }
  Object.assign(current, read.right);
  const list = await context.ask('startup.list', null);
  if (E.isLeft(list)) {
    Object.assign(current, former);
    return list;
  }
  const isServerNew = !isSame(former.settings.server, settings.server);
  // Certificates may have been renewed.
  if (isServerNew || settings.server.ssl.enabled) {
    const reopened = await context.reopen();
    if (E.isLeft(reopened)) {
      Object.assign(current, former);
      const reason = { reason: reopened.left.message };
      log.write('error', 'cannot listen with the new settings: the former listener stays', reason);
      return reopened;
    }
  }
  const next = appliedOver(applied.entries, list.right);
  context.report(list.right, applied.entries);
  if (context.apply === null) await applyList(context, next.entries, list.right.rejected.length);
  else await context.apply();
  Object.assign(applied, next);
  return E.right('applied');
};

const applyList = async (
  { applied, ask, log }: ReloadContext,
  entries: readonly StartupEntry[],
  invalid: number,
): Promise<void> => {
  const paced = pacer(systemClock);
  const ids = new Set(entries.map(({ id }) => id));
  const former = new Map(applied.entries.map((entry) => [entry.id, entry.partitions]));
  const gone = applied.entries.filter(({ id }) => !ids.has(id));
  const deleted = gone.map(({ id }) => paced(() => ask('generators.delete', { id })));
  const reloaded = entries.map(async (entry) => {
    const { id, autostart, partitions } = entry;
    // Another number of partitions is another set of generators.
    if (partitions !== (former.get(id) ?? 1)) await ask('generators.delete', { id });
    const answers = await Promise.all(
      registrationsOf(entry, NO_TWEAKS).map((registration) =>
        paced(() => ask('generators.reload', { registration, autostart })),
      ),
    );
    return answers[0] as (typeof answers)[number];
  });
  await Promise.all(deleted);
  const counts = new Map<string, number>();
  for (const answer of await Promise.all(reloaded)) {
    const outcome = E.isRight(answer) ? String(answer.right) : 'refused';
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  const summary = [...counts].map(([outcome, count]) => `${count} ${outcome}`);
  if (gone.length > 0) summary.push(`${gone.length} removed`);
  if (invalid > 0) summary.push(`${invalid} invalid in the startup list`);
  log.write(invalid > 0 ? 'error' : 'info', `reloaded: generators ${summary.join(', ') || 'none'}`);
};

/** Logs what is wrong in a list that is applied over the former one. */
export const reportList = (list: StartupList, former: readonly StartupEntry[], log: Log): void => {
  for (const warning of list.warnings) log.write('warning', warning);
  const stay = new Set(formerEntries(former, list).map(({ id }) => id));
  for (const { id, error } of list.rejected) {
    const what =
      id !== null && stay.has(id)
        ? 'an entry of the startup list is invalid now: its generator keeps running with the former one'
        : 'an entry of the startup list was skipped';
    log.write('error', what, { generator_id: id, reason: error.message });
    if (id !== null) stay.delete(id);
  }
  if (stay.size > 0) {
    log.write(
      'warning',
      'generators that are missing in the startup list stay: an invalid entry may be theirs',
      {
        generators: [...stay],
      },
    );
  }
};
