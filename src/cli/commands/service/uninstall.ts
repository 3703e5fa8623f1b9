import { rm } from 'node:fs/promises';
import * as E from 'fp-ts/lib/Either.js';
import { ioError } from '../../../adapters/files/ioError.js';
import { failure } from '../../../domain/errors.js';
import { type Command, NO_POSITIONALS } from '../../arguments/command.js';
import { flagOption } from '../../arguments/option.js';
import { reportError } from '../../report.js';
import { EXIT } from '../../terminal/io.js';
import { foreignUnit, readUnit, reloadUnits, UNIT_OPTIONS, unitFileOf, withAdvice } from './unitFile.js';

const uninstallOptions = {
  ...UNIT_OPTIONS,
  force: flagOption({ help: 'Remove a unit that Spate did not write.' }),
};

export const serviceUninstall: Command<typeof uninstallOptions> = {
  name: 'service uninstall',
  summary: 'Stops the service and removes its unit. Settings, state, logs and generators stay.',
  positionals: NO_POSITIONALS,
  options: uninstallOptions,
  examples: [{ title: 'Remove the system service', line: 'spate service uninstall' }],
  run: async ({ options }, { io }) => {
    const unit = unitFileOf(options, io);
    if (E.isLeft(unit)) return reportError(io, unit.left);
    const { file, name, systemctl } = unit.right;
    const text = await readUnit(unit.right);
    if (E.isLeft(text)) return reportError(io, text.left);
    if (text.right === null) {
      return reportError(io, failure('not_found', `the service is not installed: there is no ${file}`));
    }
    const refusal = foreignUnit(unit.right, text.right, options.force === true, 'remove');
    if (refusal !== null) return reportError(io, refusal);
    const { reason } = await systemctl('disable', '--now', `${name}.service`);
    if (reason !== null) io.stderr.write(`spate: the service was not stopped: ${reason}\n`);
    try {
      await rm(file);
    } catch (thrown) {
      return reportError(io, withAdvice(ioError('unwritable', 'remove', file, thrown), unit.right));
    }
    await reloadUnits(unit.right, io);
    io.stdout.write(`Removed ${file}\n`);
    return EXIT.ok;
  },
};
