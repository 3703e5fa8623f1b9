import { afterEach, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance } from '../support/instance.js';

let instance: Instance | null = null;
afterEach(async () => {
  await instance?.remove();
});

test('a cron with a past end previews nothing, and its generator finishes at once and says so', async () => {
  const input = [{ cron: { expression: '* * * * * *', count: 3, end: '2020-01-01T00:00:00Z' } }];
  const config = { input, event: { script: { path: 'p.mjs' } }, output: [{ stdout: {} }] };
  const made = await makeInstance({
    startup: '[{id: old, path: old/generator.yml, autostart: false}]',
    generators: {
      'old/generator.yml': JSON.stringify(config),
      'old/p.mjs': 'export const produce = () => "event";',
    },
  });
  instance = made;
  await made.start();
  for (const skip_past of [true, false])
    expect(
      await made.api('POST', `/preview/old/input-plugins/generate?skip_past=${skip_past}`, input),
    ).toEqual({
      status: 200,
      body: {
        span_edges: [],
        span_counts: { 1: [] },
        total: 0,
        first_timestamps: [],
        last_timestamps: [],
        timestamps: [],
      },
    });
  expect((await made.api('PUT', '/generator-configs/old', config)).status).toBe(200);
  expect((await made.api('POST', '/generators/old/start')).status).toBe(200);
  const status = await eventually(async () => {
    const { body } = await made.api('GET', '/generators/old/status');
    return (body as { readonly is_ended_up: boolean }).is_ended_up ? body : null;
  }, 'its end');
  expect(status).toMatchObject({ phase: 'finished', is_ended_up_successfully: true });
  await eventually(async () => {
    const log = await made.file('logs/generator_old.log').catch(() => '');
    return /the schedule has no ticks left/.test(log) ? log : null;
  }, 'the line in the log of the generator');
});
