import {
  chmodSync,
  cpSync,
  createReadStream,
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
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { extract } from 'tar-stream';
import { eventually, freePort } from '../support/instance.js';
import { writeFiles } from '../support/library.js';
import { execFileSync, hasPrograms, needs, runFile, spawn } from '../support/programs.js';
import { ROOT } from '../support/sources.js';

/** The npm package, as someone gets it who has no clone. */

const MAX_PACKED_BYTES = 5_200_000;
const MAX_INSTALLED_BYTES = 90_000_000;
/** Nodes to run the package with besides this one, as `.ci/nodes.mjs` prints them. */
const NODES = [process.execPath, ...(process.env['SPATE_TEST_NODE_PATHS'] ?? '').split(':')].filter(
  (path) => path !== '',
);

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** Packs a folder. npm 11 prints a list of packages, later versions may print an object of them. */
const pack = (folder: string, ...args: readonly string[]): Packed => {
  const text = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--loglevel=error', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  const [packed] = Object.values(JSON.parse(text) as Readonly<Record<string, Packed>>);
  if (packed === undefined) throw new Error(`npm pack printed ${text}`);
  return packed;
};

const pathsOf = ({ files }: Packed): readonly string[] => files.map(({ path }) => path);

const unpack = async (archive: string, folder: string): Promise<void> => {
  const entries = extract();
  entries.on('entry', ({ name, type }, content, next) => {
    const path = join(folder, name.replace(/^package\//, ''));
    mkdirSync(dirname(path), { recursive: true });
    void buffer(content).then((bytes) => {
      if (type === 'file') writeFileSync(path, bytes);
      next();
    });
  });
  await pipeline(createReadStream(archive), createGunzip(), entries);
};

const whereNpm = hasPrograms('npm') ? describe : describe.skip;

whereNpm(`the npm package ${needs('npm')}`, () => {
  const work = mkdtempSync(join(tmpdir(), 'spate-package-'));
  const installed = join(work, 'project', 'node_modules', 'spate-events');
  let packed: Packed;

  beforeAll(async () => {
    packed = pack(ROOT, '--pack-destination', work);
    await unpack(join(work, packed.filename), installed);
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    // Nothing but what the package asks for; a link leads to the dependencies of that.
    for (const name of Object.keys(dependencies)) {
      const link = join(work, 'project', 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', name), link);
    }
  });
  afterAll(() => rmSync(work, { recursive: true, force: true }));

  test('is small, and has no source maps, no tests of ours and no sources', () => {
    expect(packed.size).toBeLessThan(MAX_PACKED_BYTES);
    expect(packed.unpackedSize).toBeLessThan(MAX_INSTALLED_BYTES / 3);
    const isNotNeeded = (path: string): boolean =>
      /\.map$|^(?:test|settings|\.ci)\//.test(path) ||
      (/^(?:src|actors)\//.test(path) && !path.endsWith('.md'));
    expect(pathsOf(packed).filter(isNotNeeded)).toEqual([]);
  });

  test('says the licenses of what its programs and its web UI contain', () => {
    const paths = pathsOf(packed);
    expect(paths).toEqual(expect.arrayContaining(['dist/licenses.txt', 'dist/ui/licenses.txt']));
    expect(readFileSync(join(installed, 'dist/licenses.txt'), 'utf8')).toMatch(/^express \d.*: MIT$/m);
    expect(readFileSync(join(installed, 'dist/ui/licenses.txt'), 'utf8')).toMatch(/^react \d.*: MIT$/m);
  });

  test('has nothing that the user of a clone has added or changed there', async () => {
    const clone = join(work, 'clone');
    for (const name of ['package.json', 'README.md', 'generators', 'docs', 'settings', 'incidents'])
      cpSync(join(ROOT, name), join(clone, name), { recursive: true });
    const before = pathsOf(pack(clone, '--dry-run'));
    await writeFiles(clone, {
      'generators/mine/generator.yml': '',
      'generators/mine/library.yml': '',
      'generators/mine.yml': '',
      'generators/web-nginx/mine.jinja': '',
      'generators/web-nginx/samples/mine.csv': '',
      'generators/web-nginx/out/mine.log': '',
      'generators/access-log/out/access.log': '',
      'settings/state/mine.json': '',
      'settings/logs/mine.log': '',
      'settings/startup.yml': '# mine',
      'incidents/mine.yml': '',
      'state/mine.json': '',
      'logs/mine.log': '',
      'mine.log': '',
      '.env': 'MINE=1',
    });
    expect(pathsOf(pack(clone, '--dry-run')).toSorted()).toEqual(before.toSorted());
    expect(before).toContain('generators/web-nginx/request.jinja');
    expect(before).toContain('generators/generator.schema.json');
    expect(before.filter((path) => path.startsWith('settings/'))).toEqual([]);
  });

  describe.each(NODES)('under %s', (node) => {
    const cli = join(installed, 'dist/src/cli/main.js');
    const project = join(work, `project/${NODES.indexOf(node)}`);
    const spate = (...args: readonly string[]) =>
      runFile(node, [cli, ...args], { cwd: project, encoding: 'utf8' });

    beforeAll(() => {
      mkdirSync(project, { recursive: true });
    });

    test('spate says its version and makes events of a library generator, without a warning', async () => {
      const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
        readonly version: string;
      };
      expect(await spate('--version')).toEqual({ stdout: `spate ${version}\n`, stderr: '' });
      await spate('init', 'web', '--from', 'web-nginx');
      const made = await spate('generate', '--path', 'web', '--fast', '--limit', '20', '-q');
      expect(made.stdout.trim().split('\n')).toHaveLength(20);
      expect(made.stderr).toBe('');
      expect((await spate('test', 'web/tests/plain.yml')).stderr).not.toContain('failed');
    });

    test('spate keeps its compiled form where only its user can write, from Node 22.8', async () => {
      const { stdout } = await runFile(node, ['-p', 'typeof require("node:module").enableCompileCache']);
      const keptIn = async (caches: string, mode: number): Promise<readonly string[]> => {
        mkdirSync(join(caches, 'spate'), { recursive: true });
        chmodSync(join(caches, 'spate'), mode);
        await runFile(node, [cli, '--version'], { env: { ...process.env, XDG_CACHE_HOME: caches } });
        return readdirSync(join(caches, 'spate'));
      };
      const kept = await keptIn(join(project, 'own'), 0o700);
      expect(kept).toHaveLength(stdout.trim() === 'function' ? 1 : 0);
      expect(await keptIn(join(project, 'open'), 0o777)).toEqual([]);
    });

    test('a package of plugins imports the kit', async () => {
      const { stdout } = await runFile(
        node,
        [
          '--input-type=module',
          '-e',
          "console.log(typeof (await import('spate-events/plugin')).outputPlugin)",
        ],
        { cwd: project, encoding: 'utf8' },
      );
      expect(stdout).toBe('function\n');
    });

    test('an instance delivers events of a script, of a template and of a long config, and serves the UI', async () => {
      const port = await freePort();
      const output = 'output: [file: {path: out.log, flush_interval: 0}]\n';
      await writeFiles(join(project, 'instance'), {
        'spate.yml': `server: {host: 127.0.0.1, port: ${port}}\ngeneration: {}\nlog: {}\npath: {logs: logs, startup: startup.yml, generators_dir: g, keyring_cryptfile: keys, state: state}\n`,
        'startup.yml': '- {id: script, path: script/generator.yml}\n- {id: fake, path: fake/generator.yml}\n',
        'g/script/generator.yml': `input: [cron: {expression: '* * * * * *', count: 1}]\nevent: {script: {path: e.ts}}\n${output}`,
        'g/script/e.ts': "export const produce = (): string => 'typed';",
        'g/fake/generator.yml': `# ${'long '.repeat(10_000)}\ninput: [timer: {seconds: 0.1, count: 1}]\nevent: {template: {mode: all, templates: [{a: {template: a.jinja}}]}}\n${output}`,
        'g/fake/a.jinja': "{{ module.faker.locale['de'].last_name() }}",
      });
      const daemon = spawn(node, [cli, 'run', '-c', 'instance/spate.yml'], {
        cwd: project,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      daemon.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
      const ended = new Promise<number | null>((resolve) => daemon.once('exit', resolve));
      const linesOf = (id: string) => () => {
        try {
          return readFileSync(join(project, 'instance/g', id, 'out.log'), 'utf8');
        } catch {
          return said.includes('error') ? said : null;
        }
      };
      expect(await eventually(async () => linesOf('script')() || null, 'events of the script')).toMatch(
        /^typed\n/,
      );
      expect(await eventually(async () => linesOf('fake')() || null, 'events of the template')).toMatch(
        /^[\p{L}-]+\n/u,
      );
      const page = await fetch(`http://127.0.0.1:${port}/`);
      const [script = ''] = /\/assets\/[^"]+\.js/.exec(await page.text()) ?? [];
      const loaded = await fetch(`http://127.0.0.1:${port}${script}`, {
        headers: { 'accept-encoding': 'br' },
      });
      expect([page.status, loaded.status, loaded.headers.get('content-encoding')]).toEqual([200, 200, null]);
      const letters = await fetch(`http://127.0.0.1:${port}/api/generators/script/dead-letters`);
      expect(letters.status).toBe(200);
      daemon.kill('SIGTERM');
      expect([await ended, said]).toEqual([0, expect.not.stringMatching(/error|warn/i)]);
    });
  });
});
