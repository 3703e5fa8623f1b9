import { readdir, rm } from 'node:fs/promises';
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
import type { SpateError } from '../domain/errors.js';
import { checkIncidentName, MAX_INCIDENT_BYTES } from '../domain/incidents/incident.js';
import { isJsonObject, parsedJson } from '../domain/json.js';
import type { Log } from '../ports/log.js';

interface IncidentsOptions {
  readonly path: Pick<
    Settings['path'],
    'scenarios_dir' | 'state' | 'generators_dir' | 'generator_config_filename'
  >;
  readonly isInCluster: boolean;
  readonly ask: AskActor;
  readonly log: Log;
}

/** Incidents of the service. */
export const incidentsInput = (options: IncidentsOptions): IncidentsInput => {
  const { ask, log } = options;
  const { scenarios_dir, state, generators_dir, generator_config_filename } = options.path;
  return {
    files: incidentFiles(scenarios_dir, join(state, 'incidents')),
    generators: {
      list: () => ask('generators.list', null),
      shownPath: (path) =>
        shownPath(generators_dir)(/\.ya?ml$/.test(path) ? path : join(path, generator_config_filename)),
      create: (id, params) => ask('generators.create', { id, params }),
      start: (id) => ask('generators.start', { id }),
      tell: (id, told) => ask('generators.tell', { id, told }),
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

/** Incident files of a directory, and notes about runs in `notes`. Neither need exist. */
const incidentFiles = (directory: string, notes: string): IncidentFiles => {
  const noteOf = (name: string): string => join(notes, `${name}.json`);
  const pathOf = (name: string): string => join(directory, `${name}${SUFFIX}`);
  return {
    names: async () => {
      try {
        const entries = await readdir(directory, { withFileTypes: true });
        const names = entries
          .filter((entry) => entry.isFile() && entry.name.endsWith(SUFFIX))
          .map(({ name }) => name.slice(0, -SUFFIX.length))
          .filter((name) => checkIncidentName(name) === null);
        return E.right(names.sort());
      } catch (thrown) {
        return isAbsent(thrown) ? E.right([]) : E.left(ioError('unreadable', 'list', directory, thrown));
      }
    },
    text: (name) => nodeFiles.readText(pathOf(name), MAX_INCIDENT_BYTES),
    read: async (name, text) => {
      const { readIncident } = await load();
      return readIncident(text, { file: pathOf(name), name, shown: `${name}${SUFFIX}` });
    },
    draw: async (name, file, seed) => {
      const { drawnBy } = await load();
      return drawnBy(pathOf(name), file, seed);
    },
    write: async (name, text) => {
      const made = await nodeFiles.makeDirectory(directory);
      return E.isLeft(made) ? made : nodeFiles.replaceText(pathOf(name), text);
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
      try {
        await rm(pathOf(name));
        return E.right(null);
      } catch (thrown) {
        return E.left(ioError(isAbsent(thrown) ? 'not_found' : 'unwritable', 'remove', pathOf(name), thrown));
      }
    },
  };
};
