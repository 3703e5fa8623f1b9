import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { tokenHash } from '../../src/http/access/password.js';
import { type Instance, makeInstance, type Program, runProgram } from '../support/instance.js';

const CONFIG = `input: [timer: {seconds: 0.1, count: 2}]
event: {template: {mode: all, templates: [{t: {template: t.jinja}}]}}
output: [file: {path: out.log}]
`;
const TOKEN = 'spate_0123456789abcdef';

let instance: Instance;
beforeAll(async () => {
  instance = await makeInstance({
    server: `users: {ci: {role: read, token: '${tokenHash(TOKEN)}'}, boss: {role: admin, password: pw}}`,
    startup:
      '- {id: one, path: one/generator.yml}\n- {id: two, path: two/generator.yml}\n- {id: json, path: json/generator.yml}\n- {id: off, path: one/generator.yml, autostart: false}\n',
    generators: {
      'one/generator.yml': CONFIG,
      'one/t.jinja': 'from one',
      'json/generator.yml': CONFIG,
      'json/t.jinja': '{\n  "id": 12345678901234567890,\n\n  "text": "two  words"\n}\n',
      'two/generator.yml': CONFIG,
      'two/t.jinja': 'from two',
    },
  });
  await instance.start();
});
afterAll(() => instance.remove());

const spate = (...args: readonly string[]): Program =>
  runProgram([...args, '--url', instance.url], { env: { SPATE_API_TOKEN: TOKEN } });

const ended = async (program: Program) => ({
  ...(await program.exited),
  out: program.stdout(),
  err: program.stderr(),
});

describe('spate tail', () => {
  test('prints events of a generator as they are made, and its state on standard error', async () => {
    const { code, out, err } = await ended(spate('tail', 'one', '-n', '3'));
    expect(out).toBe('from one\nfrom one\nfrom one\n');
    expect(err).toBe('spate: one is running\n');
    expect(code).toBe(0);
  });

  test('names the generator of each event if there are several', async () => {
    const { out } = await ended(spate('tail', 'one', 'two', '--rate', '1', '-n', '4'));
    expect(new Set(out.trim().split('\n'))).toEqual(new Set(['one: from one', 'two: from two']));
  });

  test('prints JSON on one line', async () => {
    const { out } = await ended(spate('tail', 'json', '-n', '2'));
    expect(out).toBe('{ "id": 12345678901234567890, "text": "two  words" }\n'.repeat(2));
  });

  test('prints only events that a search finds, also among several generators', async () => {
    const { code, out } = await ended(spate('tail', 'one', 'two', '--find', 'FROM -one', '-n', '3'));
    expect(out).toBe('two: from two\n'.repeat(3));
    expect(code).toBe(0);
  });

  test('ends with 0 at a signal, and says what it does not know', async () => {
    const program = spate('tail', 'off');
    await program.saw(/off is idle/);
    program.child.kill('SIGINT');
    expect(await program.exited).toEqual({ code: 0, signal: null });
    const unknown = await ended(spate('tail', 'one', 'nope'));
    expect(unknown.err).toBe('spate: The service has no generator "nope". It has json, off, one, two.\n');
    expect(unknown.code).toBe(1);
  });

  test('says that the credentials are missing or wrong', async () => {
    const none = await ended(runProgram(['tail', 'one', '--url', instance.url]));
    expect(none.err).toContain('redentials');
    expect(none.code).toBe(1);
    const wrong = runProgram(['tail', 'one', '--url', instance.url], {
      env: { SPATE_API_TOKEN: `${TOKEN}0` },
    });
    expect((await wrong.exited).code).toBe(1);
  });
});

test('spate top prints the busiest generators once where there is no terminal', async () => {
  const { code, out } = await ended(spate('top', '-n', '2'));
  const [head = '', names = '', ...rows] = out.trim().split('\n');
  expect(head).toMatch(/^4 generators, 3 running, (5\d|6\d)(\.\d)? events\/s$/);
  expect(names).toMatch(/^GENERATOR +HEALTH +EVENTS\/S +KIB\/S +LATE P99 +LAG P99 +FAILED +DEAD LETTERS$/);
  expect(rows[0]).toMatch(/^(json|one|two) +ok +(1\d|2\d)(\.\d)? +\d/);
  expect(rows.at(-1)).toBe('and 2 more generators');
  expect(code).toBe(0);
});
