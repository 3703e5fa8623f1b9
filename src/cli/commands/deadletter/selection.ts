import { join, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { deadLetterFolders } from '../../../adapters/deadLetters/folders.js';
import { systemClock } from '../../../adapters/systemClock.js';
import type { Settings } from '../../../config/settings/settings.js';
import type { Result } from '../../../domain/errors.js';
import type { DeadLetterFolder } from '../../../ports/deadLetters.js';
import { textOption } from '../../arguments/option.js';
import { readSettingsFile } from '../../files/settings.js';
import { usageError } from '../../report.js';
import type { Io } from '../../terminal/io.js';

/** Options that locate the dead letters. */
export const STATE_OPTIONS = {
  config: textOption('FILE', {
    short: 'c',
    help: 'Settings file of the instance.',
  }),
  state: textOption('DIR', {
    help: 'State folder, instead of --config; e.g. that of spate generate --state.',
  }),
};

export const WHICH = 'GENERATOR[/OUTPUT]';

export const WHICH_NOTE =
  'GENERATOR is a generator id, OUTPUT the name (1-clickhouse) or number (1) shown by spate deadletter list.';

interface Values {
  readonly config: string | undefined;
  readonly state: string | undefined;
}

/** Reports a usage error if neither option was given. */
export const usageWithoutState = ({ config, state }: Values, command: string, io: Io): number | null => {
  if (config !== undefined || state !== undefined) return null;
  return usageError(io, command, 'give the settings with -c FILE, or the state folder with --state DIR');
};

export interface DeadLetterSelection {
  /** `null` with --state alone. */
  readonly settings: Settings | null;
  readonly folders: readonly DeadLetterFolder[];
}

/** The folders named on the command line; all without a name. */
export const selectDeadLetters = async (
  values: Values,
  which: string | undefined,
  io: Io,
): Promise<Result<DeadLetterSelection>> => {
  const settings =
    values.config === undefined ? E.right(null) : await readSettingsFile(resolve(io.cwd, values.config));
  if (E.isLeft(settings)) return settings;
  const state = values.state === undefined ? settings.right?.path.state : resolve(io.cwd, values.state);
  const slash = which?.indexOf('/') ?? -1;
  const folders = await deadLetterFolders(join(state ?? '', 'dead-letters'), systemClock).find({
    generator: which === undefined ? null : slash === -1 ? which : which.slice(0, slash),
    output: which === undefined || slash === -1 ? null : which.slice(slash + 1),
  });
  return E.isLeft(folders) ? folders : E.right({ settings: settings.right, folders: folders.right });
};

/** `shop/1-file` */
export const deadLettersName = ({
  generator,
  number,
  kind,
}: Pick<DeadLetterFolder, 'generator' | 'number' | 'kind'>): string => `${generator}/${number}-${kind}`;

/** Matches code and reason, ignoring case. */
export const withReason = (text: string | undefined) => {
  const wanted = text?.toLowerCase();
  return ({ code, reason }: { readonly code: string; readonly reason: string }): boolean =>
    wanted === undefined || `${code}: ${reason}`.toLowerCase().includes(wanted);
};

/** Note about lines without a letter; empty if there are none. */
export const tornNote = (torn: number): string =>
  torn === 0 ? '' : `${torn === 1 ? '1 torn line' : `${torn} torn lines`} (left by a crash)`;
