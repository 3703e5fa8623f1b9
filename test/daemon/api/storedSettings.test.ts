import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Instance, makeInstance } from '../../support/instance.js';

interface Settings {
  readonly generation: Readonly<Record<string, unknown>>;
  readonly server: { readonly auth: unknown };
}

describe('the settings of the file', () => {
  let instance: Instance;
  const read = async (query = ''): Promise<Settings> =>
    (await instance.api('GET', `/instance/settings${query}`)).body as Settings;

  beforeEach(async () => {
    instance = await makeInstance({ startup: '[]', generators: {} });
    await instance.start();
  });
  afterEach(async () => {
    await instance.remove();
  });

  test('are those that were saved, while those in use stay', async () => {
    const before = await read();
    expect(await read('?stored=true')).toEqual(before);
    const generation = { ...before.generation, write_timeout: 42 };
    const { status } = await instance.api('PUT', '/instance/settings', { ...before, generation });
    expect(status).toBe(200);
    expect((await read()).generation['write_timeout']).not.toBe(42);
    expect((await read('?stored=true')).generation['write_timeout']).toBe(42);
  });

  test('cannot be read from a file that cannot be used; those in use can', async () => {
    await writeFile(join(instance.folder, 'spate.yml'), 'generation: {write_timeout: -1}\n');
    const { status, body } = await instance.api('GET', '/instance/settings?stored=true');
    expect([status, (body as { readonly code: string }).code]).toEqual([500, 'unreadable']);
    expect(JSON.stringify(body)).toContain('write_timeout');
    expect((await instance.api('GET', '/instance/settings')).status).toBe(200);
  });
});
