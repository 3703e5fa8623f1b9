import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance } from '../../support/instance.js';

const CONFIG = `# kept
input: [{timer: {seconds: 3600, count: 1}}]
event: {script: {path: produce.js}}
output: [{file: {path: out.log}}]
`;
const SCRIPT = 'export const produce = () => "x";\n';

const WEB = '/generator-configs/web';

let instance: Instance;
beforeAll(async () => {
  instance = await makeInstance({
    startup:
      '- {id: listed, path: listed/generator.yml, autostart: false}\n- {id: runs, path: runs/generator.yml}\n',
    generators: Object.fromEntries(
      ['web', 'spare', 'listed', 'runs'].flatMap((name) => [
        [`${name}/generator.yml`, CONFIG],
        [`${name}/produce.js`, SCRIPT],
      ]),
    ),
  });
  await instance.start();
});
afterAll(() => instance.remove());

const call = async (
  method: string,
  path: string,
  body?: string | Buffer | FormData,
  headers: Record<string, string> = {},
): Promise<{
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}> => {
  const response = await fetch(`${instance.url}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : null };
};

const at = (...path: readonly string[]): string => join(instance.folder, 'generators', ...path);

/** Temporary files anywhere in the generators directory. */
const leftOvers = async (): Promise<readonly string[]> =>
  (await readdir(at(), { recursive: true })).filter((path) => path.includes('.spate-'));

describe('files of a generator', () => {
  test('from the first to the last', async () => {
    const form = new FormData();
    form.append('content', new Blob(['one\n']), 'a.txt');
    const created = await call('POST', `${WEB}/file/samples/a.txt`, form);
    expect([created.status, created.json]).toEqual([201, null]);
    const read = await call('GET', `${WEB}/file/samples/a.txt`);
    expect([read.status, read.text]).toEqual([200, 'one\n']);
    expect(read.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(read.headers.get('etag')).toBe(created.headers.get('etag'));
    const tag = read.headers.get('etag') ?? '';
    const changed = await call('PUT', `${WEB}/file/samples/a.txt`, 'two\n', { 'if-match': tag });
    expect(changed.status).toBe(200);
    expect((await call('PUT', `${WEB}/file/samples/a.txt`, 'three\n', { 'if-match': tag })).status).toBe(412);
    expect((await call('POST', `${WEB}/file/samples/a.txt`, 'three\n')).status).toBe(409);
    expect((await call('POST', `${WEB}/file-copy?source=samples&destination=copy`)).status).toBe(200);
    expect((await call('POST', `${WEB}/file-makedir/deep/er`)).status).toBe(201);
    expect((await call('POST', `${WEB}/file-move?source=copy&destination=deep/er`)).status).toBe(200);
    expect((await call('GET', `${WEB}/file/deep/er/copy/a.txt`)).text).toBe('two\n');
    expect((await call('DELETE', `${WEB}/file/deep`)).status).toBe(200);
    expect((await call('GET', `${WEB}/path`)).json).toBe('web/generator.yml');
    const tree = (await call('GET', `${WEB}/file-tree`)).json as { name: string }[];
    expect(tree.map(({ name }) => name)).toEqual(['generator.yml', 'produce.js', 'samples']);
  });

  test('bytes come back as they were sent, with HEAD their size', async () => {
    const bytes = Buffer.alloc(3_000_000);
    for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 7919) % 256;
    expect((await call('POST', `${WEB}/file/blob.bin`, bytes)).status).toBe(201);
    const response = await fetch(`${instance.url}${WEB}/file/blob.bin`);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    const head = await call('HEAD', `${WEB}/file/blob.bin`);
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '3000000']);
  });

  test('the config sent as a file is checked as one that is updated, at its place and line', async () => {
    const file = `${WEB}/file/generator.yml`;
    const bad = await call('PUT', file, CONFIG.replace('seconds: 3600', 'seconds: no'));
    expect(bad.status).toBe(422);
    const { detail } = bad.json as { detail: { loc: string[]; msg: string }[] };
    expect(detail[0]?.loc).toEqual(['body', 'input', '0', 'timer', 'seconds']);
    expect(detail[0]?.msg).toMatch(/^line 2, column \d+: /);
    for (const text of ['', 'input: [', Buffer.from([0xff]), '[]', 'just text'])
      expect((await call('PUT', file, text)).status).toBe(422);
    expect((await call('PUT', file, `#${'x'.repeat(3_000_000)}`)).status).toBe(413);
    expect(await readFile(at('web', 'generator.yml'), 'utf8')).toBe(CONFIG);
    expect((await call('PUT', file, `${CONFIG}# more\n`)).status).toBe(200);
    expect(await readFile(at('web', 'generator.yml'), 'utf8')).toBe(`${CONFIG}# more\n`);
  });

  test('a hundred clients who write one file at the same time leave the whole of one of them', async () => {
    const texts = Array.from({ length: 100 }, (_, i) => `${i} `.repeat(20_000));
    const answers = await Promise.all(texts.map((text) => call('PUT', `${WEB}/file/produce.js`, text)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(100);
    const left = await call('GET', `${WEB}/file/produce.js`);
    expect(texts).toContain(left.text);
    expect(answers.map(({ headers }) => headers.get('etag'))).toContain(left.headers.get('etag'));
    expect(await leftOvers()).toEqual([]);
  });

  test('of a hundred clients with the same If-Match one wins', async () => {
    const tag = (await call('GET', `${WEB}/file/produce.js`)).headers.get('etag') ?? '';
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        call('PUT', `${WEB}/file/produce.js`, `${i}`, { 'if-match': tag }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(99);
  });

  test('of a hundred clients who create one file one wins', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => call('POST', `${WEB}/file/new/deep/file`, `${i}`)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(99);
    expect(await leftOvers()).toEqual([]);
  });
});

