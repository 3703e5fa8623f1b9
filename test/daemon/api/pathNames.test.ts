import { mkdir, readdir, readFile, readlink, rename, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Instance, makeInstance } from '../../support/instance.js';

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
  'b%e2%80%aecod.exe',
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

type Endpoint = readonly [method: string, path: (name: string) => string, body?: unknown];

/** Every endpoint with a name. */
const ENDPOINTS: readonly Endpoint[] = [
  ['GET', (name) => `/generator-configs/${name}`],
  ['POST', (name) => `/generator-configs/${name}`, CONFIG],
  ['PUT', (name) => `/generator-configs/${name}`, CONFIG],
  ['GET', (name) => `/generator-configs/${name}/path`],
  ['GET', (name) => `/generator-configs/${name}/file/generator.yml`],
  ['POST', (name) => `/generator-configs/${name}/file/new`, 'x'],
  ['PUT', (name) => `/generator-configs/${name}/file/generator.yml`, CONFIG],
  ['POST', (name) => `/generator-configs/${name}/file-makedir/dir`],
  ['POST', (name) => `/generator-configs/${name}/file-copy?source=generator.yml&destination=b`],
  ['POST', (name) => `/generator-configs/${name}/file-move?source=b&destination=c`],
  ['GET', (name) => `/generator-configs/${name}/file-tree`],
  ['GET', (name) => `/generator-configs/${name}/export`],
  ['DELETE', (name) => `/generator-configs/${name}/file/dir`],
  ['DELETE', (name) => `/generator-configs/${name}?force=true`],
  ['POST', (name) => `/preview/${name}/input-plugins/generate`, CONFIG.input],
  ['PATCH', (name) => `/scenarios/${name}/globals`, { a: 1 }],
  ['GET', (name) => `/scenarios/${name}/globals`],
  ['PUT', (name) => `/scenarios/${name}/globals`, { a: 1 }],
  ['DELETE', (name) => `/scenarios/${name}/globals`],
  ['GET', (name) => `/generators/${name}/status`],
  ['POST', (name) => `/generators/${name}/start`],
];

/** Every endpoint with the path of a file. */
const FILE_ENDPOINTS: readonly Endpoint[] = [
  ['GET', (path) => `/generator-configs/ok/file/${path}`],
  ['POST', (path) => `/generator-configs/ok/file/${path}`, 'written'],
  ['PUT', (path) => `/generator-configs/ok/file/${path}`, 'written'],
  ['DELETE', (path) => `/generator-configs/ok/file/${path}?force=true`],
  ['POST', (path) => `/generator-configs/ok/file-makedir/${path}`],
  ['POST', (path) => `/generator-configs/ok/file-move?source=${path}&destination=stolen&force=true`],
  ['POST', (path) => `/generator-configs/ok/file-move?source=prey&destination=${path}`],
  ['POST', (path) => `/generator-configs/ok/file-copy?source=${path}&destination=stolen`],
  ['POST', (path) => `/generator-configs/ok/file-copy?source=prey&destination=${path}`],
];

/** Paths of files as they stand in the request line. */
const FILE_ATTACKS = [
  '..',
  '.',
  '%2e%2e',
  '.%2e/secret',
  '../secret',
  '../../outside/secret',
  '..%2f..%2foutside%2fsecret',
  '%2e%2e%2f%2e%2e%2foutside%2fsecret',
  '%252e%252e%252foutside',
  '..%5c..%5coutside',
  'sub/../../../outside/secret',
  'sub/..',
  './prey',
  'prey%2f',
  'sub//prey',
  '%2fetc%2fpasswd',
  '/etc/passwd',
  '//etc/passwd',
  'prey%00',
  'b%e2%80%aecod.exe',
  '%e2%81%a6/prey',
  '%00',
  'prey%00/../../outside/secret',
  '%c0%ae%c0%ae/secret',
  '%ff',
  '%zz',
  '%',
  'a%0d%0aX-Evil:1',
  'link-out',
  'link-out/secret',
  'link-out/new',
  'link-file',
  'link-etc/passwd',
  'link-up/../outside/secret',
  'link-up/ok/link-out/secret',
  'link-other/generator.yml',
  'link-dangling',
  'link-dangling/x',
  'link-circle',
  'link-inside/new',
  '.spate-0123456789abcdef.tmp',
  `${'d/'.repeat(40)}x`,
  'x'.repeat(256),
  `${'x'.repeat(200)}/`.repeat(6),
] as const;

