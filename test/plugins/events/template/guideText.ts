import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { parse } from 'yaml';
import type { JsonObject } from '../../../../src/domain/json.js';
import { runProgram } from '../../../support/instance.js';
import { buildIn, produced } from './support.js';

/** A fenced block of a page. */
export interface Fence {
  readonly language: string;
  /** Text after the language: `x3` for three timestamps. */
  readonly info: string;
  /** Name of the file, from the bold line above; `null` without one. */
  readonly file: string | null;
  readonly body: string;
  /** Index of the first line of the body, and of the closing fence. */
  readonly from: number;
  readonly to: number;
}

export const fencesOf = (lines: readonly string[]): readonly Fence[] => {
  const fences: Fence[] = [];
  let open = -1;
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith('```')) continue;
    if (open < 0) {
      open = at;
      continue;
    }
    const [, language = '', info = ''] = /^```(\w*) ?(.*)$/.exec(lines[open] ?? '') ?? [];
    const file = /^\*\*`([^`]+)`\*\*$/.exec(lines[open - 2] ?? '')?.[1] ?? null;
    fences.push({
      language,
      info,
      file,
      body: lines
        .slice(open + 1, at)
        .map((each) => `${each}\n`)
        .join(''),
      from: open + 1,
      to: at,
    });
    open = -1;
  }
  return fences;
};

interface EventConfig {
  readonly event?: { readonly template?: JsonObject };
}

export const templateOf = ({ body }: Fence): JsonObject => (parse(body) as EventConfig).event?.template ?? {};

/** Objects under one key of all configs, merged. */
const merged = (configs: readonly JsonObject[], key: string): JsonObject =>
  Object.assign({}, ...configs.map((config) => config[key] ?? {}));

/** The value in a code span of a table, and back. */
const unescaped = (span: string): string => span.replaceAll('\\|', '|');
const escaped = (value: string): string => {
  if (value === '' || /[`\n]/.test(value)) throw new Error(`${JSON.stringify(value)} fits no code span`);
  return value.replaceAll('|', '\\|');
};

const PAIR = /`([^`]+)` (→|fails:) `([^`]+)`/g;

/** Renders the examples of the pages in a folder with their files. */
export class GuideRun {
  private constructor(
    private readonly folder: string,
    private readonly files: ReadonlySet<string>,
    /** `params`, `samples` and `vars` of all examples. */
    private readonly surroundings: { readonly params: JsonObject; readonly samples: JsonObject },
  ) {}

  static async in(parent: string, fences: readonly Fence[]): Promise<GuideRun> {
    // The folder name is the generator's name in the log.
    const folder = join(parent, 'logins');
    await mkdir(folder);
    const files = fences.filter(({ file }) => file !== null);
    for (const { file, body } of files) await writeFile(join(folder, file ?? ''), body);
    const configs = fences.filter(({ language }) => language === 'yaml').map(templateOf);
    return new GuideRun(folder, new Set(files.map(({ file }) => file ?? '')), {
      params: merged(configs, 'params'),
      samples: merged(configs, 'samples'),
    });
  }

  private async events(params: JsonObject, count: number): Promise<readonly string[]> {
    const { built, lines } = await buildIn(this.folder, params, { seed: 'guide' });
    if (E.isLeft(built)) throw new Error(built.left.message);
    const { events, failed } = produced(built.right, count, { tags: ['web'] });
    await built.right.close();
    if (failed > 0) throw new Error(String(lines.at(0)?.context['reason']));
    return events;
  }

  /** Events of a single template. */
  async rendered(template: string, count = 1): Promise<readonly string[]> {
    await writeFile(join(this.folder, 'example.jinja'), template);
    const templates = [{ example: { template: 'example.jinja', vars: { level: 'warn' } } }];
    return this.events({ mode: 'all', templates, ...this.surroundings }, count);
  }

  /** The error message of a template, without its position. */
  async reason(template: string): Promise<string> {
    const outcome = await this.rendered(template).then(
      () => 'no error',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    return outcome.replace(/^\S+:\d+:\d+: /, '');
  }

  /** Events of a config. Templates that no page shows print their name. */
  async picked(config: JsonObject, count: number): Promise<readonly string[]> {
    const items = (config['templates'] ?? []) as readonly Record<string, { readonly template: string }>[];
    for (const { template } of items.flatMap(Object.values)) {
      if (!this.files.has(template))
        await writeFile(join(this.folder, template), template.replace('.jinja', ''));
    }
    const events = await this.events({ ...this.surroundings, ...config }, count);
    return events.slice(0, count);
  }

  /** Output of a command. */
  async printed(command: string): Promise<string> {
    const words = command.replace(/^npx /, '').split(' ').slice(1);
    const isCheck = words.slice(0, 2).join(' ') === 'template check';
    const failing = join(this.folder, 'failed.jinja');
    const right = await readFile(failing, 'utf8');
    if (isCheck) await writeFile(failing, right.replace('timestamp', 'timestmp'));
    const program = runProgram(words, { cwd: this.folder });
    await program.exited;
    await writeFile(failing, right);
    // Rates of a summary differ from run to run.
    const told = program.stderr().replace(/^.* events in .*\/s\);.*\n/gm, '');
    if (!command.includes('--trace')) return program.stdout() + told;
    return program
      .stderr()
      .split('\n')
      .filter((line) => line.includes('event made'))
      .map((line) => `${line.replace(/^\S+ +\w+ +/, '')}\n`)
      .join('');
  }

  /** A line with the real values of its pairs. */
  async pairs(line: string, prefix: string): Promise<string> {
    let result = '';
    let end = 0;
    for (const match of line.matchAll(PAIR)) {
      const [whole, left = '', sign = ''] = match;
      const written = unescaped(left);
      const template = written.includes('{{') ? written : `{{ ${prefix}${written} }}`;
      const value = sign === '→' ? (await this.rendered(template)).join('') : await this.reason(template);
      result += `${line.slice(end, match.index)}\`${left}\` ${sign} \`${escaped(value)}\``;
      end = match.index + whole.length;
    }
    return result + line.slice(end);
  }
}

