import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Instance, makeInstance } from '../support/instance.js';

/** Names as they stand in the request line; nothing on the way normalises them. */
const ATTACKS = [
  '..',
  '.',
  '%2e%2e',
  '%2E%2e',
  '.%2e',
  '..%2f..%2foutside',
  '%2e%2e%2foutside',
  '..%5coutside',
  '%252e%252e%252foutside',
  '%00',
  'ok%00.yml',
  '%c0%ae%c0%ae%2foutside',
  '%e2%80%ae',
  '%ff',
  '%',
  '%zz',
  '.hidden',
  '/etc/passwd',
  '%2fetc%2fpasswd',
  'link-out',
  'link-file',
  `${'a'.repeat(256)}`,
  '%F0%9F%92%A9',
  '__proto__',
  'constructor',
] as const;

const CONFIG = {
  input: [{ static: { count: 1 } }],
  event: { replay: { path: 'x' } },
  output: [{ stdout: {} }],
};

/** Every endpoint with a name. */
const ENDPOINTS: readonly (readonly [string, (name: string) => string, unknown?])[] = [
  ['GET', (name) => `/generator-configs/${name}`],
  ['POST', (name) => `/generator-configs/${name}`, CONFIG],
  ['PUT', (name) => `/generator-configs/${name}`, CONFIG],
  ['GET', (name) => `/generator-configs/${name}/file-tree`],
  ['GET', (name) => `/generator-configs/${name}/export`],
  ['POST', (name) => `/preview/${name}/input-plugins/generate`, CONFIG.input],
  ['PATCH', (name) => `/scenarios/${name}/globals`, { a: 1 }],
  ['GET', (name) => `/scenarios/${name}/globals`],
  ['PUT', (name) => `/scenarios/${name}/globals`, { a: 1 }],
  ['DELETE', (name) => `/scenarios/${name}/globals`],
  ['GET', (name) => `/generators/${name}/status`],
  ['POST', (name) => `/generators/${name}/start`],
];

/** Valid names: creating a config under them is fine. */
const PLAIN: ReadonlySet<string> = new Set(['%F0%9F%92%A9', '%e2%80%ae', '__proto__', 'constructor']);

describe('names in paths', () => {
  let instance: Instance;
  let before = '';

  /** Everything outside the generators directory, as text. */
  const outside = async (): Promise<string> => {
    const files = (await readdir(instance.folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.startsWith(join(instance.folder, 'generators/')))
      .sort();
    const texts = await Promise.all(files.map(async (path) => `${path}\n${await readFile(path, 'utf8')}`));
    return texts.join('\n');
  };

  beforeAll(async () => {
    instance = await makeInstance({
      startup: '[]',
      generators: { 'ok/generator.yml': JSON.stringify(CONFIG) },
    });
    await mkdir(join(instance.folder, 'outside'));
    await writeFile(join(instance.folder, 'outside', 'generator.yml'), JSON.stringify(CONFIG));
    await symlink(join(instance.folder, 'outside'), join(instance.folder, 'generators', 'link-out'));
    await symlink(join(instance.folder, 'spate.yml'), join(instance.folder, 'generators', 'link-file'));
    await instance.start();
    before = await outside();
  });
  afterAll(async () => {
    await instance.remove();
  });

  const send = (method: string, path: string, body: unknown): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(instance.url);
      const sent = request(
        { hostname, port, method, path: `/api${path}`, headers: { 'content-type': 'application/json' } },
        (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => {
            text += chunk.toString('latin1');
          });
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        },
      );
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });

  test.each(ATTACKS)('%s touches nothing outside, on every endpoint', async (name) => {
    for (const [method, path, body] of ENDPOINTS) {
      const { status, text } = await send(method, path(name), body);
      const isCreated = method === 'POST' && PLAIN.has(name) && path(name).startsWith('/generator-configs');
      const allowed = isCreated ? [201] : PLAIN.has(name) ? [200, 404] : [400, 403, 404, 405, 409, 422];
      expect(`${method} ${path(name)} ${allowed.includes(status) ? 'refused' : status}`).toBe(
        `${method} ${path(name)} refused`,
      );
      if (status >= 400) expect(JSON.parse(text)).toHaveProperty('detail');
      expect(text).not.toContain('at Object.');
    }
    expect(await outside()).toBe(before);
  });
});