describe('a client in the middle of an upload', () => {
  const begin = async (): Promise<ReturnType<typeof connect>> => {
    const socket = connect(Number(new URL(instance.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `PUT /api${WEB}/file/produce.js HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n${'half'.repeat(1_000)}`,
    );
    await eventually(async () => ((await leftOvers()).length > 0 ? true : null), 'the upload begins');
    return socket;
  };

  test('a client that disconnects leaves nothing behind', async () => {
    const before = await readFile(at('web', 'produce.js'), 'utf8');
    (await begin()).destroy();
    await eventually(async () => ((await leftOvers()).length === 0 ? true : null), 'the rest is removed');
    expect(await readFile(at('web', 'produce.js'), 'utf8')).toBe(before);
  });

  test('a stalled client holds no other up', async () => {
    const socket = await begin();
    expect((await call('PUT', `${WEB}/file/produce.js`, SCRIPT)).status).toBe(200);
    expect((await call('GET', WEB)).status).toBe(200);
    socket.destroy();
    await eventually(async () => ((await leftOvers()).length === 0 ? true : null), 'the rest is removed');
  });
});

describe('deleting a generator directory', () => {
  test.each(['listed', 'runs'])('%s is refused while a generator uses it, and says which', async (name) => {
    for (const path of ['', '/file/generator.yml']) {
      const refused = await call('DELETE', `/generator-configs/${name}${path}`);
      expect([refused.status, refused.json]).toMatchObject([409, { code: 'wrong_state' }]);
      expect(refused.text).toContain(`'${name}'`);
    }
    const moved = await call(
      'POST',
      `/generator-configs/${name}/file-move?source=generator.yml&destination=x`,
    );
    expect(moved.status).toBe(409);
    expect((await readdir(at(name))).includes('generator.yml')).toBe(true);
  });

  test('that is not in use is deleted at once, others when forced', async () => {
    expect((await call('DELETE', '/generator-configs/spare')).status).toBe(200);
    expect((await call('DELETE', '/generator-configs/spare')).status).toBe(404);
    expect((await call('DELETE', '/generator-configs/listed?force=true')).status).toBe(200);
    const names = ((await call('GET', '/generator-configs/')).json as { name: string }[]).map(
      ({ name }) => name,
    );
    expect(names).toEqual(['runs', 'web']);
    expect(await leftOvers()).toEqual([]);
  });

  test('the list names the generators that use a directory', async () => {
    const list = (await call('GET', '/generator-configs/?extended=true')).json as {
      name: string;
      generator_ids: string[];
    }[];
    expect(list.map(({ name, generator_ids }) => [name, generator_ids])).toEqual([
      ['runs', ['runs']],
      ['web', []],
    ]);
  });
});

test('a kill in the middle of writes leaves the old file or the new one, and no trace of others in the tree', async () => {
  const versions = Array.from({ length: 40 }, (_, i) =>
    Buffer.alloc(2_000_000, String.fromCharCode(65 + (i % 26)) + i),
  );
  const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
  const known = new Set(versions.map(digest));
  await mkdir(at('web', 'tree'));
  await Promise.all(Array.from({ length: 200 }, (_, i) => writeFile(at('web', 'tree', String(i)), 'x')));
  await call('POST', `${WEB}/file/victim`, versions[0]);
  let first = (): void => {};
  const written = new Promise<void>((resolve) => {
    first = resolve;
  });
  const writers = versions.map((version) => call('PUT', `${WEB}/file/victim`, version).then(first, () => {}));
  const others = [
    call('POST', `${WEB}/file-copy?source=tree&destination=copied`).catch(() => {}),
    call('DELETE', `${WEB}/file/tree`).catch(() => {}),
  ];
  await written;
  await instance.kill('SIGKILL');
  await Promise.all([...writers, ...others]);
  expect(known).toContain(digest(await readFile(at('web', 'victim'))));
  await instance.start();
  const { text } = await call('GET', `${WEB}/file/victim`);
  expect(text.length).toBe(2_000_000);
  // A copy and a directory are there whole or not at all.
  for (const name of ['tree', 'copied']) {
    const there = await stat(at('web', name)).catch(() => null);
    if (there !== null) expect(await readdir(at('web', name))).toHaveLength(200);
  }
  expect((await call('GET', `${WEB}/file-tree`)).text).not.toContain('.spate-');
  expect((await call('PUT', `${WEB}/file/victim`, 'after')).status).toBe(200);
});