/** Number of timestamps of a block: `x3` is three. */
export const timesOf = ({ info }: Fence): number => Number(/^x(\d+)$/.exec(info)?.[1] ?? 1);

/** The path in a heading's backticks, e.g. `module.rand.number`; `null` without one. */
export const pathOf = (heading: string): string | null => /^##+ `([^`]+)`$/.exec(heading)?.[1] ?? null;

/** A page with all its outputs replaced by real ones. */
export const withRealOutputs = async (page: string, run: GuideRun): Promise<string> => {
  const lines = page.split('\n');
  const fences = fencesOf(lines);
  const result = [...lines];
  const fenced = new Set(
    fences.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i)),
  );
  let prefix = '';
  for (const [at, line] of lines.entries()) {
    if (fenced.has(at)) continue;
    if (line.startsWith('#')) prefix = pathOf(line)?.concat('.') ?? '';
    result[at] = await run.pairs(line, prefix);
  }
  const bodies = new Map<Fence, string>();
  let shown: Fence | null = null;
  for (const fence of fences) {
    if (fence.language === 'yaml' || (fence.language === 'jinja' && fence.file === null)) shown = fence;
    if (fence.language === 'console') {
      const command = fence.body.slice(2, fence.body.indexOf('\n'));
      bodies.set(fence, `$ ${command}\n${await run.printed(command)}`);
    } else if (fence.language === 'text' && shown !== null) {
      const count = fence.to - fence.from;
      const events: readonly string[] =
        shown.language === 'yaml'
          ? await run.picked(templateOf(shown), count)
          : await run.rendered(shown.body, timesOf(shown));
      bodies.set(fence, events.map((event) => `${event}\n`).join(''));
    }
  }
  for (const [{ from, to }, body] of [...bodies].reverse())
    result.splice(from, to - from, ...body.split('\n').slice(0, -1));
  return result.join('\n');
};
