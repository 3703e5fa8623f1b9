import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import type { Problem } from '../../src/contract/problem.js';
import type { Json } from '../../src/domain/json.js';
import { CONTRACT } from '../http/support.js';

const routes = CONTRACT.routes;
const listRoute = routes.find(({ id }) => id === 'listGeneratorConfigs');
const exportRoute = routes.find(({ id }) => id === 'exportGenerator');

const raw = (query: string) => ({ path: { name: 'web' }, query, mediaType: '', ifMatch: null });

describe('decoding a request', () => {
  test.each([
    ['', { extended: false }],
    ['&', { extended: false }],
    ['extended=1', { extended: true }],
    ['ext%65nded=%31', { extended: true }],
  ])('the query %j', (query, payload) => {
    expect(listRoute?.toRequest(raw(query))).toEqual(E.right({ type: 'configs.list', payload }));
  });

  test.each([
    ['exclude=a&exclude=b', ['a', 'b']],
    ['exclude=', ['']],
    ['exclude', ['']],
    ['exclude=a+b%2Bc', ['a b+c']],
    ['exclude=a=b', ['a=b']],
    ['exclude=%00', ['\u0000']],
  ])('a parameter that repeats: %j', (query, exclude) => {
    const request = exportRoute?.toRequest(raw(query));
    expect(request).toEqual(E.right({ type: 'configs.export', payload: { name: 'web', exclude } }));
  });

  test.each(['__proto__=1', 'constructor=1', 'toString', '%ff=1', '=1'])('%j is no parameter', (query) => {
    expect(listRoute?.toRequest(raw(query))).toMatchObject({ left: [{ type: 'unknown_key' }] });
  });

  test('for any input, every route returns a request or located problems and never throws', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('%', '%2e%2e', '%00', '..', '__proto__', 'web'));
    const anyRoute = fc.constantFrom(...routes);
    fc.assert(
      fc.property(
        anyRoute,
        text,
        fc.array(fc.tuple(text, text)),
        fc.jsonValue(),
        (route, name, query, body) => {
          const result: E.Either<readonly Problem[], unknown> = route.toRequest({
            path: { name, id: name, key: name, filepath: name },
            query: query.map((pair) => pair.join('=')).join('&'),
            mediaType: 'application/json',
            ifMatch: null,
            ...(route.body?.kind === 'json' ? { body: E.right(body as Json) } : {}),
          });
          if (E.isRight(result)) return;
          expect(result.left.length).toBeGreaterThan(0);
          for (const { loc, msg, type } of result.left) {
            expect(['path', 'query', 'body']).toContain(loc[0]);
            expect([typeof msg, typeof type]).toEqual(['string', 'string']);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
