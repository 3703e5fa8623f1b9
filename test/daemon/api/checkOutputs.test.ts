import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort, type Instance, makeInstance } from '../../support/instance.js';

const INPUT = 'input: [timer: {seconds: 0.1, count: 1}]\nevent: {script: {path: ../produce.mjs}}\n';

/** Accepts connections and says nothing. */
const silentServer = (): Promise<Server & { readonly port: number }> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.on('error', () => {}).resume());
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(Object.assign(server, { port: typeof address === 'object' ? (address?.port ?? 0) : 0 }));
    });
  });

describe('the check of the outputs of a generator', () => {
  let server: Awaited<ReturnType<typeof silentServer>>;
  let deadPort: number;
  let instance: Instance;
  beforeAll(async () => {
    server = await silentServer();
    deadPort = await freePort();
    const tcp = (host: string, port: number | string): string =>
      `  - tcp: {host: '${host}', port: '${port}'}\n`;
    instance = await makeInstance({
      env: { SPATE_KEYRING_PASSWORD: 'a password of the test' },
      startup: `- {id: mixed, path: mixed/generator.yml, autostart: false, params: {port: ${server.port}}}
- {id: secret, path: secret/generator.yml, autostart: false}
- {id: broken, path: broken/generator.yml, autostart: false}
- {id: parts, path: files/generator.yml, partitions: 2}
`,
      generators: {
        'produce.mjs': "export const produce = () => 'x';\n",
        'mixed/generator.yml': `${INPUT}output:
${tcp('127.0.0.1', '${params.port}')}${tcp('127.0.0.1', deadPort)}  - redis: {host: 127.0.0.1, port: ${server.port}, key: s}
  - file: {path: out/events.log}
  - file: {path: generator.yml/events.log}
  - stdout: {}
`,
        'secret/generator.yml': `${INPUT}output:\n${tcp('${secrets.place}', deadPort)}`,
        'broken/generator.yml': `${INPUT}output: [nope: {}]\n`,
        'files/generator.yml': `${INPUT}output: [file: {path: parts.log}]\n`,
      },
    });
    await instance.start();
  });
  afterAll(async () => {
    await instance.remove();
    server.close();
  });

  const check = (id: string) => instance.api('POST', `/generators/${id}/check-outputs`);

  test('opens each and says which cannot be opened and why, a silent server after five seconds', async () => {
    const { status, body } = await check('mixed');
    expect({ status, detail: (body as { detail?: unknown }).detail }).toEqual({ status: 200 });
    expect(body).toEqual([
      { plugin: 'tcp', error: null, error_code: null },
      { plugin: 'tcp', error: expect.stringContaining(String(deadPort)), error_code: 'output_failed' },
      { plugin: 'redis', error: expect.stringContaining('within 5 s'), error_code: 'timed_out' },
      { plugin: 'file', error: null, error_code: null },
      { plugin: 'file', error: expect.stringContaining('is not a directory'), error_code: 'output_failed' },
      { plugin: 'stdout', error: null, error_code: null },
    ]);
    await expect(instance.file('generators/mixed/out/events.log')).rejects.toThrow();
  });

  test('reads secrets and shows none', async () => {
    expect(JSON.stringify((await check('secret')).body)).toMatch(/secret.*place/);
    expect(await instance.api('PUT', '/secrets/place', 'nowhere.invalid')).toMatchObject({ status: 200 });
    const { body } = await check('secret');
    expect(body).toMatchObject([{ plugin: 'tcp', error_code: 'output_failed' }]);
    expect(JSON.stringify(body)).not.toContain('nowhere.invalid');
  });

  test('works beside a run, and for one with partitions', async () => {
    expect((await check('parts')).body).toEqual([{ plugin: 'file', error: null, error_code: null }]);
    expect((await instance.api('GET', '/generators/parts/status')).body).toMatchObject({ phase: 'running' });
  });

  test('refuses a config that cannot run, and an unknown generator', async () => {
    expect((await check('broken')).status).toBe(422);
    expect((await check('nobody')).status).toBe(404);
  });
});
