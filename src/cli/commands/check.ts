import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../adapters/files/files.js';
import { MAX_CONFIG_BYTES } from '../../config/generator/config.js';
import { loadSettings } from '../../config/settings/settings.js';
import { loadStartup } from '../../config/startup/startup.js';
import { parseYaml } from '../../config/yaml/source.js';
import type { Result } from '../../domain/errors.js';
import type { GeneratorParams } from '../../domain/generator.js';
import { isJsonObject } from '../../domain/json.js';
import { plural } from '../../domain/text/shown.js';
import type { KeyringAccess } from '../../ports/keyring.js';
import type { Command } from '../arguments/command.js';
import { flagOption, integerOption } from '../arguments/option.js';
import { configFileOf, GENERATOR_OPTIONS, PLUGIN_OPTIONS, paramsOf } from '../arguments/sharedOptions.js';
import { KEYRING_OPTION, keyringAccessOf } from '../files/keyring.js';
import { problemLines, reportError, usageError } from '../report.js';
import { EXIT, type Io } from '../terminal/io.js';

const DEFAULT_TIMEOUT_S = 10;
const MAX_TIMEOUT_S = 600;

const options = {
  connect: flagOption({ help: 'Open the outputs and close them again. Required.' }),
  timeout: integerOption(
    'SECONDS',
    { help: `Longest time for one output to open (default ${DEFAULT_TIMEOUT_S}).` },
    { min: 1, max: MAX_TIMEOUT_S },
  ),
  params: GENERATOR_OPTIONS.params,
  'keyring-cryptfile': KEYRING_OPTION,
  ...PLUGIN_OPTIONS,
};

/** A generator whose outputs are opened. */
interface Target {
  /** A path, or the id of an entry. */
  readonly shown: string;
  readonly params: GeneratorParams;
  readonly keyring: KeyringAccess;
}

/** The entries of the startup list of a settings file, with its keyring. */
const entriesOf = async (file: string, io: Io): Promise<Result<readonly Target[]>> => {
  const text = await nodeFiles.readText(file, MAX_CONFIG_BYTES);
  const settings = E.isRight(text) ? loadSettings(text.right, file) : text;
  if (E.isLeft(settings)) return settings;
  const { generation, path } = settings.right;
  const written = await nodeFiles.readText(path.startup, MAX_CONFIG_BYTES);
  if (E.isLeft(written)) return written;
  const list = loadStartup(written.right, path.startup, generation, path.generators_dir);
  if (E.isLeft(list)) return list;
  const [rejected] = list.right.rejected;
  if (rejected !== undefined) return E.left(rejected.error);
  const keyring = keyringAccessOf(path.keyring_cryptfile, io);
  return E.right(list.right.entries.map((params) => ({ shown: params.id, params, keyring })));
};

const isSettings = async (file: string): Promise<boolean> => {
  const text = await nodeFiles.readText(file, MAX_CONFIG_BYTES);
  const source = E.isRight(text) ? parseYaml(text.right, file) : text;
  return E.isRight(source) && isJsonObject(source.right.value) && Object.hasOwn(source.right.value, 'path');
};

export const check: Command<typeof options> = {
  name: 'check',
  summary:
    'Opens the outputs of generators and closes them, without an event: are servers there, are logins right?',
  positionals: { usage: 'PATH...', min: 1, max: Number.POSITIVE_INFINITY },
  options,
  usesPlugins: true,
  notes: [
    'PATH is the config of a generator, its folder, or a settings file, which stands for all entries of its startup list.',
    'All outputs of a generator open at once. Files are not opened: that would create them. Their folders must be writable. ' +
      'A `client_id` of `mqtt` gets `-check` at its end and a `transactional_id` of `kafka` is left out, so that no running ' +
      'generator loses its session. `spate validate` checks files.',
    'Prints one line per output: generator: output and kind: ok, or the reason.',
    'Exit codes: 0 all outputs could be opened; 1 some could not; 2 wrong usage.',
  ],
  examples: [
    { title: 'Check the outputs of one generator', line: 'spate check --connect generators/access-log' },
    { title: 'Check those of all entries of an instance', line: 'spate check --connect settings/spate.yml' },
  ],
  run: async ({ options: values, positionals }, { io, services }) => {
    if (values.connect !== true)
      return usageError(io, 'check', 'give --connect; spate validate checks files');
    const { connectOutputs } = await services.sample();
    const timeout_ms = (values.timeout ?? DEFAULT_TIMEOUT_S) * 1_000;
    const keyring = keyringAccessOf(values['keyring-cryptfile'], io);
    const given = values.params === undefined ? {} : { params: values.params };
    let [code, good, bad]: [number, number, number] = [EXIT.ok, 0, 0];
    for (const path of positionals) {
      const file = resolve(io.cwd, path);
      const config = await configFileOf(path, io.cwd);
      const single = async (): Promise<Result<readonly Target[]>> =>
        E.map((params: GeneratorParams) => [{ shown: path, params, keyring }])(paramsOf(given, config));
      const targets = (await isSettings(file)) ? await entriesOf(file, io) : await single();
      if (E.isLeft(targets)) {
        code = Math.max(code, reportError(io, targets.left), EXIT.failed);
        continue;
      }
      for (const target of targets.right) {
        const outputs = await connectOutputs(target, timeout_ms);
        if (E.isLeft(outputs)) {
          bad++;
          for (const line of problemLines(outputs.left)) io.stdout.write(`${target.shown}: ${line}\n`);
          continue;
        }
        for (const [index, { kind, error }] of outputs.right.entries()) {
          if (error === null) good++;
          else bad++;
          const what = error === null ? 'ok' : error.message;
          io.stdout.write(`${target.shown}: output ${index + 1} ${kind}: ${what}\n`);
        }
      }
    }
    io.stderr.write(
      bad === 0
        ? `spate: ${plural(good, 'output')} can be opened.\n`
        : `spate: ${plural(bad, 'output')} cannot be opened, ${good} can.\n`,
    );
    return bad > 0 ? Math.max(code, EXIT.failed) : code;
  },
};
