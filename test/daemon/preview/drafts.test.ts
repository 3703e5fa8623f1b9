import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Instance, makeInstance } from '../../support/instance.js';

const CONFIG = `
input: [static: {count: 1}]
event: {script: {path: produce.mjs}}
output: [file: {path: ../../out.log}]
`;
const EVENT = '/preview/web/event-plugin';
const TEMPLATE = {
  template: {
    mode: 'all',
    samples: { users: { type: 'csv', source: 'users.csv', header: true } },
    templates: [{ line: { template: 'line.jinja' } }],
  },
};
const SCRIPT = { script: { path: 'produce.mjs' } };

describe('unsaved texts in a preview', () => {
  let instance: Instance;

  beforeAll(async () => {
    instance = await makeInstance({
      startup: '[]',
      generators: {
        'web/generator.yml': CONFIG,
        'web/line.jinja': '{% include "parts/user.jinja" %}',
        'web/parts/user.jinja': 'saved {{ samples.users[0].name }}',
        'web/users.csv': 'name\nAnn\n',
        'web/produce.mjs': "import { word } from './word.mjs';\nexport const produce = () => word;\n",
        'web/word.mjs': "export const word = 'saved';\n",
      },
    });
    await instance.start();
  });
  afterAll(() => instance.remove());

  const open = (event: unknown, files: unknown) => instance.api('POST', `${EVENT}/drafts`, { event, files });
  const made = async (): Promise<unknown> => {
    const { body } = await instance.api('POST', `${EVENT}/produce`, [
      { timestamp: '2026-05-01T12:00:00Z', tags: [] },
    ]);
    return (body as { readonly events: readonly string[] }).events;
  };

  test('stand for templates, what they include, and samples', async () => {
    expect((await open(TEMPLATE, {})).status).toBe(201);
    expect(await made()).toEqual(['saved Ann']);
    await open(TEMPLATE, {
      'parts/user.jinja': 'typed {{ samples.users[0].name }}{% include "new.jinja" %}',
      'users.csv': 'name\nBob\n',
      'new.jinja': '!',
    });
    expect(await made()).toEqual(['typed Bob!']);
    expect(await instance.file('generators/web/parts/user.jinja')).toContain('saved');
  });

  test('stand for scripts and what they import', async () => {
    await open(SCRIPT, { 'word.mjs': "export const word = 'typed';\n" });
    expect(await made()).toEqual(['typed']);
    await instance.api('POST', EVENT, SCRIPT);
    expect(await made()).toEqual(['saved']);
  });

  test('with a mistake leave the former preview, and say the line of the text', async () => {
    await open(SCRIPT, { 'word.mjs': "export const word = 'good';\n" });
    const { status, body } = await open(TEMPLATE, { 'line.jinja': 'one\n{{ 1 + }}' });
    expect(status).toBe(422);
    const place = ['body', 'event', 'template', 'templates', '0', 'line', 'template'];
    const msg = expect.stringContaining('line.jinja:2:8: TemplateSyntaxError');
    expect(body).toEqual({ detail: [{ loc: place, msg, type: 'bad_format' }] });
    expect(await made()).toEqual(['good']);
  });

  test('take no other place than files of the directory', async () => {
    const outside = { ...TEMPLATE.template, templates: [{ line: { template: '../other.jinja' } }] };
    const { status } = await open({ template: outside }, { '../other.jinja': 'outside' });
    expect(status).toBe(422);
  });

  test('observe a world with its inputs: each timestamp has its activity, others fail', async () => {
    const world = [{ world: { people: 20, kinds: ['dns_query'] } }];
    const { body: times } = await instance.api(
      'POST',
      '/preview/web/input-plugins/generate?size=3&skip_past=false&from=2026-03-10T08:00:00Z',
      world,
    );
    const { timestamps } = times as { readonly timestamps: readonly string[] };
    const templates = [{ line: { template: 'dns.jinja', kinds: ['dns_query'] } }];
    const files = { 'dns.jinja': '{{ activity.kind }} of {{ activity.host.name }}' };
    const opened = await instance.api('POST', `${EVENT}/drafts`, {
      ...{ event: { template: { mode: 'activity', templates } }, files, inputs: world },
    });
    expect(opened.status).toBe(201);
    const { body } = await instance.api(
      'POST',
      `${EVENT}/produce`,
      [...timestamps, '2026-03-10T08:00:00Z'].map((timestamp) => ({ timestamp, tags: [] })),
    );
    const { events, errors } = body as { readonly events: readonly string[]; readonly errors: unknown };
    expect(events).toHaveLength(3);
    for (const event of events) expect(event).toMatch(/^dns_query of \S+/);
    expect(errors).toEqual([
      {
        index: 3,
        message: expect.stringContaining('which has none at this timestamp'),
        context: expect.anything(),
      },
    ]);
  });

  test('say which input cannot be built', async () => {
    const { status, body } = await instance.api('POST', `${EVENT}/drafts`, {
      ...{ event: SCRIPT, files: {}, inputs: [{ world: { path: 'none.yml', kinds: ['dns_query'] } }] },
    });
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', 'inputs', '0', 'world'] }] });
  });

  test.each([
    ['inputs with a placeholder', { event: SCRIPT, files: {}, inputs: [{ world: { seed: '${params.a}' } }] }],
    ['no files', { event: SCRIPT }],
    ['a file that is no text', { event: SCRIPT, files: { 'word.mjs': 1 } }],
    ['a placeholder', { event: { script: { path: '${params.path}' } }, files: {} }],
    ['another key', { event: SCRIPT, files: {}, more: 1 }],
  ])('are refused with %s', async (_, body) => {
    expect((await instance.api('POST', `${EVENT}/drafts`, body)).status).toBe(422);
  });
});
