import { chown, mkdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import { ioError } from '../../../adapters/files/ioError.js';
import { runProgram } from '../../../adapters/processes/programs.js';
import type { ClusterFile } from '../../../config/cluster.js';
import { MAX_SETTINGS_BYTES, type Settings } from '../../../config/settings/settings.js';
import { loadStartup } from '../../../config/startup/startup.js';
import { readClusterFile } from '../../../daemon/cluster/clusterFile.js';
import { failure, type Result } from '../../../domain/errors.js';
import type { StartupEntry, StartupList } from '../../../domain/generator.js';
import { hasPlaceholder } from '../../../domain/placeholder.js';
import {
  type Command,
  type CommandContext,
  NO_POSITIONALS,
  type OptionValues,
} from '../../arguments/command.js';
import { flagOption, textOption } from '../../arguments/option.js';
import { outputsOf } from '../../files/outputs.js';
import { readSettingsFile } from '../../files/settings.js';
import { reportError } from '../../report.js';
import { EXIT } from '../../terminal/io.js';
import { type UnitInput, unitText } from './unit.js';
import {
  foreignUnit,
  readUnit,
  reloadUnits,
  UNIT_OPTIONS,
  type UnitFile,
  unitFileOf,
  withAdvice,
} from './unitFile.js';

const options = {
  settings: textOption('FILE', {
    short: 'c',
    help: 'Settings file of the instance (default: /etc/spate/spate.yml, with --user ~/.config/spate/spate.yml).',
  }),
  cluster: textOption('FILE', {
    help: 'Run as a node of the cluster that this file describes (default: alone).',
  }),
  ...UNIT_OPTIONS,
  'run-as': textOption('USER', {
    help: 'User to run the service as (default: the owner of the settings file). Not with --user.',
  }),
  'keyring-password-credential': textOption('FILE', {
    help: 'File with the password of the keyring. systemd passes it on; the service needs no access to the file.',
  }),
  print: flagOption({ help: 'Print the unit without writing anything.' }),
  force: flagOption({ help: 'Replace a unit that Spate did not write.' }),
};
type Values = OptionValues<typeof options>;

const ID_TIMEOUT_MS = 10_000;

/** Returns the output of the program `id`, or null when it does not know the user. */
const askId = async (flag: string, user: string): Promise<string | null> => {
  const { code, stdout } = await runProgram('id', [flag, '--', user], ID_TIMEOUT_MS);
  return code === 0 ? stdout.trim() : null;
};

/** Returns the user of a system unit, or null for root. */
const userOf = async (values: Values, settingsFile: string): Promise<Result<string | null>> => {
  const given = values['run-as'];
  if (values.user === true) {
    return given === undefined
      ? E.right(null)
      : E.left(failure('invalid', '--run-as applies to system units only. Remove --user or --run-as.'));
  }
  if (given !== undefined) return E.right(given === 'root' || given === '0' ? null : given);
  const uid = await ownerOf(settingsFile);
  if (E.isLeft(uid) || uid.right === 0) return E.isLeft(uid) ? uid : E.right(null);
  return E.right((await askId('-nu', String(uid.right))) ?? String(uid.right));
};

/** Numeric ids, to own the created folders. */
const ownerNumbers = async (user: string | null): Promise<Result<Owner | null>> => {
  if (user === null) return E.right(null);
  const [uid, gid] = [await askId('-u', user), await askId('-g', user)];
  if (uid !== null && gid !== null) return E.right({ uid: Number(uid), gid: Number(gid) });
  const advice = `useradd --system --no-create-home --shell /usr/sbin/nologin ${user}`;
  return E.left(
    failure('not_found', `there is no user "${user}". Choose another --run-as, or create it: ${advice}`),
  );
};

const isFile = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isFile() === true;

/** Files that the cluster file names, for access to the servers. */
const filesOfCluster = ({ nats }: ClusterFile): readonly string[] =>
  [
    nats.password_file,
    nats.token_file,
    nats.nkey_file,
    nats.credentials_file,
    nats.tls.ca_cert,
    nats.tls.cert,
    nats.tls.cert_key,
  ].filter((file) => file !== null);

const inputOf = async (
  values: Values,
  unit: UnitFile,
  { io, services }: CommandContext,
): Promise<Result<UnitInput>> => {
  const settingsFile = resolve(io.cwd, values.settings ?? join(unit.configFolder, 'spate', 'spate.yml'));
  const clusterFile = values.cluster === undefined ? null : resolve(io.cwd, values.cluster);
  const cluster = clusterFile === null ? E.right(null) : await readClusterFile(clusterFile);
  if (E.isLeft(cluster)) return cluster;
  const files = await readInstanceFiles(settingsFile, clusterFile !== null);
  if (E.isLeft(files)) {
    const isDefault = values.settings === undefined && files.left.code === 'not_found';
    const advice = isDefault ? '. Name the settings file with --settings FILE.' : '';
    return E.left({ ...files.left, message: `${files.left.message}${advice}` });
  }
  const user = await userOf(values, settingsFile);
  if (E.isLeft(user)) return user;
  const named = values['keyring-password-credential'];
  const keyringPassword = named === undefined ? null : resolve(io.cwd, named);
  if (keyringPassword !== null && !(await isFile(keyringPassword))) {
    return E.left(
      failure('not_found', `${keyringPassword} is not a file. Write the password of the keyring to it.`),
    );
  }
  return E.right({
    name: unit.name,
    mode: unit.mode,
    node: process.execPath,
    script: services.script,
    settingsFile,
    clusterFile,
    readable: cluster.right === null ? [] : filesOfCluster(cluster.right),
    writable: await writableFolders(settingsFile, files.right),
    user: user.right,
    keyringPassword,
    port: files.right.settings.server.port,
  });
};

const nextSteps = (unit: UnitFile, input: UnitInput, made: readonly string[]): string => {
  const { name, mode } = unit;
  const who = mode === 'user' ? 'you' : (input.user ?? 'root');
  const journal = `journalctl${mode === 'user' ? ' --user' : ''} -u ${name} -f`;
  return `Wrote ${unit.file}: runs as ${who} with ${input.settingsFile}${input.clusterFile === null ? '' : ` and ${input.clusterFile}`}
${made.map((folder) => `Created ${folder}\n`).join('')}Next:
  ${unit.shown('enable', '--now', name)}
  ${unit.shown('status', name)}
  ${journal}
${mode === 'user' ? '  loginctl enable-linger    keeps it running while you are logged out\n' : ''}`;
};

const write = async (
  unit: UnitFile,
  input: UnitInput,
  text: string,
  isForced: boolean,
): Promise<Result<readonly string[]>> => {
  const old = await readUnit(unit);
  if (E.isLeft(old)) return old;
  const refusal = old.right === null ? null : foreignUnit(unit, old.right, isForced, 'replace');
  if (refusal !== null) return E.left(refusal);
  const owner = await ownerNumbers(input.user);
  if (E.isLeft(owner)) return owner;
  const folder = await nodeFiles.makeDirectory(dirname(unit.file));
  if (E.isLeft(folder)) return folder;
  const made = await makeFolders(input.writable, owner.right);
  if (E.isLeft(made)) return made;
  const written = await nodeFiles.replaceText(unit.file, text);
  return E.isLeft(written) ? written : made;
};

export const serviceInstall: Command<typeof options> = {
  name: 'service install',
  summary: 'Writes a systemd unit that runs an instance.',
  positionals: NO_POSITIONALS,
  options,
  notes: [
    'The unit restarts the service if it fails or hangs. The service can write only to the folders of its settings and of ' +
      'the file outputs in its startup list; missing ones are created. Run install again after changing them.',
    'A node of a cluster can write to the folders of its settings, which include the generators directory. Add folders of other ' +
      'file outputs in a drop-in.',
  ],
  examples: [
    {
      title: 'Install a system service',
      line: 'spate service install --settings /etc/spate/spate.yml --run-as spate',
    },
    { title: 'See the unit first', line: 'spate service install -c settings/spate.yml --print' },
    {
      title: 'Install a node of a cluster',
      line: 'spate service install -c settings/spate.yml --cluster settings/cluster.yml --run-as spate',
    },
    {
      title: 'Install a user service with a keyring',
      line: 'spate service install --user -c settings/spate.yml --keyring-password-credential keyring.password',
    },
  ],
  run: async ({ options: values }, context) => {
    const { io } = context;
    const unit = unitFileOf(values, io);
    if (E.isLeft(unit)) return reportError(io, unit.left);
    const input = await inputOf(values, unit.right, context);
    if (E.isLeft(input)) return reportError(io, input.left);
    const text = unitText(input.right);
    if (E.isLeft(text)) return reportError(io, text.left);
    if (unit.right.mode === 'system' && input.right.user === null) {
      io.stderr.write('spate: the service runs as root. Use --run-as USER to run it as another user.\n');
    }
    if (values.print === true) {
      io.stdout.write(text.right);
      return EXIT.ok;
    }
    const done = await write(unit.right, input.right, text.right, values.force === true);
    if (E.isLeft(done)) return reportError(io, withAdvice(done.left, unit.right));
    await reloadUnits(unit.right, io);
    io.stdout.write(nextSteps(unit.right, input.right, done.right));
    return EXIT.ok;
  },
};

interface InstanceFiles {
  readonly settings: Settings;
  readonly list: StartupList;
}

const NO_ENTRIES: StartupList = { entries: [], rejected: [], warnings: [] };

/** Returns the error that a start would fail with, if any. A node of a cluster reads no startup file. */
const readInstanceFiles = async (settingsFile: string, isNode: boolean): Promise<Result<InstanceFiles>> => {
  const settings = await readSettingsFile(settingsFile);
  if (E.isLeft(settings)) return settings;
  if (isNode) return E.right({ settings: settings.right, list: NO_ENTRIES });
  const { path, generation } = settings.right;
  const startup = await nodeFiles.readText(path.startup, MAX_SETTINGS_BYTES);
  if (E.isLeft(startup)) return startup;
  const list = loadStartup(startup.right, path.startup, generation, path.generators_dir);
  return E.map((read: StartupList) => ({ settings: settings.right, list: read }))(list);
};

/** Folders of file outputs, if the config names them. */
const outputFolders = async ({ path: config, params }: StartupEntry): Promise<readonly string[]> => {
  const outputs = await outputsOf(config, params);
  if (E.isLeft(outputs)) return [];
  return outputs.right.flatMap(({ kind, params }) => {
    const path = params['path'];
    if (kind !== 'file' || typeof path !== 'string') return [];
    if (hasPlaceholder(dirname(path))) return [];
    // Folders with placeholders of the output are made below this one.
    return [dirname(resolve(dirname(config), `${path.replace(/\$?\{.*/s, '')}x`))];
  });
};

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Includes the folders of files that a rename replaces: settings, startup list, keyring. */
const writableFolders = async (
  settingsFile: string,
  { settings: { path }, list }: InstanceFiles,
): Promise<readonly string[]> => {
  const outputs = await Promise.all(list.entries.map(outputFolders));
  const replaced = [settingsFile, path.startup, path.keyring_cryptfile].map((file) => dirname(file));
  const { former_incidents_dir: former, incidents_dir } = path;
  const incidents =
    former !== null && (await isDirectory(former)) ? [incidents_dir, former] : [incidents_dir];
  const shared = [path.generators_dir, path.destinations];
  return [path.logs, path.state, ...shared, ...incidents, ...replaced, ...outputs.flat()];
};

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Returns the created folders. systemd refuses a unit with missing ReadWritePaths=. */
const makeFolders = async (
  folders: readonly string[],
  owner: Owner | null,
): Promise<Result<readonly string[]>> => {
  const made: string[] = [];
  for (const folder of folders) {
    try {
      const first = await mkdir(folder, { recursive: true, mode: 0o750 });
      if (first === undefined) continue;
      made.push(folder);
      for (let at = folder; owner !== null && at.length >= first.length; at = dirname(at)) {
        await chown(at, owner.uid, owner.gid);
      }
    } catch (thrown) {
      return E.left(ioError('unwritable', 'create the folder', folder, thrown));
    }
  }
  return E.right(made);
};

const ownerOf = async (file: string): Promise<Result<number>> => {
  try {
    return E.right((await stat(file)).uid);
  } catch (thrown) {
    return E.left(ioError('unreadable', 'read', file, thrown));
  }
};
