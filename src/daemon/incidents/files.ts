import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { IncidentFiles } from '../../../actors/incidents/incident.js';
import { nodeFiles } from '../../adapters/files/files.js';
import { ioError, isAbsent } from '../../adapters/files/ioError.js';
import { MAX_INCIDENT_BYTES } from '../../domain/incidents/limits.js';
import { checkIncidentName } from '../../domain/incidents/name.js';

const SUFFIX = '.yml';

/** Lazy: most services tell no incident. */
const load = () => import('./load.js');

/** Incident files of a directory, which need not exist. */
export const incidentFiles = (directory: string): IncidentFiles => {
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
