import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { testOf } from '../../src/cli/commands/test/find.js';
import { openLibrary } from '../../src/daemon/library.js';
import { type LibraryItem, README_FILE } from '../../src/domain/library.js';
import { runProgram } from '../support/instance.js';
import { TINY, writeFiles } from '../support/library.js';

/** The library of the repository. */
const ROOT = join(import.meta.dirname, '..', '..', 'generators');

/** Parameters of every library generator; any of those in a row will do. A generator in a world has people for its rate. */
const ALWAYS = [['rate', 'people'], ['anomaly'], ['labels']];

const MAX_README_LINES = 90;
/** Examples of READMEs are among these. */
const EVENTS = 500;
/** Share by which the stated size of an event may differ from the median. */
const TOLERANCE = 0.25;

/** Events as written, without the line break. */
const eventsOf = async (folder: string): Promise<readonly string[]> => {
  const clock = ['--seed', '1', '--now', '2026-03-02T09:00:00Z'];
  const rest = ['--live-mode', 'false', '--limit', String(EVENTS), '-vvv'];
  const program = runProgram(['generate', '--path', folder, ...clock, ...rest]);
  const { code } = await program.exited;
  if (code !== 0) throw new Error(`${folder} ended with ${code}:\n${program.stderr()}`);
  return program.stdout().trimEnd().split('\n');
};

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
};

/** Every test has a fingerprint; one is of normal operation, the others switch each anomaly on. */
const testFlaws = async ({ anomalies }: LibraryItem, folder: string): Promise<readonly string[]> => {
  const names = (await readdir(join(folder, 'tests'))).filter((name) => name.endsWith('.yml'));
  const tests = await Promise.all(
    names.map(async (name) => {
      const decoded = testOf(await readFile(join(folder, 'tests', name), 'utf8'), name);
      if (E.isLeft(decoded)) throw new Error(decoded.left.message);
      return { name, ...decoded.right.test };
    }),
  );
  const shown = new Set(tests.map(({ globals }) => globals['anomaly']));
  return [
    ...tests
      .filter(({ checks }) => !checks.some(({ kind }) => kind === 'fingerprint'))
      .map(({ name }) => `tests/${name} has no fingerprint`),
    ...(names.includes('normal.yml') ? [] : ['no tests/normal.yml']),
    ...anomalies.filter(({ name }) => !shown.has(name)).map(({ name }) => `no test of anomaly ${name}`),
  ];
};

/** Rules of a library generator that its decoder does not hold. */
const flawsOf = async (item: LibraryItem, folder: string): Promise<readonly string[]> => {
  const readme = existsSync(join(folder, README_FILE))
    ? await readFile(join(folder, README_FILE), 'utf8')
    : null;
  const lines = readme?.trimEnd().split('\n').length ?? 0;
  const named = [...item.parameters, ...item.anomalies].map(({ name }) => name);
  const example = /```json\n(.*)\n```/.exec(readme ?? '')?.[1] ?? '';
  const events = await eventsOf(folder);
  const median_bytes = median(events.map((event) => Buffer.byteLength(event)));
  const names = new Set(item.parameters.map(({ name }) => name));
  return [
    ...(readme === null ? [`no ${README_FILE}`] : []),
    ...(lines > MAX_README_LINES ? [`${README_FILE} has ${lines} lines`] : []),
    ...(events.includes(example) ? [] : [`the README shows no event of the first ${EVENTS} of seed 1`]),
    ...named.filter((name) => !readme?.includes(`\`${name}\``)).map((name) => `the README lacks \`${name}\``),
    ...ALWAYS.filter((some) => !some.some((name) => names.has(name))).map(
      (some) => `no parameter ${some.join(' or ')}`,
    ),
    ...(item.anomalies.length < 2 ? ['fewer than two anomalies'] : []),
    ...(item.anomalies.some(({ name }) => name === 'none') ? ["'none' is no anomaly"] : []),
    ...(item.detections.length === 0 ? ['no detection'] : []),
    ...(Math.abs(item.event_bytes - median_bytes) > TOLERANCE * median_bytes
      ? [`event_bytes is ${item.event_bytes}, the median ${median_bytes}`]
      : []),
    ...(await testFlaws(item, folder)),
  ];
};

