import { type AnyShape, type JsonSchema, schemaWithPlaceholders } from '../schema/index.js';
import { makeOpenApi, type OpenApi } from './openapi.js';
import { RESPONSE_SCHEMAS } from './responses.js';
import { configRoutes } from './routes/configs.js';
import { fileRoutes } from './routes/files.js';
import { generatorPatchRoutes } from './routes/generatorPatch.js';
import { generatorGroupRoutes, generatorRoutes } from './routes/generators.js';
import { instanceRoutes } from './routes/instance.js';
import { membershipRoutes } from './routes/membership.js';
import { previewRoutes } from './routes/preview.js';
import { scenarioRoutes } from './routes/scenarios.js';
import { startupRoutes } from './routes/startup.js';

/** Shapes of documents that are declared elsewhere. */
export interface ContractShapes {
  readonly generatorConfig: AnyShape;
  /** Sections of a generator config, none of them required. */
  readonly generatorPatch: AnyShape;
  /** List of input plugins, as a preview takes it. */
  readonly inputs: AnyShape;
  readonly settings: AnyShape;
}

/** The table: one row per endpoint that asks somebody. */
export const makeRoutes = (shapes: ContractShapes) =>
  [
    ...configRoutes(shapes.generatorConfig),
    ...fileRoutes(),
    ...previewRoutes(shapes.inputs),
    ...scenarioRoutes(),
    ...membershipRoutes(),
    ...generatorRoutes(),
    ...generatorGroupRoutes(),
    ...startupRoutes(),
    ...generatorPatchRoutes(shapes.generatorPatch),
    ...instanceRoutes(shapes.settings),
  ] as const;

export type Routes = ReturnType<typeof makeRoutes>;

/** A page that is made from the table itself. */
export interface Page {
  readonly id: 'openapi' | 'docs';
  readonly method: 'get';
  readonly path: string;
  readonly summary: string;
}

export const PAGES: readonly Page[] = [
  { id: 'openapi', method: 'get', path: '/openapi.json', summary: 'This document' },
  { id: 'docs', method: 'get', path: '/docs', summary: 'The documentation as a page' },
];

export interface Contract {
  readonly routes: Routes;
  readonly openapi: OpenApi;
}

/** The contract of the API: the table and the document made from it. */
export const makeContract = (shapes: ContractShapes, version: string): Contract => {
  const routes = makeRoutes(shapes);
  const schemas: Readonly<Record<string, JsonSchema>> = {
    ...RESPONSE_SCHEMAS,
    // Stored documents hold placeholders, as they are sent and as they are read back.
    GeneratorConfig: schemaWithPlaceholders(shapes.generatorConfig.schema),
    GeneratorPatch: schemaWithPlaceholders(shapes.generatorPatch.schema),
    InputPlugins: shapes.inputs.schema,
    Settings: schemaWithPlaceholders(shapes.settings.schema),
  };
  return { routes, openapi: makeOpenApi(routes, schemas, version) };
};
