import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from '../support/programs.js';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGE = readFileSync(join(ROOT, 'docs', 'plugins.md'), 'utf8');
const NOT_COPIED = new Set(['.git', 'dist', 'node_modules']);
const GENERATOR = `input:
  - static: {count: 2500}
event:
  script: {path: produce.js}
output:
  - spool: {path: .}
`;
/** Builds and runs Jest in a copy: seconds on an idle machine. */
const GENEROUS_MS = 900_000;

/** Code blocks of the page after a comment `<!-- what: path -->`. */
const blocksOf = (what: 'file' | 'lines'): readonly (readonly [path: string, text: string])[] =>
  [...PAGE.matchAll(/^<!-- (\w+): (\S+) -->\n\n```\w+\n(.*?)^```$/gms)]
    .filter((match) => match[1] === what)
    .map((match) => [match[2] ?? '', match[3] ?? '']);

/** A file with the lines of a diff: each added line after the line that the diff shows before it, imports first. */
const withAdded = (file: string, diff: string): string => {
  let text = file;
  let before = '';
  for (const line of diff.split('\n')) {
    if (line.startsWith('+import ')) text = `${line.slice(1)}\n${text}`;
    else if (line.startsWith('+')) {
      if (!text.includes(`${before}\n`)) throw new Error(`no line "${before}"`);
      text = text.replace(`${before}\n`, `${before}\n${line.slice(1)}\n`);
    } else before = line.slice(1);
  }
  return text;
};

describe('the tutorial of docs/plugins.md, followed in a copy of the repository', () => {
  const copy = mkdtempSync(join(tmpdir(), 'spate-tutorial-'));
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  const run = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' });
    return { status, text: stdout + stderr };
  };
  const compile = () => run('node_modules/typescript-7/bin/tsc', '--noEmit', '-p', 'tsconfig.tutorial.json');

  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), text);
  };

  beforeAll(() => {
    for (const name of readdirSync(ROOT)) {
      if (!NOT_COPIED.has(name)) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    }
    // Only the plugin, its tests and the table: the build compiles the rest.
    write(
      'tsconfig.tutorial.json',
      JSON.stringify({
        extends: './tsconfig.json',
        include: [
          'src/plugins/specs.ts',
          'src/plugins/loaders.ts',
          'src/plugins/outputs/spool',
          'test/plugins/outputs/spool',
        ],
      }),
    );
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    // The web UI, which no plugin changes: the build leaves it as it is.
    for (const name of ['ui', '.ui-sources'])
      cpSync(join(ROOT, 'dist', name), join(copy, 'dist', name), { recursive: true });
    for (const [path, text] of blocksOf('file')) write(path, text);
    write('generators/spool/generator.yml', GENERATOR);
    write('generators/spool/produce.js', "export const produce = () => 'reading';\n");
    for (const [path, diff] of blocksOf('lines')) {
      write(path, withAdded(readFileSync(join(copy, path), 'utf8'), diff));
    }
  }, GENEROUS_MS);

  test('has a plugin with a destination and two rows', () => {
    expect(blocksOf('file').map(([path]) => path)).toEqual([
      // `test/examples/docs.test.ts` runs these.
      'spate-plugin-archive/plugin.mjs',
      'spate-plugin-archive/package.json',
      'generators/archived/generator.yml',
      'generators/archived/produce.js',
      'src/plugins/outputs/spool/spec.ts',
      'src/plugins/outputs/spool/plugin.ts',
      'test/plugins/outputs/spool/conformance.ts',
    ]);
    expect(blocksOf('lines').map(([path]) => path)).toEqual([
      'src/plugins/loaders.ts',
      'src/plugins/specs.ts',
    ]);
  });

  test(
    'compiles, and no longer when a part of the contract is missing',
    () => {
      expect(compile()).toEqual({ status: 0, text: '' });
      const path = 'src/plugins/outputs/spool/plugin.ts';
      const text = readFileSync(join(copy, path), 'utf8');
      write(path, text.replace('flush: async () => E.right(undefined),', ''));
      expect(compile().text).toContain("'flush' is missing");
      write(path, text);
    },
    GENEROUS_MS,
  );

  test(
    'builds, writes its README, and delivers',
    () => {
      expect(run('.ci/build.mjs')).toEqual({ status: 0, text: '' });
      expect(run('.ci/docs.mjs').status).toBe(0);
      expect(readFileSync(join(copy, 'src/plugins/outputs/spool/README.md'), 'utf8')).toContain(
        '`formatter`',
      );
      const generated = run(
        'dist/src/cli/main.js',
        'generate',
        '--path',
        'generators/spool',
        '--live-mode',
        'false',
      );
      expect(generated.status).toBe(0);
      const files = readdirSync(join(copy, 'generators/spool')).filter((name) => name.endsWith('.log'));
      const lines = files.flatMap((name) =>
        readFileSync(join(copy, 'generators/spool', name), 'utf8').split('\n'),
      );
      expect(lines.filter((line) => line === 'reading')).toHaveLength(2_500);
    },
    GENEROUS_MS,
  );

  test(
    'passes the conformance suite and the checks of the table',
    () => {
      const report = join(copy, 'report.json');
      const { text } = run(
        '--experimental-vm-modules',
        'node_modules/jest/bin/jest.js',
        '--maxWorkers=1',
        '--json',
        `--outputFile=${report}`,
        // The suite of the other outputs proves nothing about this one.
        '--testNamePattern=^(?!output (?!spool ))',
        'test/conformance/outputs.test.ts',
        'test/plugins/registry.test.ts',
        'test/architecture.test.ts',
      );
      if (!existsSync(report)) throw new Error(text);
      const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
        readonly testResults: readonly {
          readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
        }[];
      };
      const results = testResults
        .flatMap(({ assertionResults }) => assertionResults)
        .filter(({ status }) => status !== 'pending');
      expect(results.filter(({ status }) => status !== 'passed').map(({ fullName }) => fullName)).toEqual([]);
      const conformance = results.filter(({ fullName }) => fullName.startsWith('output spool '));
      expect(conformance.length).toBeGreaterThanOrEqual(8);
    },
    GENEROUS_MS,
  );
});
