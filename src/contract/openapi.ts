import { ERRORS, type ErrorCode } from '../domain/errors.js';
import type { Json, JsonObject } from '../domain/json.js';
import type { JsonSchema } from '../schema/index.js';
import type { Param } from './params.js';
import { roleOf } from './roles.js';
import type { Route } from './route.js';
import { refTo } from './schemaParts.js';

/** An OpenAPI 3.1 document. */
export type OpenApi = JsonObject;

type AnyRoute = Route<string, unknown, never>;

/** Errors of every route. */
const COMMON: readonly ErrorCode[] = ['forbidden', 'unavailable', 'exhausted', 'timed_out', 'bug'];

const errorsOf = (route: AnyRoute): readonly ErrorCode[] => [
  ...route.errors,
  ...COMMON,
  'invalid',
  ...(route.isOpen === true ? [] : (['unauthenticated', 'too_many_requests'] as const)),
  ...(route.body === null ? [] : (['too_large', 'unsupported_media_type'] as const)),
];

const content = (mediaTypes: readonly string[], schema: JsonSchema): JsonObject =>
  Object.fromEntries(mediaTypes.map((type) => [type, { schema }]));

const errorResponse = (status: number, codes: readonly ErrorCode[], isEchoed: boolean): JsonObject => ({
  description: codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join(' '),
  ...(status === 401 ? { headers: { 'WWW-Authenticate': { schema: { type: 'string' } } } } : {}),
  content: content(
    ['application/json'],
    refTo(status !== 422 ? 'Error' : isEchoed ? 'EchoedValidationError' : 'ValidationError'),
  ),
});

const errorResponses = (route: AnyRoute): JsonObject => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(errorsOf(route)))
    byStatus.set(ERRORS[code].status, [...(byStatus.get(ERRORS[code].status) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      errorResponse(status, codes, route.isEchoed === true),
    ]),
  );
};

const successResponse = ({ success }: AnyRoute): JsonObject => ({
  description: success.description,
  headers: Object.fromEntries(
    Object.entries({ 'X-Spate-Version': 'Version of the service.', ...success.headers }).map(
      ([name, description]) => [name, { description, schema: { type: 'string' } }],
    ),
  ),
  content: content([success.contentType, ...(success.otherTypes ?? [])], success.schema),
});

const parameters = (route: AnyRoute): readonly Json[] => {
  const describe =
    (where: 'path' | 'query') =>
    ([name, param]: [string, Param<unknown>]) => ({
      name,
      in: where,
      required: where === 'path' || param.isRequired === true,
      description: param.help,
      schema: param.schema,
    });
  const ifMatch = {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'Entity tag that the state must have; otherwise the request fails with 412.',
    schema: { type: 'string' },
  };
  const lastEventId = {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description: 'Id of the last received event; the stream resumes after it. Browsers send it on reconnect.',
    schema: { type: 'string' },
  };
  return [
    ...Object.entries(route.params).map(describe('path')),
    ...Object.entries(route.query).map(describe('query')),
    ...(route.isConditional === true ? [ifMatch] : []),
    ...(route.isResumable === true ? [lastEventId] : []),
  ];
};

const FILE: JsonSchema = { type: 'string', format: 'binary' };

const bodyContent = (body: NonNullable<AnyRoute['body']>): JsonObject => {
  if (body.kind === 'json') return content(body.mediaTypes, refTo(body.schemaName));
  const form: JsonSchema = {
    type: 'object',
    properties: { [body.field]: FILE },
    required: [body.field],
    additionalProperties: false,
  };
  return { ...content(['multipart/form-data'], form), ...content(['application/octet-stream', '*/*'], FILE) };
};

const operation = (route: AnyRoute): JsonObject => ({
  operationId: route.id,
  tags: [route.tag],
  summary: route.summary,
  ...(route.description === undefined ? {} : { description: route.description }),
  ...(route.isDeprecated === true ? { deprecated: true } : {}),
  parameters: parameters(route),
  ...(route.body === null
    ? {}
    : {
        requestBody: {
          required: true,
          description: `Maximum size: ${route.body.limit_bytes} bytes.`,
          content: bodyContent(route.body),
        },
      }),
  responses: { [String(route.success.status)]: successResponse(route), ...errorResponses(route) },
  ...(route.isOpen === true ? { security: [] } : { 'x-required-role': roleOf(route) }),
  ...(route.needsBasic === true ? { security: [{ basic: [] }] } : {}),
});

const pathsOf = (routes: readonly AnyRoute[]): JsonObject => {
  const paths = new Map<string, [string, Json][]>();
  for (const route of routes) {
    // OpenAPI has no notation for a parameter that spans slashes.
    const path = route.path.replace('+}', '}');
    paths.set(path, [...(paths.get(path) ?? []), [route.method, operation(route)]]);
  }
  return Object.fromEntries([...paths].map(([path, operations]) => [path, Object.fromEntries(operations)]));
};

export const makeOpenApi = (
  routes: readonly AnyRoute[],
  schemas: Readonly<Record<string, JsonSchema>>,
  version: string,
): OpenApi => ({
  openapi: '3.1.0',
  info: {
    title: 'Spate',
    version,
    description:
      'Event Generation Service API: generator configs, previews, scenarios, generators and settings.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/api' }],
  security: [{ basic: [] }, { token: [] }, { session: [] }],
  tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
  paths: pathsOf(routes),
  components: {
    securitySchemes: {
      basic: {
        type: 'http',
        scheme: 'basic',
        description:
          'Required if `server.auth` is set; otherwise only clients on the same machine are served.',
      },
      token: {
        type: 'http',
        scheme: 'bearer',
        description: 'A token of `server.users`, for programs. It cannot log in.',
      },
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: 'session_id',
        description:
          'Set by `POST /auth/login`. Requests that change state must come from a page of this service (`Origin` or `Sec-Fetch-Site`). An `Authorization` header takes precedence over the cookie.',
      },
    },
    schemas,
  },
});
