import { rm } from 'node:fs/promises';
import * as E from 'fp-ts/lib/Either.js';
import { ioError } from '../../../adapters/files/ioError.js';
import { failure } from '../../../domain/errors.js';
import type { Command, CommandGroup } from '../../arguments/command.js';
import { flagOption } from '../../arguments/option.js';
import { reportError } from '../../report.js';
import {
  foreignUnit,
  readUnit,
  reloadUnits,
  UNIT_OPTIONS,
  type UnitPlace,
  unitPlaceOf,
  withAdvice,
} from '../../service/place.js';
import { isOurUnit, settingsOfUnit } from '../../service/unit.js';
import { EXIT } from '../../terminal/io.js';
import { serviceInstall } from './install.js';

const uninstallOptions = {
  ...UNIT_OPTIONS,
  force: flagOption({ help: 'Remove a unit that Spate did not write.' }),
};

const serviceUninstall: Command<typeof uninstallOptions> = {
  name: 'service uninstall',
  summary: 'Stops the service and removes its unit. Settings, state, logs and generators stay.',
  positionals: { usage: '', min: 0, max: 0 },
  options: uninstallOptions,
  examples: [{ title: 'Remove the system service', line: 'spate service uninstall' }],
  run: async ({ options }, { io }) => {
    const place = unitPlaceOf(options, io);
    if (E.isLeft(place)) return reportError(io, place.left);
    const { file, name, systemctl } = place.right;
    const text = await readUnit(place.right);
    if (E.isLeft(text)) return reportError(io, text.left);
    if (text.right === null) {
      return reportError(io, failure('not_found', `the service is not installed: there is no ${file}`));
    }
    const refusal = foreignUnit(place.right, text.right, options.force === true, 'remove');
    if (refusal !== null) return reportError(io, refusal);
    const { reason } = await systemctl('disable', '--now', `${name}.service`);
    if (reason !== null) io.stderr.write(`spate: the service was not stopped: ${reason}\n`);
    try {
      await rm(file);
    } catch (thrown) {
      return reportError(io, withAdvice(ioError('unwritable', 'remove', file, thrown), place.right));
    }
    await reloadUnits(place.right, io);
    io.stdout.write(`Removed ${file}\n`);
    return EXIT.ok;
  },
};

const PROPERTIES = ['ActiveState', 'SubState', 'UnitFileState', 'StatusText'] as const;

/** State as systemd reports it, or the reason why it does not. */
const stateLines = async ({ name, systemctl }: UnitPlace): Promise<readonly string[]> => {
  const { stdout, reason } = await systemctl('show', `${name}.service`, `--property=${PROPERTIES.join(',')}`);
  if (reason !== null) return [`state     unknown: ${reason}`];
  const values = new Map(
    stdout.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const of = (property: (typeof PROPERTIES)[number]): string => values.get(property) ?? '';
  const status = of('StatusText');
  return [
    `active    ${of('ActiveState')} (${of('SubState')})`,
    `enabled   ${of('UnitFileState') || 'no'}`,
    ...(status === '' ? [] : [`status    ${status}`]),
  ];
};

const serviceStatus: Command<typeof UNIT_OPTIONS> = {
  name: 'service status',
  summary: 'Shows whether the service is installed, enabled and running.',
  positionals: { usage: '', min: 0, max: 0 },
  options: UNIT_OPTIONS,
  examples: [{ title: 'Show the user service', line: 'spate service status --user' }],
  run: async ({ options }, { io }) => {
    const place = unitPlaceOf(options, io);
    if (E.isLeft(place)) return reportError(io, place.left);
    const text = await readUnit(place.right);
    if (E.isLeft(text)) return reportError(io, text.left);
    if (text.right === null) {
      io.stdout.write(`not installed: there is no ${place.right.file}\n`);
      return EXIT.ok;
    }
    const foreign = isOurUnit(text.right) ? '' : ' (not written by Spate)';
    const lines = [
      `unit      ${place.right.file}${foreign}`,
      `settings  ${settingsOfUnit(text.right) ?? 'unknown'}`,
      ...(await stateLines(place.right)),
    ];
    io.stdout.write(`${lines.join('\n')}\n`);
    return EXIT.ok;
  },
};

export const service: CommandGroup = {
  name: 'service',
  summary: 'Installs, removes and shows the systemd service of an instance.',
  commands: [serviceInstall, serviceUninstall, serviceStatus],
};
