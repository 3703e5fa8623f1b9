import * as E from 'fp-ts/lib/Either.js';
import { LIST_KEY } from '../../../cluster/keys.js';
import { packList } from '../../../daemon/cluster/startupFile.js';
import { failure, type Result, type SpateError } from '../../../domain/errors.js';
import { plural, showCount } from '../../../domain/text/shown.js';
import type { ClusterLink } from '../../../ports/cluster.js';
import type { CommandContext, Given } from '../../arguments/command.js';
import { reportError } from '../../report.js';
import { EXIT } from '../../terminal/io.js';
import { escapeControls, showRough } from '../../terminal/text.js';
import type { pushOptions } from './cluster.js';
import { withCluster } from './link.js';
import { type DirectoryWrite, type ListWrite, type PushPlan, planPush } from './pushPlan.js';
import { readPushSource } from './pushSource.js';

/** A write of the plan; `line` is printed once it is done. */
interface Step {
  readonly subject: string;
  readonly line: string;
  readonly write: () => Promise<Result<unknown>>;
}

/** Directories before the list, which names them; removals last. */
const stepsOf = (
  { configs, startup }: Pick<ClusterLink, 'configs' | 'startup'>,
  plan: PushPlan,
): readonly Step[] => {
  const { directories, list, extra, deletes } = plan;
  return [
    ...directories.map((one) => ({
      subject: `directory "${one.name}"`,
      line: directoryLine(one),
      write: () => configs.write(one.name, one.content, one.digest, one.replaces),
    })),
    ...(list === null
      ? []
      : [
          {
            subject: 'the startup list',
            line: listLine(list),
            write: () => startup.write(LIST_KEY, packList(list.text), list.replaces),
          },
        ]),
    ...(deletes ? extra : []).map(({ name, revision }) => ({
      subject: `directory "${name}"`,
      line: removalLine(name),
      write: () => configs.remove(name, revision),
    })),
  ];
};

const overtaken = (subject: string): SpateError =>
  failure(
    'precondition_failed',
    `${subject} changed in the cluster during the push and was not replaced. Run the command again to see the difference.`,
  );

/**
 * Makes the changes of a plan in order. Returns the error of the first that fails; those before it, as printed, are
 * made.
 */
export const applyPush = async (
  link: Pick<ClusterLink, 'configs' | 'startup'>,
  plan: PushPlan,
  print: (line: string) => void,
): Promise<Result<null>> => {
  for (const { subject, line, write } of stepsOf(link, plan)) {
    const written = await write();
    if (E.isLeft(written)) {
      return E.left(written.left.code === 'precondition_failed' ? overtaken(subject) : written.left);
    }
    print(line);
  }
  if (!plan.deletes) for (const { name } of plan.extra) print(stayingLine(name));
  return E.right(null);
};

/** Resolves to the exit code of `spate cluster push`. */
export const runPush = async (
  { options, positionals: [directory = '', startupFile = ''] }: Given<typeof pushOptions>,
  { io }: CommandContext,
): Promise<number> => {
  const source = await readPushSource(io.cwd, directory, startupFile);
  if (E.isLeft(source)) {
    for (const error of source.left) reportError(io, error);
    return EXIT.failed;
  }
  const print = (line: string): void => io.stdout.write(`${line}\n`);
  return withCluster({ name: 'cluster push', given: options.cluster, io }, async ({ file, link }) => {
    const plan = await planPush(link, source.right, options.delete === true);
    if (E.isLeft(plan)) return reportError(io, plan.left);
    const isDryRun = options['dry-run'] === true;
    if (isDryRun || isNothing(plan.right)) planLines(plan.right).forEach(print);
    if (isNothing(plan.right)) print(sameText(plan.right));
    else if (isDryRun) print('Dry run: nothing was pushed.');
    else {
      const done = await applyPush(link, plan.right, print);
      if (E.isLeft(done)) return reportError(io, done.left);
      print(`Pushed to cluster "${file.name}".`);
    }
    return EXIT.ok;
  });
};

/** Files named per directory. */
const MAX_NAMED = 5;
const KIB = 1_024;

const sizeText = (bytes: number): string =>
  bytes < KIB
    ? plural(bytes, 'byte')
    : bytes < KIB * KIB
      ? `${showRough(bytes / KIB)} KiB`
      : `${showRough(bytes / KIB / KIB)} MiB`;

const namesText = (paths: readonly string[]): string => {
  const rest = paths.length - MAX_NAMED;
  const named = paths.slice(0, MAX_NAMED).map(escapeControls).join(', ');
  return rest > 0 ? `${named} and ${showCount(rest)} more` : named;
};

/** `+ web-nginx (4 files, 12 KiB)` or `~ shop (orders.ts)` */
const directoryLine = ({ name, replaces, files, bytes, changed }: DirectoryWrite): string =>
  replaces === 0
    ? `+ ${escapeControls(name)} (${plural(files, 'file')}, ${sizeText(bytes)})`
    : `~ ${escapeControls(name)} (${namesText(changed)})`;

/** `~ startup list (+2 entries, -1, 1 changed)` */
export const listLine = ({ replaces, entries, added, removed, changed }: ListWrite): string => {
  const noun = (count: number): string => (count === 1 ? 'entry' : 'entries');
  if (replaces === 0) return `+ startup list (${showCount(entries)} ${noun(entries)})`;
  const parts = [
    ...(added > 0 ? [`+${showCount(added)} ${noun(added)}`] : []),
    ...(removed > 0 ? [`-${showCount(removed)}${added > 0 ? '' : ` ${noun(removed)}`}`] : []),
    ...(changed > 0 ? [`${showCount(changed)} changed`] : []),
  ];
  return `~ startup list (${parts.length === 0 ? 'same entries, other text' : parts.join(', ')})`;
};

const removalLine = (name: string): string => `- ${escapeControls(name)}`;

const stayingLine = (name: string): string =>
  `  ${escapeControls(name)} stays: only the cluster has it. Use --delete to remove it.`;

/** Lines of all changes, in the order of the writes. */
const planLines = ({ directories, list, extra, deletes }: PushPlan): readonly string[] => [
  ...directories.map(directoryLine),
  ...(list === null ? [] : [listLine(list)]),
  ...extra.map(({ name }) => (deletes ? removalLine(name) : stayingLine(name))),
];

const isNothing = ({ directories, list, extra, deletes }: PushPlan): boolean =>
  directories.length === 0 && list === null && !(deletes && extra.length > 0);

const sameText = ({ total }: PushPlan): string => {
  const entries = `${showCount(total.entries)} ${total.entries === 1 ? 'entry' : 'entries'}`;
  const directories = `${showCount(total.directories)} ${total.directories === 1 ? 'directory' : 'directories'}`;
  return `Nothing to push: the cluster has the same ${directories} and startup list (${entries}).`;
};
