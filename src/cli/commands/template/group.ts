import { access } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { ERRORS, type Result, type SpateError } from '../../../domain/errors.js';
import { plural } from '../../../domain/text/shown.js';
import type { Command, CommandGroup } from '../../arguments/command.js';
import { flagOption } from '../../arguments/option.js';
import { PLUGIN_OPTIONS } from '../../arguments/sharedOptions.js';
import { filesAt, type NamedFile, YAML_FILE } from '../../files/namedFiles.js';
import { reportError } from '../../report.js';
import { EXIT, type Io } from '../../terminal/io.js';
import {
  countOfFindings,
  type FileFinding,
  findingPath,
  findingsJson,
  findingText,
  inOrder,
  summaryOf,
} from './findings.js';
import type { Checked } from './generator.js';

/** Parent folders searched for the config of a template. */
const MAX_FOLDERS_UP = 16;

const CONFIG_NAMES = ['generator.yml', 'generator.yaml'];

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Returns the nearest generator config above a template, or null when there is none. */
const ownerOf = async (template: string): Promise<string | null> => {
  let folder = dirname(template);
  for (let up = 0; up < MAX_FOLDERS_UP; up++) {
    for (const name of CONFIG_NAMES) {
      const path = join(folder, name);
      if (await exists(path)) return path;
    }
    if (dirname(folder) === folder) return null;
    folder = dirname(folder);
  }
  return null;
};

interface TemplateTarget extends NamedFile {
  readonly kind: 'config' | 'template';
}

const CONFIG_OR_TEMPLATE = /\.(?:ya?ml|jinja2?|j2)$/;

/** Returns the configs and templates of a path, or an error when nothing is there. */
const targetsAt = async (shown: string, cwd: string): Promise<Result<readonly TemplateTarget[]>> =>
  E.map((files: readonly NamedFile[]) =>
    files.map(
      (file): TemplateTarget => ({ ...file, kind: YAML_FILE.test(file.path) ? 'config' : 'template' }),
    ),
  )(await filesAt(shown, cwd, CONFIG_OR_TEMPLATE));

type Engine = typeof import('./generator.js');

class Run {
  readonly findings: FileFinding[] = [];
  readonly errors: SpateError[] = [];
  templates = 0;
  private readonly generators = new Map<string, Result<Checked | null>>();
  private readonly seen = new Set<string>();

  constructor(
    private readonly io: Pick<Io, 'cwd' | 'program'>,
    private readonly engine: Engine,
  ) {}

  private async generator(path: string): Promise<Result<Checked | null>> {
    const known = this.generators.get(path);
    if (known !== undefined) return known;
    const checked = await this.engine.checkGenerator(path, this.io);
    this.generators.set(path, checked);
    return checked;
  }

  async config({ path, isNamed }: TemplateTarget): Promise<void> {
    if (this.seen.has(path)) return;
    this.seen.add(path);
    const checked = await this.generator(path);
    if (E.isLeft(checked)) {
      // An unnamed YAML file may be anything; `spate validate` checks those.
      if (isNamed || CONFIG_NAMES.includes(basename(path))) this.errors.push(checked.left);
    } else if (checked.right !== null) {
      this.findings.push(...checked.right.findings);
      this.templates += checked.right.templates;
      for (const reached of checked.right.reached) this.seen.add(reached);
    }
  }

  /** Checks a template as its generator uses it, or alone. */
  async template({ path, isNamed }: TemplateTarget): Promise<void> {
    if (this.seen.has(path)) return;
    this.seen.add(path);
    this.templates++;
    const owner = await ownerOf(path);
    const generator = owner === null ? null : await this.generator(owner);
    const checked = generator !== null && E.isRight(generator) ? generator.right : null;
    if (checked?.reached.has(path) === true) {
      const file = findingPath(path, this.io.cwd);
      this.findings.push(...checked.findings.filter((one) => one.file === file));
      return;
    }
    const folder = dirname(owner ?? path);
    const name = relative(folder, path).split(sep).join('/');
    this.findings.push(...(await this.engine.checkAlone(name, folder, this.io.cwd)).findings);
    if (!isNamed && owner !== null && checked?.isComplete === true) this.unused(path, owner);
  }

