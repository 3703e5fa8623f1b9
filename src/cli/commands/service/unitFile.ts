import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import { type ProgramEnd, runProgram } from '../../../adapters/processes/programs.js';
import { failure, type Result, type SpateError } from '../../../domain/errors.js';
import type { OptionValues } from '../../arguments/command.js';
import { flagOption, textOption } from '../../arguments/option.js';
import type { Io } from '../../terminal/io.js';
import { isOurUnit, unitNameFlaw } from './unit.js';

/** Options of every `service` command. */
export const UNIT_OPTIONS = {
  user: flagOption({ help: 'Use your user service manager instead of the system one.' }),
  name: textOption('NAME', { help: 'Name of the unit without .service (default: spate).' }),
};

const SYSTEM_UNITS = '/etc/systemd/system';
const MAX_UNIT_BYTES = 1024 * 1024;
/** At least the stop timeout of the unit. */
const SYSTEMCTL_TIMEOUT_MS = 90_000;

export interface UnitFile {
  readonly name: string;
  readonly mode: 'system' | 'user';
  readonly file: string;
  /** Absolute: `/etc` or `~/.config`. */
  readonly configFolder: string;
  readonly systemctl: (...args: readonly string[]) => Promise<ProgramEnd>;
  /** The `systemctl` command as typed. */
  readonly shown: (...args: readonly string[]) => string;
}

const ownFolder = (env: Io['env']): string => {
  const configured = env['XDG_CONFIG_HOME'] ?? '';
  return configured.startsWith('/') ? configured : join(env['HOME'] ?? '/', '.config');
};

/** The first folder of `SYSTEMD_UNIT_PATH`, a variable of systemd, wins. */
const unitFolder = (mode: UnitFile['mode'], env: Io['env']): string => {
  const [first = ''] = (env['SYSTEMD_UNIT_PATH'] ?? '').split(':');
  if (first.startsWith('/')) return first;
  return mode === 'user' ? join(ownFolder(env), 'systemd', 'user') : SYSTEM_UNITS;
};

export const unitFileOf = (
  { user, name = 'spate' }: Partial<OptionValues<typeof UNIT_OPTIONS>>,
  { env }: Pick<Io, 'env'>,
): Result<UnitFile> => {
  const flaw = unitNameFlaw(name);
  if (flaw !== null) return E.left(flaw);
  const mode = user === true ? 'user' : 'system';
  const manager = user === true ? ['--user'] : [];
  return E.right({
    name,
    mode,
    file: join(unitFolder(mode, env), `${name}.service`),
    configFolder: user === true ? ownFolder(env) : '/etc',
    systemctl: (...args) => runProgram('systemctl', [...manager, ...args], SYSTEMCTL_TIMEOUT_MS),
    shown: (...args) => ['systemctl', ...manager, ...args].join(' '),
  });
};

export const readUnit = async ({ file }: UnitFile): Promise<Result<string | null>> => {
  const text = await nodeFiles.readText(file, MAX_UNIT_BYTES);
  return E.isLeft(text) && text.left.code === 'not_found' ? E.right(null) : text;
};

/** Protects units that Spate did not write. Returns null when the unit may be changed. */
export const foreignUnit = (
  unit: UnitFile,
  text: string,
  isForced: boolean,
  verb: string,
): SpateError | null =>
  isForced || isOurUnit(text)
    ? null
    : failure(
        'already_exists',
        `${unit.file} was not written by Spate. Add --force to ${verb} it anyway, or choose another --name.`,
      );

/** Reloads the service manager; a failure is only reported. */
export const reloadUnits = async (unit: UnitFile, io: Io): Promise<void> => {
  const { reason } = await unit.systemctl('daemon-reload');
  if (reason === null) return;
  io.stderr.write(
    `spate: systemd was not reloaded: ${reason}. Where it runs: ${unit.shown('daemon-reload')}\n`,
  );
};

/** Adds advice if root is required. */
export const withAdvice = (error: SpateError, unit: UnitFile): SpateError =>
  unit.mode === 'system' && error.message.endsWith('permission denied')
    ? {
        ...error,
        message: `${error.message}; run it as root (sudo), or install a user service with --user`,
      }
    : error;
