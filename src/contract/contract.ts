import { MAX_ID_LENGTH } from '../domain/identifiers.js';
import {
  type AnyShape,
  type JsonSchema,
  schemaWithPlaceholders,
  schemaWithSpellings,
} from '../schema/index.js';
import { bodyObject } from './body.js';
import { CLUSTER_SCHEMAS } from './clusterSchemas.js';
import { idsSchema } from './generatorIds.js';
import { INCIDENT_SCHEMAS } from './incidentSchemas.js';
import { LEARN_SCHEMAS } from './learnSchemas.js';
import { logSampleShape } from './logSampleBody.js';
import { makeOpenApi, type OpenApi } from './openapi.js';
import { previewSchemas } from './previewBodies.js';
import { RESPONSE_SCHEMAS } from './responses.js';
import { AUTH_ROUTES } from './routes/auth.js';
import { incidentFileSchema } from './routes/incidents.js';
import { copySchema } from './routes/library.js';
import { type ContractShapes, makeRoutes, type Routes } from './routes.js';

export type { ContractShapes, Routes } from './routes.js';

/** A page made from the table. */
export interface Page {
  readonly id: 'openapi' | 'docs';
  readonly method: 'get';
  readonly path: string;
  readonly summary: string;
}

export const PAGES: readonly Page[] = [
  { id: 'openapi', method: 'get', path: '/openapi.json', summary: 'OpenAPI document of the API' },
  { id: 'docs', method: 'get', path: '/docs', summary: 'This documentation as an HTML page' },
];

export interface Contract {
  readonly routes: Routes;
  /** Built on the first request: it takes 20 ms and 1.3 MB. */
  readonly openapi: () => OpenApi;
}

/** Parameters in a request: `path` is required, and the id is in the URL. */
const givenSchema = ({ schema }: AnyShape, id: JsonSchema): JsonSchema => {
  const { properties, ...rest } = schemaWithSpellings(schema);
  return { ...rest, properties: { ...(properties as JsonSchema), id }, required: ['path'] };
};

const IGNORED_ID: JsonSchema = { description: 'Ignored; the id of the path counts.' };
const SAME_ID: JsonSchema = {
  description: 'The id of the path, or null.',
  type: ['string', 'null'],
  maxLength: MAX_ID_LENGTH,
};

const schemasOf = (shapes: ContractShapes): Readonly<Record<string, JsonSchema>> => ({
  ...RESPONSE_SCHEMAS,
  ...CLUSTER_SCHEMAS,
  ...INCIDENT_SCHEMAS,
  IncidentFile: incidentFileSchema,
  ...LEARN_SCHEMAS,
  Globals: bodyObject.schema,
  GeneratorIds: idsSchema,
  LibraryCopyRequest: copySchema,
  // Stored documents contain placeholders, in requests and in responses.
  GeneratorConfig: schemaWithPlaceholders(shapes.generatorConfig.schema),
  GeneratorPatch: { ...schemaWithPlaceholders(shapes.generatorPatch.schema), minProperties: 1 },
  GivenGeneratorParams: givenSchema(shapes.generatorParams, IGNORED_ID),
  GivenStartupEntry: givenSchema(shapes.startupEntry, SAME_ID),
  ...previewSchemas(shapes),
  LogSample: logSampleShape.schema,
  Settings: schemaWithPlaceholders(shapes.settings.schema),
});

export const makeContract = (shapes: ContractShapes, version: string): Contract => {
  const routes = makeRoutes(shapes);
  let openapi: OpenApi | null = null;
  return {
    routes,
    openapi: () => {
      openapi ??= makeOpenApi([...routes, ...AUTH_ROUTES], schemasOf(shapes), version);
      return openapi;
    },
  };
};
