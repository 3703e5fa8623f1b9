/** Whether files have the same bytes. */
import { spawnSync } from 'node:child_process';

/** Problems: none when the two are the same, else what `cmp` says. */
export const sameBytes = (ours, theirs) => {
  const { status, stdout, stderr } = spawnSync('cmp', [ours, theirs], { encoding: 'utf8' });
  return status === 0 ? [] : [`the outputs differ: ${stdout}${stderr}`.trim()];
};

/** The same of a shell command that must end with 0, such as a pipe into `cmp`. */
export const holds = (command, what) => {
  const { status, stdout, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', command], {
    encoding: 'utf8',
  });
  return status === 0 ? [] : [`${what}: ${stdout}${stderr}`.trim()];
};
