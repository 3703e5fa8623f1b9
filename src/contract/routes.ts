import type { AnyShape } from '../schema/index.js';
import type { PreviewShapes } from './previewBodies.js';
import { auditRoutes } from './routes/audit.js';
import { clusterRoutes } from './routes/cluster.js';
import { configRoutes } from './routes/configs.js';
import { deadLetterRoutes } from './routes/deadLetters.js';
import { destinationRoutes } from './routes/destinations.js';
import { fileRoutes } from './routes/files.js';
import { generatorGroupRoutes, generatorPatchRoutes, generatorRoutes } from './routes/generators.js';
import { incidentRoutes } from './routes/incidents.js';
import { instanceRoutes } from './routes/instance.js';
import { libraryRoutes } from './routes/library.js';
import { membershipRoutes } from './routes/membership.js';
import { observeRoutes } from './routes/observe.js';
import { previewRoutes } from './routes/preview.js';
import { scenarioRoutes } from './routes/scenarios.js';
import { secretRoutes } from './routes/secrets.js';
import { seriesRoutes } from './routes/series.js';
import { startupRoutes } from './routes/startup.js';
import { worldRoutes } from './routes/worlds.js';

export interface ContractShapes extends PreviewShapes {
  readonly generatorConfig: AnyShape;
  /** Sections of a generator config, all optional. */
  readonly generatorPatch: AnyShape;
  /** One output of a config. */
  readonly output: AnyShape;
  readonly generatorParams: AnyShape;
  readonly startupEntry: AnyShape;
  readonly settings: AnyShape;
}

/** The route table, without the rows of sign-in. */
export const makeRoutes = (shapes: ContractShapes) =>
  [
    ...configRoutes(shapes.generatorConfig),
    ...fileRoutes(),
    ...libraryRoutes(),
    ...destinationRoutes(shapes.output),
    ...worldRoutes(),
    ...previewRoutes(shapes),
    ...scenarioRoutes(),
    ...membershipRoutes(),
    ...incidentRoutes(),
    ...generatorRoutes(),
    ...generatorGroupRoutes(),
    ...deadLetterRoutes(),
    ...startupRoutes(),
    ...secretRoutes(),
    ...generatorPatchRoutes(shapes.generatorPatch),
    ...instanceRoutes(shapes.settings),
    ...clusterRoutes(),
    ...auditRoutes(),
    ...observeRoutes(),
    ...seriesRoutes(),
  ] as const;

export type Routes = ReturnType<typeof makeRoutes>;
