import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance } from '../support/instance.js';

const COUNT = 600;

describe(`${COUNT} template generators that start at once`, () => {
  let instance: Instance;

  beforeAll(async () => {
    instance = await makeInstance({
      startup: Array.from({ length: COUNT }, (_, n) => `- {id: g${n}, path: tick/generator.yml}`).join('\n'),
      generators: {
        'tick/generator.yml': `
input: [timer: {seconds: 60, count: 1}]
event: {template: {mode: all, templates: [{t: {template: t.jinja}}]}}
output: [file: {path: ../../out/tick.log}]
`,
        'tick/t.jinja': '{{ module.rand.choice(["a", "b"]) }}',
      },
    });
  });
  afterAll(() => instance.remove());

  test('all start without a restart, while the API answers', async () => {
    await instance.start();
    const up = await eventually(async () => {
      expect((await instance.api('GET', '/health')).status).toBe(200);
      const { status, body } = await instance.api('GET', '/ready');
      return status === 200 ? body : null;
    }, 'every generator is up');
    expect(up).toMatchObject({ expected: COUNT, up: COUNT });
    const { body } = await instance.api('GET', '/generators/');
    const restarts = (body as { readonly status: { readonly restarts: number } }[]).map(
      ({ status }) => status.restarts,
    );
    expect(restarts).toEqual(Array.from({ length: COUNT }, () => 0));
  });

  test('are stopped by one signal, each in order', async () => {
    expect(await instance.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});
