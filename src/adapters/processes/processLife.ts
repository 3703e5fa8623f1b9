import { readFile } from 'node:fs/promises';
import { errnoOf } from '../files/ioError.js';

/** `null` for ended processes and on other systems than Linux. */
const readStat = async (pid: number): Promise<{ readonly state: string; readonly start: string } | null> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The program name is in parentheses and may contain anything; fields follow the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields[0], fields[19]];
  return state === undefined || start === undefined ? null : { state, start };
};

/** Returns the start time in ticks since boot, or null when it is unknown. */
export const processStart = async (pid: number): Promise<string | null> =>
  (await readStat(pid))?.start ?? null;

/** Tells if the process that started at `start` (null if unknown) lives. Process ids are reused. */
export const isSameProcess = async (pid: number, start: string | null): Promise<boolean> => {
  try {
    process.kill(pid, 0);
  } catch (thrown) {
    // EPERM: the process exists.
    if (errnoOf(thrown) !== 'EPERM') return false;
  }
  const seen = await readStat(pid);
  if (seen === null || start === null) return true;
  return seen.start === start && seen.state !== 'Z' && seen.state !== 'X';
};
