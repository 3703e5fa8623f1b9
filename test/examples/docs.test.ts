/**
 * Runs the commands of README.md and docs/*.md, those of docs/templates*.md and docs/cluster.md excepted. The rules for a page:
 *
 * - A block ```console holds commands after `$ `, each followed by its output; without output only the exit code is checked.
 *   Lines before the first `$ ` are more output of the command before.
 *   A command goes on over lines that end with a backslash, open quotes and here-documents.
 * - The commands of a page run in order in a fresh copy of `generators/`, `incidents/`, `settings/` and `worlds/`. `npx spate` and `spate` are the
 *   built program; `localhost:9474` is the daemon of the page: `npm start`, `npx spate run ...`, or one that the first command
 *   with that address starts. Variables and the working directory carry over.
 * - Times, durations, rates and UUIDs are not compared, unless the command has `--now`. `...` alone on a line stands for any lines, `…` for any text in one.
 *   The repository is at /home/you/spate.
 * - Comments right before a block say more:
 *     <!-- not run: needs root -->            the block names something that a test does not have; see NOT_HERE
 *     <!-- file: generators/x/produce.js -->  the block is this file, of any language
 *     <!-- exits with 1 -->                   the exit code of the last command
 *     <!-- until Ctrl-C -->                   the last command gets SIGINT once the shown lines (at least one) are there
 *     <!-- daemon stopped -->                 the daemon of the page is stopped before the block
 *     <!-- numbers vary -->                   numbers of the outputs are not compared
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { hasPrograms, hasPython } from '../support/programs.js';
import { isCommand, reasonNotRun, type Step, stepsOf } from './pages/commands.js';
import { compareOutput } from './pages/compare.js';
import { blocksOf, type Page, ROOT, readPages } from './pages/markdown.js';
import { PageRun } from './pages/run.js';

/** A page takes seconds; this is for machines with much else to do. */
const PAGE_MS = 600_000;

/** What a test does not have: root, systemd, a browser, the network, servers, the tools of the repository itself. */
const NOT_HERE =
  /\b(sudo|systemctl|journalctl|loginctl|systemd-\w+|apt(-get)?|open|git|npm (ci|test|link|install|run)|clickhouse(-client)?|docker|helm|kubectl|certbot|openssl|promtool|logrotate|pidof|websocat|wscat|nats stream)\b|https:\/\/|\.example\b/;

const SHELLS = new Set(['sh', 'bash', 'shell', 'shell-session', 'zsh']);

const pages = (await readPages()).filter(
  ({ name }) => name === 'README.md' || /^docs\/[^/]+\.md$/.test(name),
);
const blocks = pages.flatMap(blocksOf);

/** `test/plugins/events/template/guide.test.ts` and `clusterPage.test.ts` run these. */
const RUN_ELSEWHERE = /^docs\/(templates[^/]*|cluster)\.md$/;

const withSteps = pages
  .filter(({ name }) => !RUN_ELSEWHERE.test(name))
  .map((page): readonly [string, readonly Step[]] => [page.name, stepsOf(blocksOf(page))])
  .filter(([, steps]) => steps.some(isCommand));

const hasCurl = hasPrograms('curl');
const needsCurl = (steps: readonly Step[]): boolean =>
  steps.some((step) => isCommand(step) && /\bcurl\b/.test(step.line));

/** Commands of the generators' READMEs that end by themselves and need no server. */
const exampleSteps = (): readonly Step[] => {
  const commands = readdirSync(join(ROOT, 'generators')).flatMap((name) => {
    const path = join(ROOT, 'generators', name, 'README.md');
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    return [...text.matchAll(/^ {4}((?:npx )?spate generate .*--live-mode false.*--limit.*)$/gm)].map(
      ([, line]) => line,
    );
  });
  return stepsOf(
    blocksOf({ name: 'generators', text: `\`\`\`console\n$ ${commands.join('\n$ ')}\n\`\`\`\n` }),
  );
};

