import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { AskActor } from '../../actors/ask.js';
import type { IncidentFiles, IncidentsInput } from '../../actors/incidents/incident.js';
import { drawSeed } from '../adapters/entropy.js';
import { nodeFiles } from '../adapters/files/files.js';
import { ioError, isAbsent } from '../adapters/files/ioError.js';
import { systemClock } from '../adapters/systemClock.js';
import type { Settings } from '../config/settings/settings.js';
import { shownPath } from '../config/startup/entry.js';
import type { Result, SpateError } from '../domain/errors.js';
import { checkIncidentName, MAX_INCIDENT_BYTES } from '../domain/incidents/incident.js';
import { isJsonObject, parsedJson } from '../domain/json.js';
import type { Log } from '../ports/log.js';

interface IncidentsOptions {
  readonly path: Pick<
    Settings['path'],
    'incidents_dir' | 'former_incidents_dir' | 'state' | 'generators_dir' | 'generator_config_filename'
  >;
  readonly isInCluster: boolean;
  readonly ask: AskActor;
  readonly log: Log;
}

/** Incidents of the service. */
export const incidentsInput = (options: IncidentsOptions): IncidentsInput => {
  const { ask, log } = options;
  const { state, generators_dir, generator_config_filename } = options.path;
  return {
    files: incidentFiles(options.path, join(state, 'incidents')),
    generators: {
      list: () => ask('generators.list', null),
      shownPath: (path) =>
        shownPath(generators_dir)(/\.ya?ml$/.test(path) ? path : join(path, generator_config_filename)),
      create: (id, params) => ask('generators.create', { id, params }),
      start: (id) => ask('generators.start', { id }),
      assign: (id, assignment) => ask('generators.assign', { id, assignment }),
      stop: (id) => ask('generators.stop', { id }),
      remove: (id) => ask('generators.delete', { id }),
    },
    clock: systemClock,
    drawSeed,
    log,
    refusal: options.isInCluster
      ? 'nodes of a cluster run no incidents: use `spate incident run`, or a service without --cluster'
      : null,
  };
};

const SUFFIX = '.yml';

const removed = async (path: string): Promise<E.Either<SpateError, void>> => {
  try {
    return E.right(await rm(path, { force: true }));
  } catch (thrown) {
    return E.left(ioError('unwritable', 'remove', path, thrown));
  }
};

/** Lazy: most services run no incident. */
const load = () => import('./incidentFiles.js');

/** Bytes of a note about a run. */
const MAX_NOTE_BYTES = 1_024;

type IncidentFolders = Pick<Settings['path'], 'incidents_dir' | 'former_incidents_dir'>;

/** Names of the incident files in a directory, which need not exist. */
const namesIn = async (directory: string): Promise<Result<readonly string[]>> => {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile() && entry.name.endsWith(SUFFIX))
      .map(({ name }) => name.slice(0, -SUFFIX.length))
      .filter((name) => checkIncidentName(name) === null);
    return E.right(names);
  } catch (thrown) {
    return isAbsent(thrown) ? E.right([]) : E.left(ioError('unreadable', 'list', directory, thrown));
  }
};

/** Names of the files in the folder of the version before; none when the settings name a folder or it cannot be read. */
const formerNames = async ({ former_incidents_dir }: IncidentFolders): Promise<readonly string[]> =>
  former_incidents_dir === null
    ? []
    : E.getOrElse((): readonly string[] => [])(await namesIn(former_incidents_dir));

/** The folder of incidents of the version before, if it has files that are read. Null otherwise. */
export const formerFolderInUse = async (folders: IncidentFolders): Promise<string | null> =>
  (await formerNames(folders)).length === 0 ? null : folders.former_incidents_dir;

/** Warns of former names in the settings, and of incident files in the folder of the version before. */
export const warnOfFormerNames = async ({ path, warnings }: Settings, log: Log): Promise<void> => {
  for (const warning of warnings) log.write('warning', warning);
  const former = await formerFolderInUse(path);
  if (former === null) return;
  log.write('warning', 'incident files are in the former folder: the next version no longer looks there', {
    former,
    move_to: path.incidents_dir,
  });
};

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Incident files of the folder and of that of the version before, and notes about runs in `notes`. None of them need
 * exist. A file in both folders is that of the first.
 */
const incidentFiles = (folders: IncidentFolders, notes: string): IncidentFiles => {
  const { incidents_dir: directory, former_incidents_dir: former } = folders;
  const noteOf = (name: string): string => join(notes, `${name}.json`);
  const pathOf = async (name: string): Promise<string> => {
    const path = join(directory, `${name}${SUFFIX}`);
    if (former === null || (await isThere(path))) return path;
    const formerPath = join(former, `${name}${SUFFIX}`);
    return (await isThere(formerPath)) ? formerPath : path;
  };
  return {
    names: async () => {
      const names = await namesIn(directory);
      return E.isLeft(names)
        ? names
        : E.right([...new Set([...names.right, ...(await formerNames(folders))])].sort());
    },
    text: async (name) => nodeFiles.readText(await pathOf(name), MAX_INCIDENT_BYTES),
    read: async (name, text) => {
      const { readIncident } = await load();
      return readIncident(text, { file: await pathOf(name), name, shown: `${name}${SUFFIX}` });
    },
    draw: async (name, file, seed) => {
      const { drawnBy } = await load();
      return drawnBy(await pathOf(name), file, seed);
    },
    truth: async (...given) => {
      const { readTruth } = await load();
      return readTruth(...given);
    },
    write: async (name, text) => {
      const made = await nodeFiles.makeDirectory(directory);
      return E.isLeft(made) ? made : nodeFiles.replaceText(await pathOf(name), text);
    },
    noteRun: async (name, started_at) => {
      if (started_at === null) return removed(noteOf(name));
      const made = await nodeFiles.makeDirectory(notes);
      return E.isLeft(made) ? made : nodeFiles.replaceText(noteOf(name), JSON.stringify({ started_at }));
    },
    notedRun: async (name) => {
      const text = await nodeFiles.readText(noteOf(name), MAX_NOTE_BYTES);
      const note = E.isLeft(text) ? null : parsedJson(text.right);
      const at = isJsonObject(note) ? note['started_at'] : null;
      return typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? at : null;
    },
    remove: async (name) => {
      const path = await pathOf(name);
      try {
        await rm(path);
        return E.right(null);
      } catch (thrown) {
        return E.left(ioError(isAbsent(thrown) ? 'not_found' : 'unwritable', 'remove', path, thrown));
      }
    },
  };
};
