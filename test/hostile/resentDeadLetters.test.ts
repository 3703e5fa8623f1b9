/** Outputs of others that bring down the thread of a resend: letters stay, and the folder is free. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ResentDeadLetters } from '../../src/messages/deadLetters.js';
import { type Instance, makeInstance } from '../support/instance.js';

const OUTPUTS = {
  exits: 'write: () => process.exit(0)',
  in_timer: "write: () => new Promise(() => setTimeout(() => { throw new Error('boom in a timer'); }))",
  never_writes: 'write: () => new Promise(() => {})',
  good: 'write: async (batch) => right({ written: batch.count, failed: 0, bytes: 1 })',
} as const;
type Name = keyof typeof OUTPUTS;

const PLUGINS = `export default ({ outputPlugin, right }) => [
${Object.entries(OUTPUTS)
  .map(
    ([
      name,
      write,
    ]) => `{ spec: outputPlugin({ name: '${name}', summary: 'Misbehaves.', fields: {}, examples: [] }),
    open: async () => right({ isBulk: true, isOrdered: true, flush: async () => right(undefined), close: async () => right(undefined), ${write} }) },`,
  )
  .join('\n')}
];`;

const LETTERS = 3;
const names = Object.keys(OUTPUTS) as readonly Name[];

let instance: Instance;

const folderNamed = (id: string): string => join(instance.folder, 'state', 'dead-letters', id, `1-${id}`);
const lettersOf = async (id: string): Promise<number> => {
  const { body } = await instance.api('GET', `/generators/${id}/dead-letters`);
  return (body as readonly { readonly letters: number }[]).reduce((sum, { letters }) => sum + letters, 0);
};
const resend = (id: Name) => instance.api('POST', `/generators/${id}/resend-dead-letters`);

beforeAll(async () => {
  instance = await makeInstance({
    startup: names.map((name) => `- {id: ${name}, path: ${name}/generator.yml, autostart: false}`).join('\n'),
    generators: {
      ...Object.fromEntries(
        names.map((name) => [
          `${name}/generator.yml`,
          `input: [static: {count: 1}]\nevent: {template: {mode: all, templates: [{a: {template: a.jinja}}]}}\noutput: [${name}: {}]\n`,
        ]),
      ),
      'plugins.mjs': PLUGINS,
    },
    settings: 'plugins: [./generators/plugins.mjs], write_timeout: 1, retry: {attempts: 1}',
  });
  for (const name of names) {
    await mkdir(folderNamed(name), { recursive: true });
    const letter = { at: '2026-01-01T00:00:00+00:00', code: 'rejected', reason: 'r', event: 'e' };
    await writeFile(join(folderNamed(name), '00000001.jsonl'), `${JSON.stringify(letter)}\n`.repeat(LETTERS));
  }
  await instance.start();
});
afterAll(() => instance.remove());

test('a good one gets the letters', async () => {
  expect((await resend('good')).body).toMatchObject([{ sent: LETTERS, is_done: true }]);
  expect(await lettersOf('good')).toBe(0);
});

test('one that never answers is down; its letters stay', async () => {
  const { body } = await resend('never_writes');
  expect(body).toMatchObject([
    { sent: 0, refused: LETTERS, is_down: true } satisfies Partial<ResentDeadLetters>,
  ]);
  expect(await lettersOf('never_writes')).toBe(LETTERS);
});

test.each(['exits', 'in_timer'] as const)(
  '%s: the daemon goes on, the letters stay, and nothing locks them',
  async (id) => {
    expect(await resend(id)).toMatchObject({ status: 500, body: { code: 'host_crashed' } });
    expect(await lettersOf(id)).toBe(LETTERS);
    expect((await readdir(folderNamed(id))).filter((name) => name.startsWith('.'))).toEqual([]);
    const { body } = await instance.api('DELETE', `/generators/${id}/dead-letters`);
    expect(body).toEqual([{ output: `1-${id}`, removed: LETTERS, left: 0 }]);
    expect((await instance.api('GET', '/health')).body).toMatchObject({ status: 'ok' });
  },
);
