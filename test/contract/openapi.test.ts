import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { AUTH_ROUTES } from '../../src/contract/routes/auth.js';
import { isJsonObject } from '../../src/domain/json.js';
import { VALID } from '../http/requests/validRequests.js';
import { CLUSTER, CONTRACT, VERSION } from '../http/support.js';

const { routes } = CONTRACT;
const openapi = CONTRACT.openapi();

/** Every value of the document, with its place. */
const walk = function* (value: unknown, path = ''): Generator<readonly [path: string, value: unknown]> {
  yield [path, value];
  if (Array.isArray(value)) for (const [i, item] of value.entries()) yield* walk(item, `${path}/${i}`);
  else if (isJsonObject(value))
    for (const [key, item] of Object.entries(value)) yield* walk(item, `${path}/${key}`);
};

const at = (pointer: string): unknown =>
  pointer
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((value, key) => (isJsonObject(value) ? value[key] : undefined), openapi);

interface Operation {
  readonly operationId: string;
  readonly deprecated?: true;
  readonly security?: unknown;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly responses: Readonly<Record<string, unknown>>;
}

const operations = Object.entries(
  openapi['paths'] as unknown as Record<string, Record<string, Operation>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

describe('the OpenAPI document', () => {
  test('is 3.1 and names the version', () => {
    expect(openapi).toMatchObject({
      openapi: '3.1.0',
      info: { version: VERSION },
      servers: [{ url: '/api' }],
    });
  });

  test('marks former paths as deprecated, and only them', () => {
    const marked = operations.filter(({ operation }) => operation.deprecated === true);
    expect(marked.map(({ path }) => path)).toEqual(['/generators/{id}/replay-dead-letters']);
  });

  test('survives JSON', () => {
    expect(JSON.parse(JSON.stringify(openapi))).toEqual(openapi);
  });

  test('has every endpoint of the service API', () => {
    expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining([
        'post /preview/{name}/input-plugins/generate',
        'get /generator-configs/',
        'post /generator-configs/{name}',
        'get /generator-configs/{name}',
        'put /generator-configs/{name}',
        'get /generator-configs/{name}/file-tree',
        'get /generator-configs/{name}/export',
        'put /instance/settings',
        'patch /scenarios/{name}/globals',
      ]),
    );
    expect(operations.length).toBe(routes.length + AUTH_ROUTES.length);
  });

  test('every reference leads somewhere', () => {
    const refs = [...walk(openapi)].filter(([path]) => path.endsWith('/$ref')).map(([, ref]) => String(ref));
    expect(refs.length).toBeGreaterThan(20);
    for (const ref of refs) expect(at(ref)).toBeDefined();
  });

  test('every component is referred to', () => {
    const refs = new Set([...walk(openapi)].filter(([path]) => path.endsWith('/$ref')).map(([, ref]) => ref));
    for (const name of Object.keys(at('#/components/schemas') as object))
      expect(refs).toContain(`#/components/schemas/${name}`);
  });

  test('every parameter of a path is declared and required, and no other', () => {
    for (const { path, operation } of operations) {
      const declared = operation.parameters.filter((parameter) => parameter.in === 'path');
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(declared.map(({ name }) => name)).toEqual(inPath);
      expect(declared.every(({ required }) => required)).toBe(true);
    }
  });

  test('parameters of a query that are needed say so', () => {
    const needed = operations.flatMap(({ operation }) =>
      operation.parameters
        .filter((parameter) => parameter.in === 'query' && parameter.required)
        .map(({ name }) => `${operation.operationId} ${name}`),
    );
    expect(needed).toEqual(
      expect.arrayContaining(['moveGeneratorFile source', 'copyGeneratorFile destination']),
    );
    expect(needed).not.toContain('moveGeneratorFile force');
  });

  test('a file can be sent as a form or as raw bytes', () => {
    const found = operations.find(({ operation }) => operation.operationId === 'replaceGeneratorFile');
    expect(found?.operation).toMatchObject({
      requestBody: {
        content: {
          'multipart/form-data': { schema: { required: ['content'] } },
          'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
        },
      },
    });
  });

  test('operation ids are unique', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('every operation describes a success and its errors', () => {
    for (const { operation } of operations) {
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['422', '500', '503']));
      expect(Object.keys(operation.responses).filter((status) => /^[12]/.test(status))).toHaveLength(1);
    }
  });

  test('rows that ask for no credentials say so, and the login says which it needs', () => {
    const securityOf = (wanted: string | undefined): readonly string[] =>
      operations
        .filter(({ operation }) => JSON.stringify(operation.security) === wanted)
        .map(({ operation }) => operation.operationId);
    const rows = [...routes, ...AUTH_ROUTES];
    expect(securityOf('[]')).toEqual(rows.filter(({ isOpen }) => isOpen === true).map(({ id }) => id));
    expect(securityOf('[{"basic":[]}]')).toEqual(['login']);
    expect(at('#/security')).toEqual([{ basic: [] }, { token: [] }, { session: [] }]);
  });
});

describe('component schemas', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'spate', components: openapi['components'] });
  const check = (schema: unknown) =>
    ajv.compile(
      JSON.parse(JSON.stringify(schema).replaceAll('#/components/', 'spate#/components/')) as object,
    );

  test.each(Object.keys(at('#/components/schemas') as object))('%s is a JSON Schema', (name) => {
    expect(() => check({ $ref: `#/components/schemas/${name}` })).not.toThrow();
  });

  test.each(
    routes
      .filter((route) => route.success.contentType === 'application/json' && route.id !== 'previewTimestamps')
      .map((route) => [route.id, route] as const),
  )('what %s answers is as described', (id, route) => {
    const shown = VALID.find(([name]) => name === id)?.[6];
    const validate = check(route.success.schema);
    expect([validate(shown), validate.errors]).toEqual([true, null]);
  });

  test('a service that runs alone answers without the figures of a cluster', () => {
    const validate = check({ $ref: '#/components/schemas/Cluster' });
    expect(validate({ enabled: false })).toBe(true);
    expect(validate({ ...CLUSTER, enabled: false })).toBe(false);
    expect(validate({ enabled: true })).toBe(false);
  });

  test('a strict answer with one more or one less key is noticed', () => {
    const validate = check({ $ref: '#/components/schemas/Health' });
    expect(validate({ status: 'ok' })).toBe(false);
    expect(validate({ status: 'ok', uptime_seconds: 1, more: 1 })).toBe(false);
  });
});
