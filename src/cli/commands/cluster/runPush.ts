import * as E from 'fp-ts/lib/Either.js';
import { LIST_KEY } from '../../../cluster/keys.js';
import { packList } from '../../../daemon/cluster/startupFile.js';
import { failure, type Result, type SpateError } from '../../../domain/errors.js';
import type { ClusterLink } from '../../../ports/cluster.js';
import type { CommandContext, Given } from '../../arguments/command.js';
import { reportError } from '../../report.js';
import { EXIT } from '../../terminal/io.js';
import { withCluster } from './link.js';
import type { pushOptions } from './push.js';
import { type PushPlan, planPush } from './pushPlan.js';
import { readPushSource } from './pushSource.js';
import {
  directoryLine,
  isNothing,
  listLine,
  planLines,
  removalLine,
  sameText,
  stayingLine,
} from './pushText.js';

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
