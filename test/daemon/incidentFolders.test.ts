import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { loadSettings } from '../../src/config/settings/settings.js';
import { incidentsInput, warnOfFormerNames } from '../../src/daemon/incidents.js';
import { right } from '../support/either.js';
import { writeFiles } from '../support/library.js';
import { memoryLog } from '../support/logs.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spate-incidents-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const settingsWith = (more = '') =>
  right(
    loadSettings(
      `server: {}\ngeneration: {}\nlog: {}\npath: {logs: l, startup: s.yml, generators_dir: generators, keyring_cryptfile: k${more}}\n`,
      join(folder, 'spate.yml'),
    ),
  );

const filesOf = ({ path }: ReturnType<typeof settingsWith>) =>
  incidentsInput({
    path,
    isInCluster: false,
    ask: () => {
      throw new Error('files ask nobody');
    },
    log: memoryLog().log,
  }).files;

const warningsOf = async (settings: ReturnType<typeof settingsWith>) => {
  const { log, lines } = memoryLog();
  await warnOfFormerNames(settings, log);
  return lines;
};

const textAt = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');

describe('the folder scenarios, where incident files were in the version before', () => {
  test('is still read, after incidents, and the log asks to move its files', async () => {
    await writeFiles(folder, {
      'scenarios/old.yml': 'old',
      'scenarios/both.yml': 'former',
      'incidents/both.yml': 'present',
      'incidents/new.yml': 'new',
    });
    const settings = settingsWith();
    const files = filesOf(settings);
    expect(right(await files.names())).toEqual(['both', 'new', 'old']);
    expect(right(await files.text('old'))).toBe('old');
    expect(right(await files.text('both'))).toBe('present');
    expect(await warningsOf(settings)).toEqual([
      {
        level: 'warning',
        message: expect.stringContaining('former folder'),
        context: { former: join(folder, 'scenarios'), move_to: join(folder, 'incidents') },
      },
    ]);
  });

  test('keeps the files that it has; new ones go to incidents', async () => {
    await writeFiles(folder, { 'scenarios/old.yml': 'old' });
    const files = filesOf(settingsWith());
    right(await files.write('old', 'older'));
    right(await files.write('fresh', 'new'));
    expect([await textAt('scenarios/old.yml'), await textAt('incidents/fresh.yml')]).toEqual([
      'older',
      'new',
    ]);
    right(await files.remove('old'));
    expect(right(await files.names())).toEqual(['fresh']);
  });

  test('is ignored without a warning when it is absent or empty, or the settings name a folder', async () => {
    expect(await warningsOf(settingsWith())).toEqual([]);
    expect(right(await filesOf(settingsWith()).names())).toEqual([]);
    await writeFiles(folder, { 'scenarios/notes.txt': 'no incident' });
    expect(await warningsOf(settingsWith())).toEqual([]);
    await writeFiles(folder, { 'scenarios/old.yml': 'old', 'mine/own.yml': 'own' });
    const named = settingsWith(', incidents_dir: mine');
    expect(await warningsOf(named)).toEqual([]);
    expect(right(await filesOf(named).names())).toEqual(['own']);
  });

  test('is named by scenarios_dir, the former field, which the log warns of', async () => {
    await writeFiles(folder, { 'stories/own.yml': 'own' });
    const named = settingsWith(', scenarios_dir: stories');
    expect(right(await filesOf(named).names())).toEqual(['own']);
    expect(await warningsOf(named)).toMatchObject([
      {
        level: 'warning',
        message: expect.stringMatching(/^path\.scenarios_dir is now path\.incidents_dir/),
      },
    ]);
  });
});