  private unused(path: string, owner: string): void {
    this.findings.push({
      file: findingPath(path, this.io.cwd),
      line: null,
      column: null,
      severity: 'note',
      code: 'unused_template',
      message: `no template of ${findingPath(owner, this.io.cwd)} uses this file.`,
      shown: '',
    });
  }
}

const options = {
  strict: flagOption({ help: 'Fail on warnings too.' }),
  json: flagOption({ help: 'Print the findings as a JSON array.' }),
  ...PLUGIN_OPTIONS,
};

const report = (
  run: Run,
  { strict, json }: { readonly strict: boolean; readonly json: boolean },
  paths: readonly string[],
  io: Io,
): number => {
  const findings = inOrder(run.findings);
  if (json) io.stdout.write(findingsJson(findings));
  else io.stdout.write(findings.map(findingText).join(''));
  for (const error of run.errors) reportError(io, error);
  const exits = run.errors.map(({ code }) => ERRORS[code].exit);
  if (run.templates === 0 && findings.length === 0) {
    if (exits.length === 0) io.stderr.write(`spate: no template to check in ${paths.join(', ')}.\n`);
    return Math.max(EXIT.failed, ...exits);
  }
  const broken = run.errors.reduce((sum, { issues }) => sum + (issues?.length || 1), 0);
  const files = plural(run.errors.length, 'file');
  io.stderr.write(
    broken === 0
      ? `spate: ${summaryOf(findings, run.templates)}.\n`
      : `spate: ${plural(broken, 'problem')} in ${files} that cannot be checked; ${summaryOf(findings, run.templates, 'nothing else')}.\n`,
  );
  const isBad =
    countOfFindings(findings, 'error') > 0 || (strict && countOfFindings(findings, 'warning') > 0);
  return Math.max(isBad ? EXIT.failed : EXIT.ok, ...exits);
};

const templateCheck: Command<typeof options> = {
  name: 'template check',
  summary: 'Checks templates without rendering them: syntax, unknown names, unused samples.',
  positionals: { usage: 'PATH...', min: 1, max: Number.POSITIVE_INFINITY },
  options,
  usesPlugins: true,
  notes: [
    'PATH is a generator config (.yml, .yaml), a template (any other file), or a folder to search for configs and templates ' +
      '(.jinja, .jinja2, .j2). A config stands for the templates of its event plugin and formatters, and those they load. ' +
      'A template below a generator.yml is checked as that generator uses it.',
    'Errors: invalid syntax; unknown filters, tests, templates and names; unknown attributes of module, timestamp, samples and ' +
      'imported templates. Warnings: names not set where they are read; params and vars missing in the config; unused samples. ' +
      'Names tested with "is defined" or given a "default" are never reported.',
    'Prints one finding per line: file:line:column: error, warning or note: problem. Fix. The line of the template follows.',
    'Exit codes: 0 no errors; 1 errors (with --strict also warnings); 2 wrong usage.',
  ],
  examples: [
    { title: 'Check all templates of all generators', line: 'spate template check generators' },
    { title: 'Check those of one generator', line: 'spate template check generators/shop/generator.yml' },
    {
      title: 'Check one template and fail on warnings, e.g. in CI',
      line: 'spate template check --strict generators/shop/login.jinja',
    },
    {
      title: 'Save the findings as JSON',
      line: 'spate template check --json generators > findings.json',
    },
  ],
  run: async ({ options: { strict, json }, positionals }, { io }) => {
    // Lazy, to keep other commands fast.
    const run = new Run(io, await import('./generator.js'));
    const targets: TemplateTarget[] = [];
    for (const path of positionals) {
      const found = await targetsAt(path, io.cwd);
      if (E.isLeft(found)) run.errors.push(found.left);
      else targets.push(...found.right);
    }
    // Configs first: they define how templates are used.
    for (const target of targets) if (target.kind === 'config') await run.config(target);
    for (const target of targets) if (target.kind === 'template') await run.template(target);
    return report(run, { strict: strict === true, json: json === true }, positionals, io);
  },
};

export const template: CommandGroup = {
  name: 'template',
  summary: 'Checks the templates of events and formatters.',
  commands: [templateCheck],
};
