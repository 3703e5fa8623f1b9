import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DeadLetterSummary } from '../../../src/messages/deadLetters.js';
import { type Instance, makeInstance } from '../../support/instance.js';

/** Above the size that is read on the main thread. */
const WIDE = 'x'.repeat(3_000);

const config = (outputs: string): string =>
  `input: [static: {count: 1}]\nevent: {script: {path: produce.mjs}}\noutput: [${outputs}]\n`;

let instance: Instance;
const PATH = '/generators/shop/dead-letters';
const RESEND = '/generators/shop/resend-dead-letters';

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n + 1);

/** Letters for `event 1` to `event N`, a second apart. */
const writeLetters = async (output: string, count: number, rest = ''): Promise<string> => {
  const folder = join(instance.folder, 'state', 'dead-letters', 'shop', output);
  await mkdir(folder, { recursive: true });
  const lines = upTo(count).map((n) =>
    JSON.stringify({
      at: `2026-11-20T19:${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}+00:00`,
      code: n % 3 === 0 ? 'rejected' : 'output_failed',
      reason: n % 3 === 0 ? 'too wide' : 'the disk is full',
      event: `event ${n}${rest}`,
    }),
  );
  await writeFile(join(folder, '00000001.jsonl'), lines.map((line) => `${line}\n`).join(''));
  return folder;
};

const events = async (name: string): Promise<readonly string[]> =>
  (await instance.file(name)).trimEnd().split('\n');

const list = async (): Promise<readonly DeadLetterSummary[]> => {
  const { status, body } = await instance.api('GET', PATH);
  expect(status).toBe(200);
  return body as readonly DeadLetterSummary[];
};

beforeAll(async () => {
  instance = await makeInstance({
    startup: '- {id: shop, path: shop/generator.yml, autostart: false, retry: {attempts: 1}}',
    generators: {
      'shop/generator.yml': config('{file: {path: ../../a.log}}, {file: {path: ../../b.log}}'),
      'shop/produce.mjs': 'export const produce = () => `event`;',
    },
  });
  await instance.start();
});
afterAll(async () => {
  await instance.remove();
});

