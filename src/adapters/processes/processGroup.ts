import { type ChildProcess, spawn } from 'node:child_process';

/** Sends SIGKILL to the process group of a leader. The group exists while one of its processes lives. */
export const killGroup = (leader: number): void => {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // Nothing of the group is left.
  }
};

/** Kills a child that leads its process group, and the programs that it started. Does nothing after its end. */
export const killWithGroup = (child: ChildProcess): void => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  killGroup(child.pid);
  // It may not lead its group yet.
  child.kill('SIGKILL');
};

/** A shell waits for a line. If its standard input ends without one, this process is gone: it kills the group. */
const WATCH = `trap '' HUP INT TERM; read -r line || kill -s KILL -- "-$0"`;

/**
 * Watches over the process group of a child until the child ends: the group ends with the child, and also when the
 * thread or the process that called this is killed. A program that leaves the group escapes. Needs `/bin/sh`.
 * Resolves when the watcher has ended, which is after the child.
 */
export const watchGroup = (child: ChildProcess): Promise<void> => {
  const leader = child.pid;
  if (leader === undefined) return Promise.resolve();
  const watcher = startWatcher(leader);
  child.once('exit', () => {
    killGroup(leader);
    watcher?.stdin?.end('the group has ended\n');
  });
  return new Promise((resolve) => {
    (watcher ?? child).once('exit', () => resolve()).once('error', () => resolve());
  });
};

const startWatcher = (leader: number): ChildProcess | null => {
  try {
    const watcher = spawn('/bin/sh', ['-c', WATCH, String(leader)], {
      // A session of its own: signals of the terminal do not end it first.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: {},
    });
    // Without a shell the group still ends with its child.
    // A watcher that something else has killed.
    watcher.stdin.on('error', () => {});
    watcher.unref();
    (watcher.stdin as { unref?: () => void }).unref?.();
    return watcher;
  } catch {
    // Out of processes or memory.
    return null;
  }
};