/** Pages that run programs which a machine may lack. */
const NEEDS_PYTHON = new Set(['docs/scripts-python.md']);
const hasZones = hasPython('import zoneinfo');

const runPage = async (steps: readonly Step[]): Promise<void> => {
  const run = await PageRun.begin();
  try {
    for (const step of steps) {
      if (!isCommand(step)) {
        await run.write(step);
        continue;
      }
      const { code, lines } = await run.run(step);
      const at = `${step.place}: ${step.line}`;
      if (code !== step.exitCode) expect({ at, code, lines }).toEqual({ at, code: step.exitCode, lines });
      if (step.output.length === 0) continue;
      const { isSame, expected, actual } = compareOutput(step.output, lines, run.folder, step);
      if (!isSame) expect({ at, output: actual }).toEqual({ at, output: expected });
    }
  } finally {
    await run.end();
  }
};

describe('pages', () => {
  test.each(pages.map(({ name, text }) => [name, text]))('%s stays short and leads on', (name, text) => {
    const lines = text.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(name === 'README.md' ? 150 : 299);
    expect(lines[0]).toMatch(/^# /);
    expect(lines.slice(-12).join('\n')).toMatch(/\]\([^)]+\)/);
  });
});

describe('commands of the docs', () => {
  test('stand in console blocks', () => {
    expect(blocks.filter(({ language }) => SHELLS.has(language)).map(({ place }) => place)).toEqual([]);
  });

  const notRun = blocks.filter((block) => reasonNotRun(block) !== null);
  test.each(notRun.map((block) => [block.place, reasonNotRun(block) ?? '', block.lines.join('\n')]))(
    '%s is not run: %s',
    (_place, reason, text) => {
      expect(reason).toMatch(/\w+ \w+/);
      expect(text).toMatch(NOT_HERE);
    },
  );

  for (const [name, steps] of withSteps) {
    const lacks =
      (needsCurl(steps) && !hasCurl) || (NEEDS_PYTHON.has(name) && !hasZones) || !hasPrograms('bash');
    const runs = lacks ? test.skip : test;
    runs(`of ${name} do what it shows`, () => runPage(steps), PAGE_MS);
  }
});

test(
  'commands in READMEs of generators run to their limit',
  async () => {
    const steps = exampleSteps();
    expect(steps.length).toBeGreaterThan(15);
    await runPage(steps);
  },
  PAGE_MS,
);

describe('the test of a page', () => {
  const stepsFrom = (text: string): readonly Step[] =>
    stepsOf(blocksOf({ name: 'page.md', text } satisfies Page));

  test.each([
    ['another output', '```console\n$ echo one\ntwo\n```'],
    ['a missing line', '```console\n$ echo one\none\ntwo\n```'],
    ['another exit code', '```console\n$ exit 3\n```'],
    ['an unknown program', '```console\n$ npx other\n```'],
  ])(
    'fails for %s',
    async (_what, text) => {
      await expect(runPage(stepsFrom(text))).rejects.toThrow('page.md:1');
    },
    PAGE_MS,
  );

  test(
    'accepts marked differences, keeps variables and folders, writes files',
    async () => {
      const text = `
<!-- file: new/a.txt -->
\`\`\`text
at 12:00
\`\`\`
\`\`\`console
$ export WHO=you
$ cd new
\`\`\`
<!-- numbers vary -->
<!-- exits with 4 -->
\`\`\`console
$ cat a.txt
at 9:30
$ echo "$WHO and more"; exit 4
you …
\`\`\`
\`\`\`console
$ printf "a\\nb\\nc\\n"
a
...
$ echo \\
    2026-01-01T00:00:00Z
2020-12-31T00:00:00.5Z
\`\`\`
`;
      await runPage(stepsFrom(text));
      expect(stepsFrom(text)).toHaveLength(7);
    },
    PAGE_MS,
  );
});
