import { readFile } from 'node:fs/promises';
import { errnoOf } from '../files/ioError.js';

/** State and start of a process as Linux shows them; `null` on other systems and for processes that are gone. */
const lookAt = async (pid: number): Promise<{ readonly state: string; readonly start: string } | null> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program stands in brackets and can hold anything; the fields behind the last one are plain.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields[0], fields[19]];
  return state === undefined || start === undefined ? null : { state, start };
};

/** When a process started, in ticks since the machine did; `null` where nobody can tell. */
export const processStart = async (pid: number): Promise<string | null> => (await lookAt(pid))?.start ?? null;

/**
 * Whether a process of this machine lives and is the one that started then: the system gives numbers again. Where
 * nobody can tell when it started, one with the number is taken for it.
 */
export const isSameProcess = async (pid: number, start: string | null): Promise<boolean> => {
  try {
    process.kill(pid, 0);
  } catch (thrown) {
    // Not allowed to send it a signal: it is there.
    if (errnoOf(thrown) !== 'EPERM') return false;
  }
  const seen = await lookAt(pid);
  if (seen === null || start === null) return true;
  // One that has ended stays in the list until its parent looks.
  return seen.start === start && seen.state !== 'Z' && seen.state !== 'X';
};
