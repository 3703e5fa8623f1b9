import { join } from 'node:path';
import type { AskActor } from '../../../actors/ask.js';
import type { IncidentsInput } from '../../../actors/incidents/incident.js';
import { drawSeed } from '../../adapters/entropy.js';
import { systemClock } from '../../adapters/systemClock.js';
import type { Settings } from '../../config/settings/settings.js';
import { shownPath } from '../../config/startup/entry.js';
import type { Log } from '../../ports/log.js';
import { incidentFiles } from './files.js';

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
      ? 'incidents are not told by nodes of a cluster: use `spate scenario run`, or a service without --cluster'
      : null,
  };
};