const listed = await openLibrary(ROOT).list();
const { items, rejected } = E.isRight(listed) ? listed.right : { items: [], rejected: [listed.left] };

describe('the library', () => {
  test('has valid files, whose parameters agree', () => {
    expect(rejected.map(({ message }) => message)).toEqual([]);
  });

  for (const item of items)
    test(`${item.name} keeps the rules`, async () => {
      expect(await flawsOf(item, join(ROOT, item.name))).toEqual([]);
    });
});

describe('the rules', () => {
  const EVENT =
    '{"time": "2026-03-02T09:00:00+00:00", "host": "www.example.com", "path": "/", "status": 200, "labels": {"anomaly": "none"}}';
  const README = `${TINY['web-tiny/README.md']}\n\`\`\`json\n${EVENT}\n\`\`\`\n\`rate\`, \`anomaly\`, \`domain\`, \`labels\`: parameters; \`scan\`, \`flood\`: anomalies\n`;
  const testOfAnomaly = (anomaly: string): string =>
    `${TINY['web-tiny/tests/normal.yml']?.replace('}]', `}, {fingerprint: ${'a'.repeat(64)}}]`)}globals: {anomaly: ${anomaly}}\n`;
  const TESTS = Object.fromEntries(
    [
      ['normal', 'none'],
      ['scan', 'scan'],
      ['flood', 'flood'],
    ].map(([name, anomaly]) => [`web-tiny/tests/${name}.yml`, testOfAnomaly(anomaly as string)]),
  );
  const roots: string[] = [];
  const inLibrary = async (changes: Readonly<Record<string, string>>) => {
    const root = await mkdtemp(join(tmpdir(), 'spate-library-'));
    roots.push(root);
    await writeFiles(root, { ...TINY, ...TESTS, 'web-tiny/README.md': README, ...changes });
    const item = await openLibrary(root).read('web-tiny');
    if (E.isLeft(item)) throw new Error(item.left.message);
    return flawsOf(item.right, join(root, 'web-tiny'));
  };
  const library = TINY['web-tiny/library.yml'] as string;
  afterAll(() => Promise.all(roots.map((root) => rm(root, { recursive: true, force: true }))));

  test('hold for a small generator', async () => {
    expect(await inLibrary({})).toEqual([]);
  });

  test.each([
    [
      'an undocumented parameter',
      { 'web-tiny/README.md': README.replace('`domain`', '') },
      'the README lacks `domain`',
    ],
    [
      'a long README',
      { 'web-tiny/README.md': `${README + '\n'.repeat(90)}end` },
      'README.md has 1\\d\\d lines',
    ],
    [
      'an example that is no event',
      { 'web-tiny/README.md': README.replace('"/"', '"/none"') },
      `the README shows no event of the first ${EVENTS} of seed 1`,
    ],
    [
      'one anomaly',
      { 'web-tiny/library.yml': library.replace(/ {2}flood:.*\n/, '') },
      'fewer than two anomalies',
    ],
    ['no detections', { 'web-tiny/library.yml': library.replace(/detections:[\s\S]*/, '') }, 'no detection'],
    [
      'another size',
      { 'web-tiny/library.yml': library.replace('120', '200') },
      'event_bytes is 200, the median 1\\d\\d',
    ],
    [
      'a test without a fingerprint',
      { 'web-tiny/tests/normal.yml': TINY['web-tiny/tests/normal.yml'] as string },
      'tests/normal.yml has no fingerprint',
    ],
    [
      'an anomaly without a test',
      { 'web-tiny/tests/flood.yml': testOfAnomaly('scan') },
      'no test of anomaly flood',
    ],
  ])('are broken by %s', async (_, changes, flaw) => {
    expect(await inLibrary(changes)).toEqual([expect.stringMatching(`^${flaw}$`)]);
  });
});
