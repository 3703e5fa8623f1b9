import { readFile } from 'node:fs/promises';

/** Scripts of npm that run this program and wait for it: `npm start` and `npx`. Others may leave it running on purpose. */
const WAITING_SCRIPTS: readonly string[] = ['start', 'npx'];

/** npm sends on what a terminal has already sent to all of its programs: the second of two signals is a copy. */
const COPY_MS = 500;
const LOOK_EVERY_MS = 500;

interface NpmOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly monotonicMs: () => number;
}

/** Name and parent of a process; null for ended ones and on other systems than Linux. */
const lookAt = async (pid: number): Promise<{ readonly name: string; readonly parent: number } | null> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const end = text.lastIndexOf(')');
  if (end === -1) return null;
  return { name: text.slice(text.indexOf('(') + 1, end), parent: Number(text.slice(end + 2).split(' ')[1]) };
};

/** The parent of the shell that npm runs scripts with; null when npm has none in between. */
const npmBehind = async (shell: number): Promise<number | null> => {
  const parent = await lookAt(shell);
  if (parent === null || parent.name.startsWith('npm')) return null;
  return (await lookAt(parent.parent))?.name.startsWith('npm') === true ? parent.parent : null;
};

/** Whether npm waits for this program. */
const isAwaited = ({ env }: NpmOptions): boolean =>
  WAITING_SCRIPTS.includes(env['npm_lifecycle_event'] ?? '');

/** Returns a function that tells whether a signal is the copy that npm sends of the one before. */
export const npmCopies = (options: NpmOptions): ((signal: string) => boolean) => {
  if (!isAwaited(options)) return () => false;
  const seenMs = new Map<string, number>();
  return (signal) => {
    const now = options.monotonicMs();
    const isCopy = now - (seenMs.get(signal) ?? Number.NEGATIVE_INFINITY) < COPY_MS;
    if (!isCopy) seenMs.set(signal, now);
    return isCopy;
  };
};

/** Calls `onGone` once when npm, or the shell that it runs this program with, has ended: nobody waits any longer. */
export const watchNpm = (options: NpmOptions, onGone: () => void): void => {
  if (!isAwaited(options)) return;
  const { ppid } = process;
  const npm = npmBehind(ppid);
  const isGone = async (): Promise<boolean> => {
    if (process.ppid !== ppid) return true;
    const expected = await npm;
    return expected !== null && (await lookAt(ppid))?.parent !== expected;
  };
  const timer = setInterval(() => {
    void isGone().then((gone) => {
      if (!gone) return;
      clearInterval(timer);
      onGone();
    });
  }, LOOK_EVERY_MS);
  timer.unref();
};
