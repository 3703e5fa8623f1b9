import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually, freePort, type Instance, makeInstance } from '../support/instance.js';

const config = (name: string, count = 5): string => `
input: [timer: {seconds: 0.1, count: ${count}}]
event: {script: {path: numbers.mjs}}
output: [file: {path: ../../out/${name}.log}]
`;
const NUMBERS = 'let n = 0; export const produce = () => String(++n);';

const numbersIn = async (file: string): Promise<readonly number[]> => {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').slice(0, -1).map(Number);
};
const counted = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i + 1);

describe('SIGHUP', () => {
  let instance: Instance;
  const out = (name: string): string => join(instance.folder, 'out', `${name}.log`);
  const reached = (name: string, count: number): Promise<true> =>
    eventually(
      async () => ((await numbersIn(out(name))).length >= count ? true : null),
      `${count} of ${name}`,
    );
  const begin = async (): Promise<void> => {
    instance = await makeInstance({
      startup: ['same', 'changed', 'gone', 'other']
        .map((id) => `- {id: ${id}, path: ${id}/generator.yml}\n`)
        .join(''),
      generators: {
        ...Object.fromEntries(
          ['same', 'changed', 'gone', 'other', 'new'].map((name) => [`${name}/numbers.mjs`, NUMBERS]),
        ),
        'same/generator.yml': config('same'),
        'changed/generator.yml': config('changed'),
        'gone/generator.yml': config('gone'),
        'other/generator.yml': config('other'),
        'new/generator.yml': config('new'),
      },
    });
    await instance.start();
  };
  const hangUp = async (saying: RegExp): Promise<string> => {
    const program = instance.program();
    const before = program.stderr().length;
    program.child.kill('SIGHUP');
    await eventually(async () => (saying.test(program.stderr().slice(before)) ? true : null), String(saying));
    return program.stderr().slice(before);
  };
  const file = (path: string): string => join(instance.folder, path);

  afterEach(async () => {
    await instance.remove();
  });

  test('touches no generator whose entry and config are the same, a live patch included', async () => {
    await begin();
    await Promise.all(['same', 'changed', 'gone', 'other'].map((name) => reached(name, 5)));
    const patch = { input: [{ timer: { seconds: 0.1, count: 20 } }] };
    expect((await instance.api('PATCH', '/generators/same', patch)).status).toBe(200);
    expect(
      (await instance.api('POST', '/generators/api', { id: 'api', path: 'new/generator.yml' })).status,
    ).toBe(201);
    expect((await instance.api('POST', '/generators/api/start')).status).toBe(200);
    await writeFile(file('generators/changed/generator.yml'), config('changed', 6));
    await writeFile(
      file('startup.yml'),
      `- {id: same, path: same/generator.yml}
- {id: changed, path: changed/generator.yml}
- {id: other, path: other/generator.yml, batch: {size: 7}}
- {id: new, path: new/generator.yml}
- {id: idle, path: gone/generator.yml, autostart: false}
`,
    );
    const said = await hangUp(/reloaded: .*/);
    expect(said).toMatch(/1 untouched, 1 restarted, 1 replaced, 2 added, 1 removed/);
    const ids = (await instance.api('GET', '/generators/')).body as readonly {
      id: string;
      status: { phase: string };
    }[];
    expect(Object.fromEntries(ids.map(({ id, status }) => [id, status.phase]))).toEqual({
      same: 'running',
      changed: 'running',
      other: 'running',
      new: 'running',
      idle: 'idle',
      api: 'running',
    });
    const before = (await numbersIn(out('same'))).length;
    await reached('same', before + 20);
    const same = await numbersIn(out('same'));
    expect(same).toEqual(counted(same.length));
    // Restarted ones count from one again.
    for (const name of ['changed', 'other']) {
      await eventually(async () => ((await numbersIn(out(name))).lastIndexOf(1) > 0 ? true : null), name);
    }
    // Nothing has changed since: nothing is touched.
    const again = await hangUp(/reloaded: .*/);
    expect(again).toMatch(/reloaded: generators 5 untouched/);
  });

  test('opens the HTTP service elsewhere while generators flow on', async () => {
    await begin();
    await reached('same', 5);
    const port = await freePort();
    const settings = await readFile(file('spate.yml'), 'utf8');
    await writeFile(file('spate.yml'), settings.replace(/port: \d+/, `port: ${port}`));
    await hangUp(new RegExp(`listens on http://127.0.0.1:${port}`));
    const health = await fetch(`http://127.0.0.1:${port}/api/health`);
    expect(health.status).toBe(200);
    const shown = (await (await fetch(`http://127.0.0.1:${port}/api/instance/settings`)).json()) as {
      server: { port: number };
    };
    expect(shown.server.port).toBe(port);
    // The former listener closes once the new one listens.
    const isClosed = (): Promise<boolean> =>
      instance.api('GET', '/health').then(
        () => false,
        () => true,
      );
    await eventually(async () => ((await isClosed()) ? true : null), 'the end of the former listener');
    const same = await numbersIn(out('same'));
    await reached('same', same.length + 20);
    const numbers = await numbersIn(out('same'));
    expect(numbers).toEqual(counted(numbers.length));
  });

  test('reaches the templates that are put in preview next', async () => {
    await begin();
    const rendered = async (): Promise<unknown> => {
      const body = { formatter_config: { format: 'template', template: '{{ event * 3 }}' }, events: ['abc'] };
      return (await instance.api('POST', '/preview/same/formatter/format', body)).body;
    };
    expect(await rendered()).toMatchObject({ events: ['abcabcabc'], errors: [] });
    const settings = await readFile(file('spate.yml'), 'utf8');
    const limited = 'generation: {template_limits: {output_bytes: 8}}';
    await writeFile(file('spate.yml'), settings.replace('generation: {}', limited));
    await hangUp(/reloaded: .*/);
    expect(await rendered()).toMatchObject({
      events: [],
      errors: [{ message: expect.stringContaining('the limit output_bytes (8)') }],
    });
  });

  test('with files that are not valid changes nothing and says so', async () => {
    await begin();
    await reached('same', 5);
    await appendFile(file('startup.yml'), '- {id: x\n');
    expect(await hangUp(/not reloaded/)).toMatch(/startup\.yml:\d+/);
    await writeFile(file('startup.yml'), '- {id: same, path: same/generator.yml}\n');
    await writeFile(file('generators/same/generator.yml'), 'input: []');
    expect(await hangUp(/reloaded: .*/)).toMatch(/1 invalid, 3 removed/);
    const before = (await numbersIn(out('same'))).length;
    await reached('same', before + 5);
    const numbers = await numbersIn(out('same'));
    expect(numbers).toEqual(counted(numbers.length));
  });

  test('with an invalid entry keeps its generator running, says so, and counts what is not there', async () => {
    await begin();
    await reached('gone', 5);
    const readiness = async () => (await instance.api('GET', '/ready')).body;
    await eventually(
      async () => ((await instance.api('GET', '/ready')).status === 200 ? true : null),
      'all are up',
    );
    const list = (lines: Readonly<Record<string, string>>): Promise<void> =>
      writeFile(
        file('startup.yml'),
        ['same', 'changed', 'gone', 'other']
          .map((id) => lines[id] ?? `- {id: ${id}, path: ${id}/generator.yml}\n`)
          .join(''),
      );
    await list({ gone: '- {id: gone, path: gone/generator.yml, bogus: 1}\n' });
    const told = await hangUp(/reloaded: .*/);
    expect(told).toMatch(/invalid now: its generator keeps running with the former one generator_id=gone/);
    expect(told).toMatch(/reloaded: generators 4 untouched, 1 invalid in the startup list/);
    expect(await readiness()).toEqual({ status: 'ready', expected: 4, up: 4 });
    const before = (await numbersIn(out('gone'))).length;
    await reached('gone', before + 5);
    const numbers = await numbersIn(out('gone'));
    expect(numbers).toEqual(counted(numbers.length));

    // No id, and the id of another entry: the generator that is missing may be meant.
    for (const line of ['- {path: gone/generator.yml}\n', '- {id: same, path: gone/generator.yml}\n']) {
      await list({ gone: line });
      expect(await hangUp(/reloaded: .*/)).toMatch(/missing in the startup list stay.*gone/);
      expect(await readiness()).toMatchObject({ detail: expect.stringContaining('4 of 5 generators') });
    }

    // A change that restarts the instance in the same process keeps it, too.
    await list({ gone: '- {id: gone, path: gone/generator.yml, bogus: 1}\n' });
    const settings = await readFile(file('spate.yml'), 'utf8');
    await writeFile(file('spate.yml'), settings.replace('log: {}', 'log: {level: debug}'));
    await hangUp(/listens on/);
    await eventually(async () => {
      const { body } = await instance.api('GET', '/ready');
      return (body as { up: number }).up === 4 ? true : null;
    }, 'four generators');
    expect(await readiness()).toEqual({ status: 'ready', expected: 4, up: 4 });

    // It can still be removed.
    await list({ gone: '' });
    expect(await hangUp(/reloaded: .*/)).toMatch(/3 untouched, 1 removed/);
  });

  test('at a start, an invalid entry is expected and not up', async () => {
    instance = await makeInstance({
      startup:
        '- {id: same, path: same/generator.yml}\n- {id: gone, bogus: 1}\n- {id: off, bogus: 1, autostart: false}\n',
      generators: { 'same/numbers.mjs': NUMBERS, 'same/generator.yml': config('same') },
    });
    await instance.start();
    await reached('same', 5);
    const { status, body } = await instance.api('GET', '/ready');
    expect([status, body]).toEqual([
      503,
      expect.objectContaining({ detail: expect.stringContaining('1 of 2 generators') }),
    ]);
  });
});
