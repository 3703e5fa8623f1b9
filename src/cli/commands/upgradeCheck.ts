import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../adapters/files/files.js';
import { failure, type Result } from '../../domain/errors.js';
import type { Command, CommandContext } from '../arguments/command.js';
import { reportError } from '../report.js';
import { EXIT } from '../terminal/io.js';
import { validate } from './validate/validate.js';

const MAX_CHANGELOG_BYTES = 1_048_576;

/** Where a folder of an instance has its settings: as `spate new` writes them, and as a clone has them. */
const SETTINGS_FILES = ['spate.yml', 'settings/spate.yml'];

const settingsFileOf = (path: string): Result<string> => {
  if (/\.ya?ml$/.test(path)) return E.right(path);
  const found = SETTINGS_FILES.map((name) => join(path, name)).find((file) => existsSync(file));
  return found === undefined
    ? E.left(
        failure('not_found', `${path} has no ${SETTINGS_FILES.join(' and no ')}; name the settings file.`),
      )
    : E.right(found);
};

/**
 * What a changelog lists under "Breaking" above the section of `since`, or in all sections if it has none of that name:
 * one text an item.
 */
export const breakingSince = (changelog: string, since: string): readonly string[] => {
  const versions = changelog.split(/^## /m).slice(1);
  const known = versions.findIndex((text) => text.split(/\s/, 1)[0] === since);
  const newer = known === -1 ? versions : versions.slice(0, known);
  return newer.flatMap((version) => {
    const [, breaking = ''] = version.split(/^### Breaking$/m);
    const [items = ''] = breaking.split(/^#/m);
    return items
      .split(/^- /m)
      .slice(1)
      .map((item) => item.trim().replace(/\s+/g, ' '));
  });
};

/** The first version that notes itself in the state folder is 0.2.0. */
const UNNOTED_VERSION = '0.1.0';

/** The version that used a state folder last; null before the first run. */
const lastVersion = async (state: string): Promise<Result<string | null>> => {
  // Lazy, as is the daemon below: other commands start faster without them.
  const { readStateFormat } = await import('../../daemon/stateFolder.js');
  const found = await readStateFormat(state);
  return E.map(({ version }: { readonly version: string | null }) =>
    existsSync(state) ? (version ?? UNNOTED_VERSION) : null,
  )(found);
};

/** Prints what is breaking since the version that used the instance last. */
const printBreaking = async (last: string | null, { io, services }: CommandContext): Promise<void> => {
  if (last === null) return io.stdout.write('It has never run: no state to take over.\n');
  if (last === services.version) return io.stdout.write(`Version ${last} used it last: nothing changes.\n`);
  const changelog = await nodeFiles.readText(join(services.folder, 'CHANGELOG.md'), MAX_CHANGELOG_BYTES);
  if (E.isLeft(changelog)) return io.stderr.write(`spate: ${changelog.left.message}\n`);
  const items = breakingSince(changelog.right, last);
  io.stdout.write(
    `Version ${last} used it last. ${items.length === 0 ? 'Nothing is breaking since.' : 'Breaking since, as the changelog has it:'}\n${items
      .map((item) => `- ${item}\n`)
      .join('')}`,
  );
};

export const upgradeCheck: Command<Record<never, never>> = {
  name: 'upgrade-check',
  summary: 'Tells what this version changes for an instance of an older one.',
  positionals: { usage: 'DIR', min: 1, max: 1 },
  options: {},
  notes: [
    'DIR is the folder of an instance with spate.yml or settings/spate.yml, or the settings file itself. Changes nothing, ' +
      'also while the instance runs.',
    'Checks that this version can read the state folder; settings, startup list, generators, incidents and worlds as ' +
      '`spate validate` does; warns of former names; and lists the breaking changes since the version that used it last.',
    'Exit codes: 0 this version can take over; 1 something must be mended first; 2 wrong usage.',
  ],
  examples: [
    { title: 'Before the service is restarted with a new version', line: 'spate upgrade-check my-traffic' },
  ],
  run: async ({ positionals: [path = ''] }, context) => {
    const { io, services } = context;
    const file = settingsFileOf(resolve(io.cwd, path));
    if (E.isLeft(file)) return reportError(io, file.left);
    const { installThirdParty, readStoredSettings } = await import('../../daemon/instance.js');
    const { formerFolderInUse } = await import('../../daemon/incidents.js');
    const read = await readStoredSettings({ settingsFile: file.right, listen: {} });
    if (E.isLeft(read)) return reportError(io, read.left);
    const { settings } = read.right;
    const plugins = await installThirdParty(settings);
    if (E.isLeft(plugins)) return reportError(io, plugins.left);
    const shown = (absolute: string): string => relative(io.cwd, absolute) || '.';
    io.stdout.write(`This is Spate ${services.version}, and the instance is ${shown(file.right)}.\n`);
    const last = await lastVersion(settings.path.state);
    if (E.isLeft(last)) return reportError(io, last.left);
    await printBreaking(last.right, context);
    const { startup, generators_dir, incidents_dir } = settings.path;
    const worlds = join(dirname(generators_dir), 'worlds');
    const checked = [file.right, startup, generators_dir, incidents_dir, worlds].filter(
      (each) => (each !== incidents_dir && each !== worlds) || existsSync(each),
    );
    const former = await formerFolderInUse(settings.path);
    if (former !== null)
      io.stderr.write(
        `warning: ${shown(former)}: the next version no longer looks for incidents there. Move them to ${shown(incidents_dir)}.\n`,
      );
    const options = { plugin: undefined, config: undefined, 'no-files': undefined };
    const code = await validate.run({ positionals: checked.map(shown), options }, context);
    if (code === EXIT.ok) io.stdout.write('This version can take over.\n');
    return code;
  },
};
