import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runProgram } from '../support/instance.js';

let folder = '';
beforeAll(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'spate-limit-'));
  fs.writeFileSync(join(folder, 'produce.mjs'), "export const produce = () => 'event';");
  fs.writeFileSync(
    join(folder, 'generator.yml'),
    'input: [static: {count: 10}]\nevent: {script: {path: produce.mjs}}\noutput: [stdout: {}]\n',
  );
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const generate = async (...more: readonly string[]) => {
  const program = runProgram(['generate', '--path', folder, '--live-mode', 'false', ...more], {
    cwd: folder,
  });
  const { code } = await program.exited;
  return { code, err: program.stderr(), events: program.stdout().split('\n').length - 1 };
};

describe('spate generate --limit', () => {
  test('that is not reached exits with 1 and the number of events', async () => {
    const { code, err, events } = await generate('--limit', '1000');
    expect([code, events]).toEqual([1, 10]);
    expect(err).toContain(
      'spate: the run ended after 10 of 1,000 events (--limit): input static ended with the timestamp ',
    );
    expect(err).toMatch(/\. --allow-failures accepts it\.\n$/);
  });

  test('that is not reached exits with 0 where that is accepted, with the same message', async () => {
    const { code, err } = await generate('--limit', '11', '--allow-failures');
    expect([code, err]).toEqual([0, expect.stringContaining('ended after 10 of 11 events')]);
  });

  test('that is reached, also by the last event, exits with 0 without a message', async () => {
    const { code, err, events } = await generate('--limit', '10');
    expect({ code, events }).toEqual({ code: 0, events: 10 });
    expect(err).toMatch(/^\S+: 10 events in .*\n$/);
    expect(await generate('--limit', '10', '--quiet')).toEqual({ code: 0, err: '', events: 10 });
  });

  test('counts the events of earlier runs with --resume', async () => {
    const resume = (limit: number) => generate('--resume', '--state', 'state', '--limit', String(limit));
    expect(await resume(4)).toMatchObject({ code: 0, events: 4 });
    expect(await resume(8)).toMatchObject({ code: 0, events: 4 });
    const short = await resume(20);
    expect([short.code, short.events]).toEqual([1, 2]);
    expect(short.err).toContain('ended after 10 of 20 events');
    const again = await resume(20);
    expect([again.code, again.events]).toEqual([1, 0]);
    expect(again.err).toContain('ended after 10 of 20 events');
    expect((await resume(10)).code).toBe(0);
  });
});
