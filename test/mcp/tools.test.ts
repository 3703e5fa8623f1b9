import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { apiOf, apiPath, type RawAnswer } from '../../src/mcp/api.js';
import { fittedAnswer, MAX_PREVIEWS, MAX_RESULT_CHARS, previewTurns, TOOLS } from '../../src/mcp/server.js';

describe('the table of tools', () => {
  test('has unique names in snake_case, and short texts for a model', () => {
    const names = TOOLS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, title, description } of TOOLS) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
      expect(title).not.toBe('');
      expect(description.length).toBeLessThan(500);
      // What a description refers to exists.
      for (const [word] of description.matchAll(/\b[a-z]+(_[a-z]+)+\b/g))
        expect([...names, 'next_offset', 'not_ready', 'already_exists', 'is_done', 'backing_off']).toContain(
          word,
        );
    }
  });

  test('describes every argument with one type, and refuses others', () => {
    for (const { schema } of TOOLS) {
      expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
      for (const field of Object.values(schema['properties'] as Readonly<Record<string, object>>))
        expect(field).toMatchObject({ type: expect.any(String), description: expect.any(String) });
    }
  });
});

describe('previews', () => {
  test('run one at a time, and too many are refused at once', async () => {
    const inTurn = previewTurns();
    let running = 0;
    let release = (): void => {};
    const first = new Promise<void>((resolve) => {
      release = resolve;
    });
    const task = async () => {
      running++;
      expect(running).toBe(1);
      await first;
      running--;
      return E.right('done');
    };
    const accepted = Array.from({ length: MAX_PREVIEWS }, () => inTurn(task));
    expect(await inTurn(task)).toMatchObject({ left: { code: 'too_many_requests' } });
    release();
    expect(await Promise.all(accepted)).toEqual(accepted.map(() => E.right('done')));
    expect(await inTurn(task)).toEqual(E.right('done'));
  });
});

describe('fitted', () => {
  test('leaves a short result alone', () => {
    expect(fittedAnswer({ a: [1, 'x', null, { b: true }] })).toEqual({ a: [1, 'x', null, { b: true }] });
  });

  test.each([
    ['a long text', { content: 'x'.repeat(100_000) }, 'content: the first 30000 of 100000 characters'],
    ['a long list', { items: Array(50_000).fill(1) }, 'items: the first 1000 of 50000 items'],
    ['many texts', { items: Array(5_000).fill('x'.repeat(500)) }, 'items: the first 50 of 5000 items'],
    [
      'many keys',
      { globals: Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`k${i}`, i])) },
      'globals: the first 1000 of 3000 keys',
    ],
  ])('cuts %s and says what is missing', (_, value, note) => {
    const shown = fittedAnswer(value);
    expect(shown['cut']).toEqual([note]);
    expect(JSON.stringify(shown).length).toBeLessThanOrEqual(MAX_RESULT_CHARS);
  });

  test('cuts what is deep and wide at every level, and lists few of the cuts', () => {
    const wide = (depth: number): object =>
      depth === 0 ? {} : Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`k${i}`, wide(depth - 1)]));
    const shown = fittedAnswer({ a: wide(5) as Record<string, never> });
    expect(JSON.stringify(shown).length).toBeLessThanOrEqual(MAX_RESULT_CHARS);
    expect((shown['cut'] as readonly string[]).length).toBeLessThanOrEqual(11);
  });

  test('gives up on what no cut makes small', () => {
    expect(fittedAnswer({ a: 'x' }, 5)).toEqual({
      cut: ['everything: the result exceeds 5 characters; ask for less'],
    });
  });
});

describe('an answer', () => {
  const warnings: string[] = [];
  const onWarning = (warning: string): void => void warnings.push(warning);
  const answer = (status: number, text: string, rest: Partial<RawAnswer> = {}) =>
    apiOf(async () =>
      E.right({
        status,
        contentType: 'application/json; charset=utf-8',
        bytes: Buffer.from(text),
        isCut: false,
        warning: null,
        ...rest,
      }),
    )({ method: 'get', path: apiPath`/generators/${'a b/ü'}`, onWarning });

  test('is a value, or the text of a file', async () => {
    expect(apiPath`/generators/${'a b/ü'}/stats`).toBe('/generators/a%20b%2F%C3%BC/stats');
    expect(await answer(200, '{"a": 1}')).toEqual(E.right({ a: 1 }));
    expect(await answer(200, '{"a"', { contentType: 'text/plain' })).toEqual(E.right('{"a"'));
  });

  test.each([
    ['an error', 404, '{"detail": "There is none.", "code": "not_found"}', { code: 'not_found' }],
    [
      'problems',
      422,
      '{"detail": [{"loc": ["body", "input", "0"], "msg": "is wrong", "type": "x"}]}',
      { code: 'invalid', problems: [{ at: 'body.input.0', message: 'is wrong' }] },
    ],
    ['an error of a proxy', 502, '<html>', { code: 'bug', message: expect.stringContaining('502') }],
    ['no JSON', 200, '{bad', { code: 'bug' }],
  ])('that is %s is refused', async (_, status, text, expected) => {
    expect(await answer(status, text)).toMatchObject({ left: expected });
  });

  test('that succeeded hands its warning on', async () => {
    await answer(200, 'null', { warning: 'no member reads it' });
    await answer(404, '{"detail": "There is none.", "code": "not_found"}', { warning: 'lost' });
    expect(warnings).toEqual(['no member reads it']);
  });

  test('that is too long is refused', async () => {
    expect(await answer(200, '{"a"', { isCut: true })).toMatchObject({ left: { code: 'too_large' } });
  });
});
