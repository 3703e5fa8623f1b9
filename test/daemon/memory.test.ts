import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance } from '../support/instance.js';

const ROOT = process.cwd();

/** What `npm start` runs. */
const EXAMPLES = ['access-log', 'shop-orders', 'shop-fulfilment'];
const STARTUP = readFileSync(join(ROOT, 'settings', 'startup.yml'), 'utf8');

const filesOf = (example: string): readonly (readonly [string, string])[] => {
  const folder = join(ROOT, 'generators', example);
  return readdirSync(folder, { withFileTypes: true })
    .filter((item) => item.isFile())
    .map(({ name }) => [`${example}/${name}`, readFileSync(join(folder, name), 'utf8')] as const);
};

let instance: Instance | null = null;
afterEach(async () => {
  await instance?.remove();
  instance = null;
});

/** These generators, once each of them has written some events. */
const startWriting = async (
  options: Parameters<typeof makeInstance>[0],
  ids: readonly string[],
): Promise<Instance> => {
  const made = await makeInstance(options);
  instance = made;
  await made.start();
  for (const id of ids) {
    await eventually(async () => {
      const { body } = await made.api('GET', `/generators/${id}/stats`);
      const stats = body as { readonly output?: readonly { readonly written: number }[] };
      return (stats.output?.[0]?.written ?? 0) > 3 ? true : null;
    }, `events of ${id}`);
  }
  return made;
};

const startExamples = (env: NodeJS.ProcessEnv = {}): Promise<Instance> =>
  startWriting(
    { startup: STARTUP, generators: Object.fromEntries(EXAMPLES.flatMap(filesOf)), env },
    EXAMPLES,
  );

/** What an isolate (the main thread, or a pipeline thread) has loaded, by path in this repository. */
interface Loaded {
  readonly files: readonly string[];
  readonly bytes: number;
}

/** What each isolate has loaded, the main thread first. */
const loadedBy = (folder: string): readonly Loaded[] =>
  readdirSync(folder)
    .map((name) => {
      const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
        readonly result: readonly { readonly url: string }[];
      };
      const paths = result.filter(({ url }) => url.startsWith('file:')).map(({ url }) => fileURLToPath(url));
      const ours = paths.filter((path) => path.startsWith(ROOT));
      const built = ours.filter((path) => path.startsWith(join(ROOT, 'dist')));
      return {
        files: ours.map((path) => relative(ROOT, path)),
        bytes: built.reduce((sum, path) => sum + statSync(path).size, 0),
      };
    })
    .sort((a, b) => b.bytes - a.bytes);

/** Runs generators with this environment, ends the service, and returns what its isolates have loaded. */
const loadedWhile = async (
  start: (env: NodeJS.ProcessEnv) => Promise<Instance>,
): Promise<readonly Loaded[]> => {
  const coverage = await mkdtemp(join(tmpdir(), 'spate-coverage-'));
  const made = await start({ NODE_V8_COVERAGE: coverage });
  expect((await made.kill('SIGTERM')).code).toBe(0);
  const loaded = loadedBy(coverage);
  await rm(coverage, { recursive: true });
  return loaded;
};

/** Packages that are not joined, and so are loaded late, if at all. */
const packagesOf = ({ files }: Loaded): readonly string[] => [
  ...new Set(
    files.filter((file) => file.startsWith('node_modules')).map((file) => file.split('/')[1] as string),
  ),
];

/**
 * JavaScript that each isolate may load, bytes: it is kept as text beside what is made of it. The main thread knows the
 * declaration of every plugin, 3 to 8 KB each, and every row of the API, but no more of those that no generator uses.
 */
const MAX_MAIN_BYTES = 1_901_000;
const MAX_THREAD_BYTES = 471_500;

describe('the daemon with the examples', () => {
  test('loads no more than its generators need', async () => {
    const loaded = await loadedWhile(startExamples);
    process.stderr.write(`loaded: ${loaded.map(({ bytes }) => bytes).join(', ')} bytes\n`);
    expect(loaded).toHaveLength(3);
    const [main, ...threads] = loaded;
    expect(main?.bytes).toBeLessThan(MAX_MAIN_BYTES);
    for (const { bytes } of threads) expect(bytes).toBeLessThan(MAX_THREAD_BYTES);
    // Of this one 18 KB are loaded: see its loader.
    const packages = loaded.flatMap(({ files }) => files.filter((file) => file.startsWith('node_modules')));
    expect(packages).toEqual(['node_modules/@swc/wasm-typescript/wasm.js']);
  });

  test('loads cron-parser where configs are checked, not on the threads that run them', async () => {
    const config = [
      "input: [{ cron: { expression: '* * * * * MON-SUN', count: 5 } }]",
      'event: { template: { mode: all, templates: [{ a: { template: a.jinja } }] } }',
      'output: [{ file: { path: out.log } }]',
    ];
    const startup = '- { id: days, path: days/generator.yml }\n';
    const generators = { 'days/generator.yml': config.join('\n'), 'days/a.jinja': 'x' };
    const loaded = await loadedWhile((env) => startWriting({ startup, generators, env }, ['days']));
    expect(loaded.map(packagesOf)).toEqual([['cron-parser', 'luxon'], []]);
  });

  (existsSync('/proc/self/status') ? test : test.skip)('peaks below 200 MB of resident memory', async () => {
    const made = await startExamples();
    const status = readFileSync(`/proc/${made.program().child.pid}/status`, 'utf8');
    const peak_mb = (Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) * 1024) / 1e6;
    process.stderr.write(
      `peak of resident memory: ${peak_mb.toFixed(1)} MB (100 to 127 MB on an idle machine)\n`,
    );
    // V8 collects later on a busy machine.
    expect(peak_mb).toBeLessThan(200);
  });
});
