import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Instance, makeInstance } from '../../support/instance.js';

const CONFIG = {
  input: [{ timer: { seconds: 1, count: 1 } }],
  event: { script: { path: 'numbers.mjs' } },
  output: [{ stdout: {} }],
};

describe('If-Match against lost updates', () => {
  let instance: Instance;
  const send = async (method: string, path: string, body?: unknown, ifMatch?: string) => {
    const response = await fetch(`${instance.url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, etag: response.headers.get('etag') ?? '', body: await response.json() };
  };
  beforeAll(async () => {
    instance = await makeInstance({ startup: '[]', generators: {} });
    await instance.start();
    expect((await send('POST', '/generator-configs/web', CONFIG)).status).toBe(201);
  });
  afterAll(async () => {
    await instance.remove();
  });

  test.each([
    [
      'a config',
      '/generator-configs/web',
      (body: typeof CONFIG, n: number) => ({ ...body, input: [{ timer: { seconds: n, count: 1 } }] }),
    ],
    [
      'the settings',
      '/instance/settings',
      (body: { generation: object }, n: number) => ({
        ...body,
        generation: { ...body.generation, write_timeout: n },
      }),
    ],
  ])('%s: of two that read the same version one writes', async (_, path, change) => {
    const read = await send('GET', path);
    expect(read.status).toBe(200);
    const changed = (n: number) => change(read.body as never, n);
    const answers = await Promise.all([2, 3, 4].map((n) => send('PUT', path, changed(n), read.etag)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    const winner = answers.find(({ status }) => status === 200);
    expect(winner?.etag).not.toBe(read.etag);
    expect((await send('GET', path)).etag).toBe(winner?.etag);
    expect((await send('PUT', path, changed(5), winner?.etag)).status).toBe(200);
    // Without the header the last one wins, as before.
    expect((await send('PUT', path, changed(6))).status).toBe(200);
  });
});
