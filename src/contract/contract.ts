import { MAX_ID_LENGTH } from '../domain/identifiers.js';
import {
  type AnyShape,
  type JsonSchema,
  schemaWithPlaceholders,
  schemaWithSpellings,
} from '../schema/index.js';
import { bodyObject } from './body.js';
import { idsSchema } from './generatorIds.js';
import { makeOpenApi, type OpenApi } from './openapi.js';
import { type PreviewShapes, previewSchemas } from './previewBodies.js';
import { RESPONSE_SCHEMAS } from './responses.js';
import { AUTH_ROUTES } from './routes/auth.js';
import { configRoutes } from './routes/configs.js';
import { fileRoutes } from './routes/files.js';
import { generatorPatchRoutes } from './routes/generatorPatch.js';
import { generatorGroupRoutes, generatorRoutes } from './routes/generators.js';
import { instanceRoutes } from './routes/instance.js';
import { copySchema, libraryRoutes } from './routes/library.js';
import { membershipRoutes } from './routes/membership.js';
import { observeRoutes } from './routes/observe.js';
import { previewRoutes } from './routes/preview.js';
import { scenarioRoutes } from './routes/scenarios.js';
import { secretRoutes } from './routes/secrets.js';
import { startupRoutes } from './routes/startup.js';

export interface ContractShapes extends PreviewShapes {
  readonly generatorConfig: AnyShape;
  /** Sections of a generator config, all optional. */
  readonly generatorPatch: AnyShape;
  readonly generatorParams: AnyShape;
  readonly startupEntry: AnyShape;
  readonly settings: AnyShape;
}

const makeRoutes = (shapes: ContractShapes) =>
  [
    ...configRoutes(shapes.generatorConfig),
    ...fileRoutes(),
    ...libraryRoutes(),
    ...previewRoutes(shapes),
    ...scenarioRoutes(),
    ...membershipRoutes(),
    ...generatorRoutes(),
    ...generatorGroupRoutes(),
    ...startupRoutes(),
    ...secretRoutes(),
    ...generatorPatchRoutes(shapes.generatorPatch),
    ...instanceRoutes(shapes.settings),
    ...observeRoutes(),
  ] as const;

export type Routes = ReturnType<typeof makeRoutes>;

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
  Globals: bodyObject.schema,
  GeneratorIds: idsSchema,
  LibraryCopyRequest: copySchema,
  // Stored documents contain placeholders, in requests and in responses.
  GeneratorConfig: schemaWithPlaceholders(shapes.generatorConfig.schema),
  GeneratorPatch: { ...schemaWithPlaceholders(shapes.generatorPatch.schema), minProperties: 1 },
  GivenGeneratorParams: givenSchema(shapes.generatorParams, IGNORED_ID),
  GivenStartupEntry: givenSchema(shapes.startupEntry, SAME_ID),
  ...previewSchemas(shapes),
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
