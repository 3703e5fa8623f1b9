import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance } from '../support/instance.js';

const CONFIG = `
input: [timer: {seconds: 0.1, count: 1}]
event: {script: {path: produce.mjs, marks: text}}
output: [file: {path: ../../out/events.log}]
`;
const SCRIPT = `export const produce = ({ globals, tags }) =>
  'by ' + globals.get('thief', 'nobody') + ' ' + globals.has('thief') + ' ' + tags.join();`;

const TIMER = { seconds: 0.1, count: 1 };

describe('what incidents are made of, in a running service', () => {
  let instance: Instance;
  const linesOf = async (name: string): Promise<readonly string[]> => {
    const text = await readFile(join(instance.folder, 'out', name), 'utf8').catch(() => '');
    return text.split('\n').slice(0, -1);
  };
  const until = (holds: (lines: readonly string[]) => boolean, what: string) =>
    eventually(async () => (holds(await linesOf('events.log')) ? true : null), what);

  beforeAll(async () => {
    instance = await makeInstance({
      startup: '- {id: g, path: g/generator.yml, scenarios: [town]}',
      generators: { 'g/generator.yml': CONFIG, 'g/produce.mjs': SCRIPT },
    });
    await instance.start();
  });
  afterAll(async () => {
    await instance.remove();
  });

  test('inputs that a patch adds bring globals and ground truth of their own', async () => {
    await until((lines) => lines.length > 2, 'events before the patch');
    const answer = await instance.api('PATCH', '/generators/g', {
      input: [{ timer: TIMER }, { timer: { ...TIMER, tags: ['theft'], globals: { thief: 'ana' } } }],
      output: [
        { file: { path: '../../out/events.log' } },
        { file: { path: '../../out/truth.log', ground_truth_of: { theft: { what: 'a theft' } } } },
      ],
    });
    expect(answer).toEqual({ status: 200, body: null });
    const isTheft = (line: string) => line.startsWith('by ana true theft ');
    await until((lines) => lines.filter(isTheft).length >= 5, 'events of the theft');
    // The scenario has no such value: events of the other input do not see it.
    expect((await instance.api('GET', '/scenarios/town/globals')).body).toEqual({});
    expect((await instance.api('POST', '/generators/g/stop')).status).toBe(200);
    const lines = await linesOf('events.log');
    expect(lines.filter((line) => !isTheft(line)).every((line) => line.startsWith('by nobody false  '))).toBe(
      true,
    );
    const truth = (await linesOf('truth.log')).map(
      (line) => JSON.parse(line) as { what: string; mark: string },
    );
    expect(truth.map(({ mark }) => mark)).toEqual(
      lines.filter(isTheft).map((line) => (/spate=([0-9a-f]{8}:\d+)/.exec(line) ?? [])[1]),
    );
    expect(new Set(truth.map(({ what }) => what))).toEqual(new Set(['a theft']));
  });
});
