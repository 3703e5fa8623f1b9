import { MAX_ID_LENGTH } from '../domain/identifiers.js';
import {
  type AnyShape,
  type JsonSchema,
  schemaWithPlaceholders,
  schemaWithSpellings,
} from '../schema/index.js';
import { bodyObject, idsSchema } from './body.js';
import { makeOpenApi, type OpenApi } from './openapi.js';
import { logSampleShape, previewSchemas } from './previewBodies.js';
import { RESPONSE_SCHEMAS } from './responses.js';
import { AUTH_ROUTES } from './routes/auth.js';
import { DESTINATION_SCHEMAS } from './routes/destinations.js';
import { FILE_VERSION_SCHEMAS } from './routes/files.js';
import { incidentFileSchema } from './routes/incidents.js';
import { copySchema } from './routes/library.js';
import { secretReferenceSchema } from './routes/secrets.js';
import { WORLD_SCHEMAS } from './routes/worlds.js';
import { type ContractShapes, makeRoutes, type Routes } from './routes.js';
import { amount, countField, flagField, list, maybe, object, refTo, textField, time } from './schemaParts.js';

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
  ...DESTINATION_SCHEMAS,
  ...FILE_VERSION_SCHEMAS,
  ...WORLD_SCHEMAS,
  SecretReference: secretReferenceSchema,
  IncidentFile: incidentFileSchema,
  ...LEARN_SCHEMAS,
  Globals: bodyObject.schema,
  GeneratorIds: idsSchema,
  LibraryCopyRequest: copySchema,
  // Stored documents contain placeholders, in requests and in responses.
  GeneratorConfig: schemaWithPlaceholders(shapes.generatorConfig.schema),
  Output: schemaWithPlaceholders(shapes.output.schema),
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

const item = {
  name: textField,
  summary: maybe(textField),
  duration: { ...maybe(amount), description: 'Seconds; null: the file is invalid.' },
  state: { type: 'string', enum: ['idle', 'running', 'paused'] },
  position: {
    ...maybe(amount),
    description: 'Seconds after the start, negative until it begins; null while idle.',
  },
  problem: { ...maybe(textField), description: 'Why the file cannot be used.' },
} satisfies Readonly<Record<string, JsonSchema>>;

const run = object({ seed: textField, started_at: time, round: countField, rounds: countField });

const moment = object({
  phase: textField,
  number: { ...countField, description: 'Which of `of` times, from 1.' },
  of: countField,
  from: { type: 'number', description: 'Seconds after the start.' },
  to: amount,
  effects: list(object({ member: textField, effect: textField })),
  expected: {
    ...maybe(countField),
    description: 'Events that it adds; null when only inputs or an attack decide how many.',
  },
});

const member = object({
  name: textField,
  path: textField,
  generator_id: {
    ...maybe(textField),
    description: 'Null: no generator has this config; the incident makes one meanwhile.',
  },
  phase: maybe(textField),
});

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

/** Schemas of incidents, by their name under `components.schemas`. */
const INCIDENT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Incident: object(item),
  IncidentRun: run,
  IncidentDetails: object({
    ...item,
    text: { type: 'string', description: 'The file, YAML.' },
    entities: {
      ...maybe({ type: 'object', additionalProperties: true }),
      description: 'As drawn for the run, or by `seed`.',
    },
    timeline: list(moment),
    members: list(member),
    run: orNull(run),
    last: orNull(
      object({
        at: time,
        outcome: { type: 'string', enum: ['finished', 'stopped', 'cut_off'] },
        reason: { ...maybe(textField), description: 'Why a member could not be released.' },
      }),
    ),
  }),
  IncidentTruth: object({
    lines: {
      ...list({ type: 'string' }),
      description: 'A JSON object each; those of a member are in order.',
    },
    next: { ...textField, description: 'The `after` of the next request.' },
    is_anew: { ...flagField, description: 'From the beginning: former lines no longer count.' },
    is_more: flagField,
    problem: { ...maybe(textField), description: 'Why the ground truth cannot be read here.' },
  }),
};

const phase: JsonSchema = {
  type: 'string',
  enum: ['waiting', 'joining', 'member', 'draining', 'isolated', 'leaving', 'lost'],
  description:
    '`waiting`: takes nothing yet; `isolated`: it has lost the cluster; `lost`: no sign of life for a lease.',
};

