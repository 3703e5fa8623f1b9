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

  test('are all up without a restart, while health is answered', async () => {
    await instance.start();
    const started = performance.now();
    const answers: number[] = [];
    const up = await eventually(async () => {
      const before = performance.now();
      expect((await instance.api('GET', '/health')).status).toBe(200);
      answers.push(performance.now() - before);
      const { status, body } = await instance.api('GET', '/ready');
      return status === 200 ? body : null;
    }, 'every generator is up');
    answers.sort((a, b) => a - b);
    process.stderr.write(
      `${COUNT} are up after ${(performance.now() - started).toFixed(0)} ms; health at most ${answers.at(-1)?.toFixed(0)} ms\n`,
    );
    expect(up).toMatchObject({ expected: COUNT, up: COUNT });
    expect(answers.at(-1)).toBeLessThan(1_000);
    const { body } = await instance.api('GET', '/generators/');
    const restarts = (body as { readonly status: { readonly restarts: number } }[]).map(
      ({ status }) => status.restarts,
    );
    expect(restarts).toEqual(Array.from({ length: COUNT }, () => 0));
  }, 60_000);

  test('are stopped by one signal, each in order', async () => {
    expect(await instance.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  }, 60_000);
});