/** Links in the directory. */
const TARGETS: Readonly<Record<string, string>> = {
  'link-out': '../../outside',
  'link-file': '../../outside/secret',
  'link-etc': '/etc',
  'link-up': '..',
  'link-other': '../other',
  'link-dangling': 'nowhere',
  'link-circle': 'link-circle',
  'link-inside': 'sub',
};

/** Valid names: creating a config under them is fine. */
const PLAIN: ReadonlySet<string> = new Set(['%F0%9F%92%A9', '__proto__', 'constructor']);

describe('names in paths', () => {
  let instance: Instance;
  let before = '';
  let beforeOk = '';

  /** Everything below a folder but what `isLeftOut`, as text. */
  const everything = async (
    folder: string,
    isLeftOut: (path: string) => boolean = () => false,
  ): Promise<string> => {
    const files = (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !isLeftOut(path))
      .sort();
    const texts = await Promise.all(files.map(async (path) => `${path}\n${await readFile(path, 'utf8')}`));
    return texts.join('\n');
  };

  /** Everything outside the generators directory that no log grows in, and the other generator. */
  const outside = (): Promise<string> =>
    everything(
      instance.folder,
      (path) =>
        (path.startsWith(join(instance.folder, 'generators/')) &&
          !path.startsWith(join(instance.folder, 'generators/other/'))) ||
        path.startsWith(join(instance.folder, 'logs/')),
    );

  beforeAll(async () => {
    instance = await makeInstance({
      startup: '[]',
      generators: { 'ok/generator.yml': JSON.stringify(CONFIG) },
    });
    await mkdir(join(instance.folder, 'outside'));
    await writeFile(join(instance.folder, 'outside', 'generator.yml'), JSON.stringify(CONFIG));
    await symlink(join(instance.folder, 'outside'), join(instance.folder, 'generators', 'link-out'));
    await symlink(join(instance.folder, 'spate.yml'), join(instance.folder, 'generators', 'link-file'));
    const ok = join(instance.folder, 'generators', 'ok');
    await writeFile(join(instance.folder, 'outside', 'secret'), 'TOP SECRET');
    await mkdir(join(ok, 'sub'));
    await mkdir(join(instance.folder, 'generators', 'other'));
    await writeFile(join(instance.folder, 'generators', 'other', 'generator.yml'), 'TOP SECRET');
    await writeFile(join(ok, 'prey'), 'prey');
    for (const [name, target] of Object.entries(TARGETS)) await symlink(target, join(ok, name));
    await instance.start();
    before = await outside();
    beforeOk = await everything(ok);
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
      const allowed = PLAIN.has(name) ? [200, 201, 404] : [400, 403, 404, 405, 409, 422];
      expect(`${method} ${path(name)} ${allowed.includes(status) ? 'refused' : status}`).toBe(
        `${method} ${path(name)} refused`,
      );
      if (status >= 400) expect(JSON.parse(text)).toHaveProperty('detail');
      expect(text).not.toContain('at Object.');
    }
    expect(await outside()).toBe(before);
  });

  test.each(FILE_ATTACKS)('the file %s leads nowhere, on every endpoint', async (path) => {
    const ok = join(instance.folder, 'generators', 'ok');
    for (const [method, target, body] of FILE_ENDPOINTS) {
      const { status, text } = await send(method, target(path), body);
      const shown = `${method} ${target(path)}`;
      // A link itself may be moved and removed: it is put back.
      const isLinkMoved =
        status === 200 && path.startsWith('link-') && !path.includes('/') && /DELETE|source=link/.test(shown);
      if (isLinkMoved) {
        const stolen = await readlink(join(ok, 'stolen')).catch(() => null);
        if (stolen !== null) await rename(join(ok, 'stolen'), join(ok, path));
        else await symlink(TARGETS[path] ?? '', join(ok, path));
        continue;
      }
      expect(`${shown} ${[400, 403, 404, 409, 413, 422].includes(status) ? 'refused' : status}`).toBe(
        `${shown} refused`,
      );
      expect(JSON.parse(text)).toHaveProperty('detail');
      expect(text).not.toContain('TOP SECRET');
    }
    expect(await outside()).toBe(before);
    expect(await everything(ok)).toBe(beforeOk);
  });
});