/** Schemas of the cluster, by their name under `components.schemas`. */
const CLUSTER_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Cluster: {
    oneOf: [
      { ...object({ enabled: { const: false } }), description: 'The service runs alone.' },
      object({
        enabled: { const: true },
        name: textField,
        node: { type: 'string', description: 'The node that answers.' },
        phase,
        is_connected: { ...flagField, description: 'The node reaches the NATS servers.' },
        state_age_seconds: {
          ...amount,
          description:
            'Seconds since it last heard of a node, itself included: how old is what it shows of others.',
        },
        lease_seconds: amount,
        nodes: list(refTo('ClusterNode')),
        tasks: list(refTo('ClusterTask')),
        counters: {
          ...object({
            takeovers: { ...countField, description: 'Leases taken from lost nodes.' },
            last_takeover_ms: amount,
            moves: { ...countField, description: 'Tasks given to other nodes.' },
            isolations: {
              ...countField,
              description: 'Times that it lost the cluster for two thirds of a lease.',
            },
            bucket_reads: countField,
            bucket_writes: countField,
          }),
          description: 'Of this node, since its start.',
        },
      }),
    ],
  },
  ClusterNode: object({
    name: textField,
    phase,
    api: { ...maybe(textField), description: 'Address of its API; null: it has none.' },
    version: textField,
    capacity: { ...amount, description: 'Weight against the other nodes.' },
    labels: { type: 'object', additionalProperties: textField },
    generators: { ...countField, description: 'Running generators and partitions.' },
    events_per_second: amount,
    cpu: { ...amount, description: 'Used cores.' },
    seen_seconds_ago: { ...amount, description: 'Seconds since its last sign of life.' },
    is_drained: { ...flagField, description: 'A person drains it.' },
    refused: {
      ...list(object({ reason: textField, tasks: list(textField) })),
      description: 'What it cannot run, and why.',
    },
    problems: { ...list(textField), description: 'What is wrong with it, and what to do.' },
  }),
  ClusterTask: {
    ...object({
      name: textField,
      generator_ids: list(textField),
      scenarios: list(textField),
      node: { ...maybe(textField), description: 'Node that holds it; null: none at the moment.' },
      owner: { ...maybe(textField), description: 'Node that should hold it; null: none can.' },
      since: { ...maybe(time), description: 'By the clock of its node.' },
      problem: { ...maybe(textField), description: 'Why no node holds it; null: one does.' },
    }),
    description: 'What moves as a whole: scenarios with their members, one generator, or one partition.',
  },
};

const share: JsonSchema = { ...amount, description: 'A share, 0 to 1.' };
const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
const both = (item: JsonSchema): JsonSchema => object({ log: item, generated: item });

const rate = object({
  events_per_second: amount,
  arrivals: { type: 'string', enum: ['even', 'poisson', 'bursty'] },
  burst: nullable(object({ on: amount, off: amount })),
  hours: { ...list(amount), type: ['array', 'null'], description: 'Weights of 24 hours.' },
  weekdays: { ...list(amount), type: ['array', 'null'], description: 'Weights of 7 weekdays from Monday.' },
  seconds: { ...amount, description: 'Time that the log covers.' },
});

const field = object({
  name: textField,
  kind: { type: 'string', enum: ['constant', 'time', 'same', 'counter', 'number', 'fresh', 'pool'] },
  share: { ...share, description: 'Share of the records with the field; above 1 if records have several.' },
  distinct: both(countField),
  difference: {
    ...maybe(amount),
    description:
      'Enumeration: greatest difference of the share of one value. Number: Kolmogorov-Smirnov distance. Null: values are made anew.',
  },
  is_by_rank: flagField,
});

const comparison = object({
  events: { ...countField, description: 'Generated events that were compared.' },
  unmatched: { ...countField, description: 'Generated events that look like none of the log.' },
  failed: countField,
  fields: list(field),
  worst: object({ enumeration: share, number: share }),
  rate: object({ log: maybe(amount), generated: amount }),
  gaps: {
    ...nullable(object({ difference: share, median: both(amount), variation: both(amount) })),
    description: 'Times between events, in seconds; null: the log has no times.',
  },
});

/** Schemas of what is learned from a log, by their name under `components.schemas`. */
const LEARN_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  LearnedLog: object({
    generator: textField,
    records: countField,
    bytes: countField,
    is_cut: { ...flagField, description: 'Only the first records were read.' },
    left_out: object({ too_long: countField, binary: countField, bad_characters: countField }),
    formats: {
      ...list({ type: 'array', prefixItems: [textField, countField], minItems: 2, maxItems: 2 }),
      description: 'Formats with their number of records.',
    },
    header: { ...maybe(textField), description: 'Header of a CSV file.' },
    times: nullable(object({ format: textField, found: countField })),
    undated: {
      ...object({ count: countField, first: maybe(countField) }),
      description:
        'Records whose time was not found, although others have one or they seem to hold one, and the number of the first.',
    },
    warnings: {
      ...list(textField),
      description:
        'Sentences about what is wrong with the generator, e.g. that events repeat times of the log.',
    },
    rate: nullable(rate),
    templates: list(
      object({ name: textField, count: countField, format: textField, fields: list(textField) }),
    ),
    relations: { ...countField, description: 'Tables of values that are drawn together.' },
    copied: { ...countField, description: 'Records that fit no template and are repeated whole.' },
    replaced: {
      type: ['object', 'null'],
      additionalProperties: countField,
      description: 'Private values that were replaced, by kind; null: they were kept.',
    },
    comparison,
    seed: textField,
    examples: list(
      object({ template: textField, count: countField, records: list(textField), events: list(textField) }),
    ),
    config: { ...textField, description: 'Text of the config file.' },
    files: {
      type: 'object',
      additionalProperties: textField,
      description: 'Texts of the other files, by path in the generator directory.',
    },
  }),
};