describe('dead letters over the API', () => {
  test('are an empty list for a generator without, and 404 for one that does not exist', async () => {
    expect(await list()).toEqual([]);
    expect(await instance.api('POST', RESEND)).toEqual({
      status: 200,
      body: [],
    });
    expect(await instance.api('DELETE', PATH)).toEqual({ status: 200, body: [] });
    for (const [method, path] of [
      ['GET', '/generators/none/dead-letters'],
      ['POST', '/generators/none/resend-dead-letters'],
      ['DELETE', '/generators/none/dead-letters'],
      ['GET', `${PATH}/1-file`],
      ['DELETE', `${PATH}?output=1-file`],
    ] as const)
      expect(await instance.api(method, path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('are listed with counts, times and reasons', async () => {
    await writeLetters('1-file', 7);
    await writeLetters('2-file', 2);
    expect(await list()).toMatchObject([
      {
        output: '1-file',
        letters: 7,
        torn: 0,
        oldest: '2026-11-20T19:00:01+00:00',
        newest: '2026-11-20T19:00:07+00:00',
        reasons: [
          { code: 'output_failed', reason: 'the disk is full', letters: 5 },
          { code: 'rejected', reason: 'too wide', letters: 2 },
        ],
      },
      { output: '2-file', letters: 2 },
    ]);
  });

  test('are read in pages, oldest first', async () => {
    const page = async (offset: number) => {
      const { body } = await instance.api('GET', `${PATH}/1-file?offset=${offset}&limit=3`);
      const { letters, next_offset } = body as { letters: readonly { event: string }[]; next_offset: number };
      return [letters.map(({ event }) => event), next_offset];
    };
    expect(await page(0)).toEqual([['event 1', 'event 2', 'event 3'], 3]);
    expect(await page(3)).toEqual([['event 4', 'event 5', 'event 6'], 6]);
    expect(await page(6)).toEqual([['event 7'], null]);
    expect(await page(9)).toEqual([[], null]);
    const { body } = await instance.api('GET', `${PATH}/1`);
    expect(body).toMatchObject({
      letters: {
        2: { at: '2026-11-20T19:00:03+00:00', code: 'rejected', reason: 'too wide', event: 'event 3' },
      },
    });
  });

  test('are sent again, up to a limit', async () => {
    const some = await instance.api('POST', `${RESEND}?output=1-file&limit=4`);
    expect(some).toMatchObject({
      status: 200,
      body: [{ output: '1-file', sent: 4, refused: 0, is_done: false, is_down: false }],
    });
    const rest = await instance.api('POST', RESEND);
    expect(rest).toMatchObject({
      status: 200,
      body: [
        { output: '1-file', sent: 3, is_done: true },
        { output: '2-file', sent: 2, is_done: true },
      ],
    });
    expect(await events('a.log')).toEqual(upTo(7).map((n) => `event ${n}`));
    expect(await events('b.log')).toEqual(['event 1', 'event 2']);
    expect(await list()).toEqual([]);
  });

  test('are removed up to a time; newer ones stay', async () => {
    await writeLetters('1-file', 9);
    const until = encodeURIComponent('2026-11-20T19:00:04+00:00');
    expect(await instance.api('DELETE', `${PATH}?output=1&until=${until}`)).toEqual({
      status: 200,
      body: [{ output: '1-file', removed: 4, left: 5 }],
    });
    expect((await instance.api('GET', `${PATH}/1-file?limit=1`)).body).toMatchObject({
      letters: [{ event: 'event 5' }],
    });
    expect((await instance.api('DELETE', PATH)).body).toMatchObject([
      { removed: 5, left: 0 },
      { removed: 0 },
    ]);
  });

  test('are kept with the new reason while the output is down', async () => {
    await writeLetters('1-file', 3);
    await writeFile(
      join(instance.folder, 'generators', 'shop', 'generator.yml'),
      config("http: {url: 'http://127.0.0.1:9/'}"),
    );
    expect(await instance.api('POST', `${RESEND}?output=1`)).toMatchObject({
      status: 409,
      body: { code: 'wrong_state' },
    });
    await writeFile(
      join(instance.folder, 'generators', 'shop', 'generator.yml'),
      config('file: {path: ../../spate.yml/a.log}'),
    );
    expect(await instance.api('POST', `${RESEND}?output=1-file`)).toMatchObject({
      status: 200,
      body: [{ sent: 0, error_code: 'output_failed', is_down: true, is_done: false }],
    });
    expect(await list()).toMatchObject([{ output: '1-file', letters: 3 }]);
  });

  test('while another process works on them, a purge is refused and removes nothing', async () => {
    const folder = join(instance.folder, 'state', 'dead-letters', 'shop', '1-file');
    const claim = join(folder, `.lock-${process.pid}-0-0123abcd`);
    await writeFile(claim, '');
    expect(await instance.api('DELETE', `${PATH}?output=1-file`)).toMatchObject({
      status: 409,
      body: { code: 'wrong_state' },
    });
    expect(await list()).toMatchObject([{ letters: 3 }]);
  });

  test('of several megabytes are read and removed on a thread', async () => {
    await writeLetters('2-file', 1_000, WIDE);
    expect((await list())[1]).toMatchObject({ output: '2-file', letters: 1_000 });
    const { body } = await instance.api('GET', `${PATH}/2-file?limit=500&offset=1`);
    expect(body).toMatchObject({ letters: { 0: { event: `event 2${WIDE}` } }, next_offset: 501 });
    expect((await instance.api('DELETE', `${PATH}?output=2-file`)).body).toEqual([
      { output: '2-file', removed: 1_000, left: 0 },
    ]);
    const folder = join(instance.folder, 'state', 'dead-letters', 'shop', '2-file');
    expect(await readdir(folder)).toEqual([]);
  });
});
