import { chmod, cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { CLI, freePort } from '../../support/instance.js';
import { type ChildProcess, spawn } from '../../support/programs.js';
import type { Command, ShownFile } from './commands.js';
import { ROOT } from './markdown.js';

const DOCUMENTED_PORT = 9474;
const ADDRESS = /(localhost|127\.0\.0\.1):9474/g;
const STARTS_DAEMON = /^(npm start|(npx )?spate run)\b/;
const DAEMON = 'npx spate run -c settings/spate.yml';

/** Kills a command that a page should not have; far above what a busy machine needs. */
const RUNAWAY_MS = 240_000;

/** Programs of a page, by name: the built CLI under each of its names. */
const shims = (): Readonly<Record<string, string>> => {
  const node = `exec '${process.execPath}' '${CLI}'`;
  return {
    spate: `${node} "$@"`,
    npx: `[ "$1" = spate ] || { echo "npx $1 is not run by tests" >&2; exit 70; }\nshift\nexport npm_command=exec\n${node} "$@"`,
    npm: `[ "$1" = start ] || { echo "npm $1 is not run by tests" >&2; exit 70; }\nexport npm_command=start\n${node} run -c settings/spate.yml`,
  };
};

/** A line that tells where the daemon listens and where events go, not a log line. */
const isAnnounced = (line: string): boolean => !/^\d{4}-|^\.\.\.$/.test(line);

interface Result {
  readonly code: number | null;
  readonly lines: readonly string[];
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** A folder with the examples in which the commands of one page run, one after the other. */
export class PageRun {
  private daemon: { readonly child: ChildProcess; readonly ended: Promise<unknown> } | null = null;

  private constructor(
    readonly folder: string,
    private readonly home: string,
    private readonly port: number,
  ) {}

  static async begin(): Promise<PageRun> {
    const home = await realpath(await mkdtemp(join(tmpdir(), 'spate-page-')));
    const folder = join(home, 'spate');
    for (const name of ['generators', 'incidents', 'settings', 'worlds']) {
      await cp(join(ROOT, name), join(folder, name), {
        recursive: true,
        filter: (path) => !['out', 'logs', 'state', 'keyring.crypt'].includes(basename(path)),
      });
    }
    const run = new PageRun(folder, home, await freePort());
    await run.moveSettings();
    // No progress meter, as at a terminal.
    await writeFile(join(home, '.curlrc'), 'silent\n');
    await mkdir(join(home, 'bin'));
    for (const [name, script] of Object.entries(shims())) {
      await writeFile(join(home, 'bin', name), `#!/bin/sh\n${script}\n`);
      await chmod(join(home, 'bin', name), 0o755);
    }
    return run;
  }

  /** Lets the settings of the page listen on the free port. */
  private async moveSettings(): Promise<void> {
    const file = join(this.folder, 'settings', 'spate.yml');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(`port: ${DOCUMENTED_PORT}`, `port: ${this.port}`));
  }

  async write({ path, text }: ShownFile): Promise<void> {
    const file = join(this.folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    if (path === 'settings/spate.yml') await this.moveSettings();
  }

  /** Runs a command; a daemon is started before the first one that addresses it. */
  async run(command: Command): Promise<Result> {
    if (command.isAfterDaemon) await this.stopDaemon();
    if (STARTS_DAEMON.test(command.line)) return this.startDaemon(command.line, command.output);
    if (this.daemon === null && command.line.search(ADDRESS) !== -1) await this.startDaemon(DAEMON, []);
    const { child, outputWith, ended } = this.spawn(command.line);
    const { length } = command.output;
    if (command.isInterrupted) {
      const lines = await outputWith((seen) => seen.length >= Math.max(1, length));
      this.signal(child, 'SIGINT');
      await ended;
      return { code: 0, lines: this.shown(lines).slice(0, length) };
    }
    const code = await ended;
    return { code, lines: this.shown(await outputWith(() => true)) };
  }

  /** Starts the daemon of the page; its generators run when this resolves with the lines so far. */
  private async startDaemon(line: string, shown: readonly string[]): Promise<Result> {
    if (this.daemon !== null) throw new Error('the daemon of the page runs already');
    const { child, outputWith, ended } = this.spawn(line);
    this.daemon = { child, ended };
    const announced = shown.filter(isAnnounced).length;
    await outputWith((lines) => lines.filter(isAnnounced).length >= announced);
    while (child.exitCode === null && child.signalCode === null) {
      const answer = await fetch(`http://127.0.0.1:${this.port}/api/ready`).catch(() => null);
      if (answer?.status === 200) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const lines = await outputWith((seen) => seen.length >= shown.length);
    return { code: child.exitCode ?? 0, lines: this.shown(lines) };
  }

  private async stopDaemon(): Promise<void> {
    if (this.daemon === null) return;
    this.signal(this.daemon.child, 'SIGINT');
    await this.daemon.ended;
    this.daemon = null;
  }

  /** Stops the daemon and removes the folder. */
  async end(): Promise<void> {
    await this.stopDaemon();
    await rm(this.home, { recursive: true, force: true });
  }

  private shown(lines: readonly string[]): readonly string[] {
    return lines.map((line) => line.replaceAll(`:${this.port}`, `:${DOCUMENTED_PORT}`));
  }

  private signal(child: ChildProcess, signal: NodeJS.Signals): void {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-child.pid, signal);
  }

  private spawn(line: string) {
    const state = join(this.home, 'shell-state');
    // Variables and the working directory carry over from command to command.
    const script = `cd '${this.folder}'; [ -f '${state}' ] && . '${state}'
trap 'export -p > ${state}; printf "cd %q\\n" "$PWD" >> ${state}' EXIT
${line.replaceAll(ADDRESS, `$1:${this.port}`)}
`;
    const child = spawn('bash', ['-c', script], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: `${join(this.home, 'bin')}:${process.env['PATH']}`, HOME: this.home },
    });
    let text = '';
    const watchers = new Set<() => void>();
    const collect = (chunk: Buffer): void => {
      text += chunk.toString();
      for (const look of watchers) look();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const runaway = setTimeout(() => this.signal(child, 'SIGKILL'), RUNAWAY_MS);
    const ended = new Promise<number | null>((resolve) =>
      child.on('close', (code) => {
        clearTimeout(runaway);
        for (const look of watchers) look();
        resolve(code);
      }),
    );
    /** All lines so far, once they are enough or the command has ended. */
    const outputWith = (isEnough: (lines: readonly string[]) => boolean): Promise<readonly string[]> =>
      new Promise((resolve) => {
        const look = (): void => {
          const isEnded = child.exitCode !== null || child.signalCode !== null;
          const lines = linesOf(isEnded ? text : text.slice(0, text.lastIndexOf('\n') + 1));
          if (!isEnded && !isEnough(lines)) return;
          watchers.delete(look);
          resolve(lines);
        };
        watchers.add(look);
        look();
      });
    return { child, outputWith, ended };
  }
}
